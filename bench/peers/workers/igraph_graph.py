"""igraph on an edge list: `load FILE` or `scores FILE`."""

import json
import sys

import igraph
from clock import timed
from communities import FOUND, TRUTH, communities

task, path = sys.argv[1:3]
times = {}
with timed(times, "load"):
    graph = igraph.Graph.Read_Edgelist(path, directed=False)
nodes, edges = graph.vcount(), graph.ecount()
if task == "scores":
    found, truth = communities(nodes, FOUND), communities(nodes, TRUTH)
    with timed(times, "modularity"):
        graph.modularity(found)
    with timed(times, "nmi"):
        igraph.compare_communities(found, truth, method="nmi")
print(json.dumps({**times, "nodes": nodes, "edges": edges}))
