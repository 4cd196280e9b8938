"""Random walks of ensmallen on an edge list: FILE WALKS LENGTH REPEATS."""

import json
import sys

from clock import timed
from ensmallen import Graph

path, walks, length, repeats = sys.argv[1], *map(int, sys.argv[2:5])
times = {}
with timed(times, "load"):
    graph = Graph.from_csv(
        edge_path=path,
        directed=False,
        edge_list_header=False,
        edge_list_separator=" ",
        sources_column_number=0,
        destinations_column_number=1,
        edge_list_numeric_node_ids=True,
        verbose=False,
    )
best = None
for _ in range(repeats):
    with timed(times, "walking"):
        made = graph.complete_walks(walk_length=length, iterations=walks)
    best = times["walking"] if best is None else min(best, times["walking"], key=lambda time: time["wall"])
count, nodes = made.shape
print(json.dumps({"load": times["load"], "walking": best, "walks": count, "steps": count * (nodes - 1)}))
