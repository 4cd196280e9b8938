#!/usr/bin/env python3
"""Reference values of the metrics from other programs, for crates/hycome/tests/library/metrics_values.rs.

Conductance and modularity are computed by networkx, mutual information and the Rand index by scikit-learn, and the
optimal matching by SciPy's assignment solver; only the number of matched nodes is counted here. The graphs are the
built-in ones; two cases have random edge weights. The partitions, which are stored with the values, are the classes,
the classes with some nodes moved, greedy modularity communities and random ones.
"""

import json
import random
from pathlib import Path

import networkx as nx
import numpy
import scipy
import sklearn
from networkx.algorithms.community import greedy_modularity_communities, modularity
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, normalized_mutual_info_score

CRATE = Path(__file__).resolve().parent.parent / "crates/hycome"
SEED = 1


def main():
    generator = random.Random(SEED)
    cases = []
    for name in ("karate", "books", "football", "polblogs"):
        graph, classes = read(name)
        moved = [c if generator.random() < 0.8 else generator.randrange(max(classes) + 1) for c in classes]
        drawn = [generator.randrange(7) for _ in classes]
        for kind, communities in (("classes", classes), ("moved", moved), ("random", drawn)):
            cases.append(case(name, kind, graph, communities, classes))
        if name != "polblogs":  # networkx divides by zero for communities that are isolated nodes
            greedy = [0] * len(classes)
            for community, nodes in enumerate(greedy_modularity_communities(graph)):
                for node in nodes:
                    greedy[node] = community
            cases.append(case(name, "greedy modularity", graph, greedy, classes))

    graph, classes = read("football")
    several = [sorted(generator.sample(range(9), generator.choice([0, 1, 1, 2, 4]))) for _ in classes]
    cases.append(case("football", "classes", graph, classes, classes, several))

    for name in ("karate", "football"):
        graph, classes = read(name)
        edges = [[u, v, float(numpy.float32(generator.lognormvariate(0, 2)))] for u, v in graph.edges]
        graph.add_weighted_edges_from(edges)
        moved = [c if generator.random() < 0.8 else generator.randrange(max(classes) + 1) for c in classes]
        cases.append(case(name, "classes, weighted", graph, classes, classes) | {"edges": edges})
        cases.append(case(name, "moved, weighted", graph, moved, classes) | {"edges": edges})

    versions = {m.__name__: m.__version__ for m in (nx, numpy, scipy, sklearn)}
    text = json.dumps({"made_by": "tools/metric_values.py", "versions": versions, "cases": []})[:-2]
    text += "\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}\n"
    (CRATE / "tests/data").mkdir(exist_ok=True)
    (CRATE / "tests/data/metric_values.json").write_text(text)


def read(name):
    """A built-in graph, with its classes numbered by first appearance."""
    rows = lambda kind: [line.split("\t") for line in
                         (CRATE / f"src/datasets/{name}.{kind}").read_text().splitlines() if line[0] != "#"]
    nodes = rows("nodes")
    graph = nx.Graph()
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from((int(u), int(v)) for u, v in rows("edges") if u != v)
    ids = {}
    return graph, [ids.setdefault(row[2], len(ids)) for row in nodes]


def case(name, kind, graph, communities, classes, several=None):
    """Scores against the classes of the graph, or against several classes per node if given."""
    truth = several or [[c] for c in classes]
    count = max(communities) + 1
    groups = [{node for node in graph if communities[node] == c} for c in range(count)]
    conductance = [nx.conductance(graph, group, weight="weight") for group in groups]
    labeled = [node for node in graph if truth[node]]
    pairs = [(communities[node], c) for node in labeled for c in truth[node]]
    clusters, classes = zip(*pairs)
    one_each = len(pairs) == len(labeled) and max(map(len, truth)) == 1

    table = numpy.zeros((count, max(classes) + 1), dtype=int)
    for cluster, c in pairs:
        table[cluster, c] += 1
    rows, columns = linear_sum_assignment(table, maximize=True)
    sizes = numpy.bincount([communities[node] for node in labeled], minlength=count)
    by_size = zip(numpy.argsort(-sizes, kind="stable"), numpy.argsort(-table.sum(axis=0), kind="stable"))
    return {
        "graph": name,
        "partition": kind,
        "communities": communities,
        "truth": several,
        "conductance": conductance,
        "mean_conductance": float(numpy.mean(conductance)),
        "modularity": modularity(graph, groups),  # weighted if edges have weights
        "nmi": normalized_mutual_info_score(classes, clusters),
        "nmi_paper": paper_nmi(table, [communities[node] for node in labeled]),
        "ami": adjusted_mutual_info_score(classes, clusters) if one_each else None,
        "ari": adjusted_rand_score(classes, clusters) if one_each else None,
        "precision_at_1": int(table[rows, columns].sum()) / len(labeled),
        "precision_at_1_by_size": int(sum(table[a, b] for a, b in by_size)) / len(labeled),
    }


def paper_nmi(table, clusters):
    """NMI as the paper prints it: N and the sizes of clusters count nodes, the sizes of classes memberships."""
    nodes = len(clusters)
    clusters, classes = numpy.bincount(clusters, minlength=len(table)), table.sum(axis=0)
    shared = [(table[i, j], clusters[i], classes[j]) for i, j in zip(*table.nonzero())]
    above = -2 * sum(a * numpy.log(a * nodes / (p * t)) for a, p, t in shared)
    below = sum(size * numpy.log(size / nodes) for sizes in (clusters, classes) for size in sizes if size)
    return float(above / below)


if __name__ == "__main__":
    main()
