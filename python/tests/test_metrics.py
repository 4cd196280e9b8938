"""Clustering metrics, compared with scikit-learn and NetworkX."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import (
    accuracy_score,
    adjusted_mutual_info_score,
    adjusted_rand_score,
    f1_score,
    normalized_mutual_info_score,
)
from sklearn.model_selection import PredefinedSplit, StratifiedKFold, cross_val_score

import hycome
from hycome import metrics
from hycome.estimators import HyperbolicLogisticRegression, NearestBarycenter


@pytest.fixture(params=range(5))
def partitions(request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(request.param)
    return generator.integers(0, 6, 200), generator.integers(0, 2 + request.param, 200)


def test_mutual_information_matches_scikit_learn(partitions: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = partitions
    expected = normalized_mutual_info_score(a, b)
    assert metrics.normalized_mutual_information(a, b) == pytest.approx(expected, abs=1e-12)
    texts = [f"class {x}" for x in b]
    assert metrics.normalized_mutual_information(a.tolist(), texts) == pytest.approx(expected, abs=1e-12)


def test_adjusted_mutual_information_matches_scikit_learn(partitions: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = partitions
    expected = adjusted_mutual_info_score(a, b)
    assert metrics.adjusted_mutual_info_score(a, b) == pytest.approx(expected, abs=1e-12)
    assert metrics.adjusted_mutual_info_score(a, a + 7) == 1.0


def test_mutual_information_of_the_paper_divides_by_nodes() -> None:
    graph = nx.path_graph(2)
    scores = metrics.score(graph, [0, 1], [["a", "b"], ["c", "d"]])
    assert scores.nmi_paper == pytest.approx(4 / 3)
    assert scores.nmi is not None and scores.nmi < 1
    assert scores.ami is None
    single = metrics.score(graph, [0, 1], ["a", "b"])
    assert single.nmi_paper == single.nmi == 1


def test_rand_index_matches_scikit_learn(partitions: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = partitions
    assert metrics.adjusted_rand_index(a, b) == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)
    assert metrics.adjusted_rand_index(a, a + 7) == 1.0


def test_conductance_and_modularity_match_networkx(partitions: tuple[np.ndarray, np.ndarray]) -> None:
    communities = partitions[0]
    graph = nx.gnm_random_graph(200, 900, seed=1)
    parts = {k: set(np.flatnonzero(communities == k).tolist()) for k in np.unique(communities).tolist()}
    expected = {k: nx.conductance(graph, part) for k, part in parts.items()}
    assert metrics.conductance(graph, communities) == pytest.approx(expected, abs=1e-12)
    modularity = nx.community.modularity(graph, parts.values())
    assert metrics.modularity(graph, communities) == pytest.approx(modularity, abs=1e-12)
    by_name = {node: f"community {k}" for node, k in enumerate(communities)}
    assert metrics.modularity(graph, by_name) == pytest.approx(modularity, abs=1e-12)


def test_weighted_scores_match_networkx(partitions: tuple[np.ndarray, np.ndarray]) -> None:
    communities = partitions[0]
    graph = nx.gnm_random_graph(200, 900, seed=1)
    generator = np.random.default_rng(0)
    for _, _, edge in graph.edges(data=True):
        edge["weight"] = float(np.float32(generator.lognormal()))
    parts = {k: set(np.flatnonzero(communities == k).tolist()) for k in np.unique(communities).tolist()}
    for weighted, weight in ((None, "weight"), (True, "weight"), (False, None)):
        expected = {k: nx.conductance(graph, part, weight=weight) for k, part in parts.items()}
        assert metrics.conductance(graph, communities, weighted=weighted) == pytest.approx(expected, abs=1e-12)
        modularity = nx.community.modularity(graph, parts.values(), weight=weight)
        assert metrics.modularity(graph, communities, weighted=weighted) == pytest.approx(modularity, abs=1e-12)
        assert metrics.score(graph, communities, weighted=weighted).weighted is (weight is not None)


def test_precision_counts_nodes_whose_community_matches_their_class() -> None:
    communities, classes = [1, 1, 0, 0, 0], ["a", "a", "a", "b", "b"]
    assert metrics.precision_at_1(communities, classes) == 0.8
    assert metrics.precision_at_1(communities, classes, by_size=True) == 0.2


def test_folds_partition_the_nodes_and_are_stratified_like_scikit_learn() -> None:
    graph = hycome.datasets.load("football")
    labels = np.array(graph.labels)
    ours = metrics.folds(labels, 5)
    assert sorted(np.concatenate(ours).tolist()) == list(range(115))
    theirs = [test for _, test in StratifiedKFold(5, shuffle=True, random_state=1).split(labels, labels)]

    def counts(folds: list[np.ndarray]) -> list[list[int]]:
        return [sorted(int((labels[fold] == label).sum()) for fold in folds) for label in np.unique(labels)]

    assert counts(ours) == counts(theirs)


@pytest.mark.parametrize(
    ("method", "estimator"), [("logistic", HyperbolicLogisticRegression()), ("nearest-centroid", NearestBarycenter())]
)
def test_cross_validation_matches_scikit_learn_on_the_same_folds(
    method: metrics.Method, estimator: object, karate: hycome.Run
) -> None:
    labels = np.array(karate.graph.labels)
    folds = metrics.folds(labels, 5, seed=3)
    of_node = np.empty(len(labels), int)
    for number, fold in enumerate(folds):
        of_node[fold] = number
    splits = PredefinedSplit(of_node)
    theirs = cross_val_score(estimator, karate.embedding, labels, cv=splits)
    ours = metrics.cross_validate(karate.embedding, labels, method=method, runs=1, seed=3)
    assert ours.precision_at_1 == pytest.approx((theirs.mean(), theirs.std(ddof=1)))
    f1 = []
    for train, test in splits.split():
        fitted = estimator.fit(karate.embedding[train], labels[train])  # type: ignore[attr-defined]
        found = fitted.predict(karate.embedding[test])
        assert accuracy_score(labels[test], found) in theirs
        f1.append(f1_score(labels[test], found, average="macro"))
    assert ours.macro_f1[0] == pytest.approx(np.mean(f1))


def test_multi_label_validation_has_precision_at_three_and_five() -> None:
    generator = np.random.default_rng(1)
    points = generator.uniform(-0.5, 0.5, (60, 2))
    labels = [set(generator.choice(list("abcdef"), 2, replace=False)) for _ in points]
    found = metrics.cross_validate(points, labels, method="knn", runs=1)
    assert found.precision_at_3 is not None and found.precision_at_5 is not None
    assert 0 < found.precision_at_5[0] < 1
    # Two classes of six per point: at most 2/5 of the five highest are right.
    assert found.precision_at_5[0] <= 0.4 and found.precision_at_3[0] <= 2 / 3
    single = metrics.cross_validate(points, [min(classes) for classes in labels], method="knn", runs=1)
    assert single.precision_at_3 is None and single.precision_at_5 is None


def test_cross_validation_has_the_settings_of_logistic_regression(karate: hycome.Run) -> None:
    labels = np.array(karate.graph.labels)
    classes = np.where(np.arange(len(labels)) % 3 == 0, "other", labels)

    def validate(**settings: Any) -> metrics.Validation:
        return metrics.cross_validate(karate.embedding, classes, runs=1, **settings)

    assert validate(multi_class="one-vs-rest") != validate()
    assert validate(restarts=3) == validate(restarts=3)
    with pytest.raises(ValueError, match="`multi_class` must be one of"):
        validate(multi_class="ovr")
    with pytest.raises(ValueError, match="`restarts` must be a whole number from 1 to 1000, but is 0"):
        validate(restarts=0)


def test_partitions_of_different_lengths_are_rejected() -> None:
    with pytest.raises(ValueError, match="must have the same nodes, but have 2 and 3"):
        metrics.adjusted_rand_index([0, 1], [0, 1, 2])
    with pytest.raises(ValueError, match="each node must have one community, but 2 has no"):
        metrics.modularity(nx.path_graph(3), {0: 1, 1: 1})
    with pytest.raises(ValueError, match="one entry for each of the 3 nodes, but has 2"):
        metrics.conductance(nx.path_graph(3), [0, 1])


def test_communities_are_ids_if_their_number_is_given() -> None:
    graph = nx.path_graph(4)
    assert metrics.score(graph, [0, 0, 2, 2], communities_count=4).sizes == [2, 0, 2, 0]
    # By name, and so unlike by position.
    shuffled = pd.Series([2, 0, 0, 2], index=[3, 0, 1, 2])
    for communities in (shuffled, shuffled.to_dict(), np.array([[0], [0], [2], [2]])):
        assert metrics.score(graph, communities, communities_count=3).conductance == pytest.approx(1 / 3)
    for communities, found in [
        ([0, 0, 1, 3], "3"),
        ([0, 0, 1, -1], "-1"),
        ([0.0, 0.5, 1.0, 1.0], "0.0"),
        (["a", "a", "b", "b"], "'a'"),
        ([True, True, False, False], "False"),
    ]:
        with pytest.raises(ValueError, match=rf"ids from 0 to 2 with `communities_count`, but one is {found}$"):
            metrics.score(graph, communities, communities_count=3)
    with pytest.raises(ValueError, match="one entry for each of the 4 nodes, but has 3"):
        metrics.score(graph, [0, 1, 2], communities_count=3)
    with pytest.raises(TypeError, match="`communities_count` must be a whole number, but is '3'"):
        metrics.score(graph, [0, 1, 2, 2], communities_count="3")  # type: ignore[arg-type]
