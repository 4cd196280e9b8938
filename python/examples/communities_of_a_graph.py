"""Detect, score, plot and save the communities of a NetworkX graph.

python communities_of_a_graph.py
"""

from __future__ import annotations

import networkx as nx

import hycome


def main() -> None:
    graph = nx.les_miserables_graph()
    run = hycome.embed(graph, communities=6, restarts=4, seed=3)

    for number, members in enumerate(run.partition()):
        names = sorted(members, key=graph.degree, reverse=True)
        print(f"community {number}: {len(names)} people around {', '.join(names[:3])}")

    scores = run.metrics()
    print(f"conductance {scores.conductance:.3f}, modularity {scores.modularity:.3f}")

    valjean = run.index["Valjean"]
    print("Valjean:", run.probabilities[valjean].round(3))

    run.plot("miserables.html", title="Les Misérables")
    run.save("miserables.safetensors")


if __name__ == "__main__":
    main()
