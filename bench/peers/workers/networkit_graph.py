"""NetworKit on an edge list: `load FILE` or `scores FILE`."""

import json
import sys

import networkit
from clock import timed
from communities import COMMUNITIES, FOUND, TRUTH, communities

task, path = sys.argv[1:3]
networkit.setNumberOfThreads(1)
times = {}
with timed(times, "load"):
    graph = networkit.graphio.EdgeListReader(" ", 0, continuous=True, directed=False).read(path)
nodes, edges = graph.numberOfNodes(), graph.numberOfEdges()


def partition(of_nodes: list[int]) -> networkit.Partition:
    """Converts communities to a partition of NetworKit."""
    made = networkit.Partition(len(of_nodes))
    made.setUpperBound(COMMUNITIES)
    for node, community in enumerate(of_nodes):
        made.addToSubset(community, node)
    return made


if task == "scores":
    found, truth = communities(nodes, FOUND), communities(nodes, TRUTH)
    members = [[] for _ in range(COMMUNITIES)]
    for node, community in enumerate(found):
        members[community].append(node)
    found, truth = partition(found), partition(truth)
    with timed(times, "conductance"):
        for community in members:
            networkit.scd.SetConductance(graph, community).run().getConductance()
    with timed(times, "modularity"):
        networkit.community.Modularity().getQuality(found, graph)
    with timed(times, "nmi"):
        networkit.community.NMIDistance().getDissimilarity(graph, found, truth)
print(json.dumps({**times, "nodes": nodes, "edges": edges}))
