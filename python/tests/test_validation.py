"""Validation of arguments: errors name the parameter, what was expected and what was found."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, cloud

import hycome
from hycome import generate, manifold, metrics
from hycome.estimators import HyperbolicSVC, PoincareGaussianMixture, PoincareKMeans


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"learning_rate": float("nan")}, ValueError, "`learning_rate` must be finite, but is nan"),
        ({"beta": "1"}, TypeError, "`beta` must be a number, but is '1', a str"),
        ({"communities": 2.0}, TypeError, "`communities` must be a whole number, but is 2.0, a float; write 2"),
        ({"communities": 2.5}, TypeError, "`communities` must be a whole number, but is 2.5, a float$"),
        ({"communities": True}, TypeError, "`communities` must be a whole number"),
        ({"walks": -1}, ValueError, "`walks` must be a whole number from 0"),
        ({"seed": -1}, ValueError, "`seed` must be a whole number from 0"),
        ({"seed": 2**64}, ValueError, "`seed` must be a whole number from 0"),
        (
            {"seed": "one"},
            TypeError,
            "`seed` must be a whole number, None, or a generator of numpy.random, but is 'one'",
        ),
        ({"negative_sharing": 3}, ValueError, "`negative_sharing` must be one of 'none', 'center', but is 3"),
        ({"checkpoint_minutes": "x"}, TypeError, "`checkpoint_minutes` must be a number"),
        ({"progress": 3}, TypeError, "`progress` must be True or False"),
        ({"largest_component": "no"}, TypeError, "`largest_component` must be True or False"),
        ({"unweighted": "no"}, TypeError, "`unweighted` must be True or False"),
        ({"communities": None, "labels": [None] * 4}, ValueError, "`communities` must be given"),
        ({"labels": 3}, ValueError, "`labels` must have one entry for each of the 4 nodes, but is 3"),
        ({"threads": 2.0}, TypeError, "`threads` must be a whole number, but is 2.0"),
        ({"kind": "matrix"}, ValueError, "`kind` must be one of 'edges', 'adjacency', 'edge_index' or None"),
    ],
)
def test_settings(settings: dict[str, Any], error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        hycome.embed(nx.path_graph(4), **{"communities": 2, **settings})


def test_settings_of_generators_and_estimators() -> None:
    with pytest.raises(TypeError, match=r"`nodes` must be a whole number, but is 10\.0, a float; write 10"):
        generate.lfr(10.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`seed` must be a whole number from 0"):
        generate.sbm([5, 5], 0.5, 0.5, seed=-1)
    points = cloud(10, 2)
    with pytest.raises(ValueError, match="n_clusters == 0, must be >= 1"):
        PoincareKMeans(0).fit(points)
    with pytest.raises(ValueError, match="n_components == 0, must be >= 1"):
        PoincareGaussianMixture(0).fit(points)
    with pytest.raises(ValueError, match="n_clusters == 99, must be <= the number of points, 10"):
        PoincareKMeans(99).fit(points)
    with pytest.raises(ValueError, match="n_components == 99, must be <= the number of points, 10"):
        PoincareGaussianMixture(99).fit(points)
    with pytest.raises(ValueError, match="`tol` must be finite"):
        PoincareGaussianMixture(2, tol=float("nan")).fit(points)
    with pytest.raises(TypeError, match="`regularization` must be a number, but is 'x'"):
        HyperbolicSVC(regularization="x").fit(points, [0, 1] * 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`random_state` must be a whole number from 0"):
        PoincareKMeans(2, random_state=-1).fit(points)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda run: metrics.cross_validate(run.embedding, [0] * 34, folds=2.0),
            TypeError,
            "`folds` must be a whole number",
        ),
        (
            lambda run: metrics.cross_validate(run.embedding, [0] * 34, runs=-1),
            ValueError,
            "`runs` must be a whole number",
        ),
        (
            lambda run: metrics.cross_validate(run.embedding, [0] * 34, method="x"),
            ValueError,
            "`method` must be one of",
        ),
        (lambda run: metrics.folds([0, 1], -1), ValueError, "`count` must be a whole number from 2"),
        (lambda run: metrics.folds([0, 1], 2, run=-1), ValueError, "`run` must be a whole number from 0"),
        (lambda run: metrics.adjusted_rand_index({0, 1}, [0, 1]), TypeError, "found {0, 1}, a set"),
        (lambda run: metrics.adjusted_rand_index("ab", "ab"), TypeError, "found 'ab', a str"),
        (lambda run: manifold.log_zeta(1.0, -1), ValueError, "`dim` must be a whole number from 1"),
        (lambda run: manifold.log_zeta(1.0, 2.0), TypeError, "`dim` must be a whole number"),
        (lambda run: manifold.barycenter(np.zeros((2, 2)), [1, 2, 3]), ValueError, "`weights` must have the shape"),
        (lambda run: manifold.barycenter(np.zeros((0, 2))), ValueError, "a barycenter needs a point"),
        (lambda run: generate.sbm(5, 0.5, 0.5), TypeError, "`sizes` must be a sequence"),
        (lambda run: generate.sbm([], 0.5, 0.5), ValueError, "`sizes` must add up to two"),
        (lambda run: generate.sbm([5], "x", 0.5), TypeError, "`p_in` must be a number"),
        (lambda run: run.mixture.responsibilities(np.zeros((1, 3))), ValueError, "points must have 32 coordinates"),
        (lambda run: run.plot(edges=-1), ValueError, "`edges` must be a whole number from 0"),
        (lambda run: run.plot(classifier=HyperbolicSVC()), TypeError, "`classifier` must be a fitted classifier"),
        (lambda run: run.plot().to_figure(size=100), TypeError, "`size` must be a width and a height"),
        (lambda run: run.plot().to_figure("png", scale=-1), ValueError, "`scale` must be above zero"),
    ],
)
def test_arguments_of_functions(call: Callable[[hycome.Run], Any], error: type, words: str, karate: hycome.Run) -> None:
    with pytest.raises(error, match=words):
        call(karate)


def test_iterators_are_sequences() -> None:
    assert metrics.adjusted_rand_index(iter([0, 0, 1]), iter("aab")) == 1.0
    assert [len(fold) for fold in metrics.folds(iter([0, 1, 0, 1]), 2)] == [2, 2]


@pytest.mark.parametrize("seed", [None, np.random.default_rng(3), np.random.RandomState(3)])
def test_drawn_seed_is_stored_and_reproduces_the_run(seed: Any) -> None:
    run = hycome.embed("karate", seed=seed, **QUICK)
    again = hycome.embed("karate", seed=run.config["seed"], **QUICK)
    np.testing.assert_array_equal(again.embedding, run.embedding)
    assert hycome.embed("karate", seed=seed, **QUICK).config["seed"] != run.config["seed"]


def test_generators_draw_the_same_seed_from_the_same_state() -> None:
    drawn = [hycome.embed("karate", seed=np.random.default_rng(7), **QUICK).config["seed"] for _ in range(2)]
    assert drawn[0] == drawn[1]
    made = generate.sbm([10, 10], 0.5, 0.1, seed=None)
    np.testing.assert_array_equal(generate.sbm([10, 10], 0.5, 0.1, seed=made.seed).graph.edges(), made.graph.edges())


NAMED_TWICE = igraph.Graph([(0, 1), (1, 2), (2, 3)], vertex_attrs={"name": ["a", "a", "b", "c"]})
MASKED = np.ma.masked_equal([[0, 1], [1, 2], [2, 3], [3, 0]], 3)
MISSING = pd.DataFrame({"source": pd.array(["a", pd.NA], dtype="string"), "target": ["b", "c"]})


@pytest.mark.parametrize(
    ("graph", "error", "words"),
    [
        pytest.param(pd.Series([(0, 1)]), TypeError, "found Series; give a frame", id="series"),
        pytest.param(["ab", "cd"], ValueError, "a list of edges holds pairs", id="texts"),
        pytest.param(NAMED_TWICE, ValueError, "two vertices are called 'a'", id="same-names"),
        pytest.param(
            nx.Graph([(float("nan"), 1)]), ValueError, "nodes must have names, but one of the graph is nan", id="nan"
        ),
        pytest.param(np.array([[1e300, 1.0]] * 4), ValueError, r"the float 1e\+300 is no name", id="large-float"),
        pytest.param(np.array([[np.inf, 1.0]] * 4), ValueError, "the float inf is no name", id="infinite"),
        pytest.param(np.array([[np.nan, 1.0]] * 4), ValueError, "edge 0 has no source", id="nan-in-array"),
        pytest.param(MASKED, ValueError, "`graph` must have no masked entries, but has 2", id="masked"),
        pytest.param(MISSING, ValueError, "edge 1 has no source", id="missing-text"),
        pytest.param([("a", "b", None)], ValueError, "that of edge 0 is missing", id="missing-weight"),
        pytest.param(
            [("a", "b", 1e300)], ValueError, r"at most 3\.4e\+38, but that of edge 0 is 1e\+300", id="large-weight"
        ),
        pytest.param(list(MASKED), ValueError, "edge 3 has no source", id="masked-rows"),
        pytest.param(nx.path_graph(4).nodes, TypeError, "found NodeView", id="nodes-of-networkx"),
        pytest.param(nx.path_graph(4).adj, TypeError, "found AdjacencyView", id="adjacency-of-networkx"),
        pytest.param(
            nx.MultiGraph([(0, 1)]).edges(keys=True, data=True), ValueError, "give the graph itself", id="keys"
        ),
    ],
)
def test_graphs(graph: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        hycome.as_graph(graph)


def test_networkx_edge_views_are_accepted() -> None:
    graph = nx.Graph([("a", "b", {"weight": 2.0}), ("b", "c"), ("c", "a", {"weight": 3.0})])
    for edges in (
        graph.edges,
        graph.edges(data=True),
        graph.edges(data="weight", default=1),
        list(graph.edges(data=True)),
    ):
        found = hycome.as_graph(edges)
        assert (sorted(found.nodes), sorted(found.weights().tolist())) == (["a", "b", "c"], [1.0, 2.0, 3.0])
    assert hycome.as_graph(nx.MultiGraph(graph).edges).edge_count == 3
    assert hycome.as_graph(np.matrix([[0, 1], [1, 2], [2, 3], [3, 0]])).edge_count == 4


def test_masked_points_are_rejected() -> None:
    points = np.ma.masked_greater(cloud(5, 2), 0.0)
    weights = np.ma.masked_equal([1.0, 2.0], 2.0)
    for function in (
        lambda: PoincareKMeans(2).fit(points),
        lambda: HyperbolicSVC().fit(points, [0, 1, 0, 1, 0]),
        lambda: manifold.log_zeta(weights, 2),
        lambda: manifold.barycenter(np.zeros((2, 2)), weights),
        lambda: hycome.Mixture(weights, np.zeros((2, 2)), np.ones(2)).responsibilities([[0.0, 0.0]]),
    ):
        with pytest.raises(ValueError, match="must have no masked entries"):
            function()
    for function in (lambda: manifold.distance(points, [0.0, 0.0]), lambda: metrics.cross_validate(points, [0] * 5)):
        with pytest.raises(ValueError, match="`points` must have no masked entries"):
            function()


def test_error_for_an_unavailable_color_names_the_missing_argument() -> None:
    run = hycome.embed(nx.path_graph(6), 2, **QUICK)
    with pytest.raises(ValueError, match="`color` cannot be label, since no node has a label; pass `labels`"):
        run.plot().to_figure(color="label")
    with pytest.raises(ValueError, match="`color` must be one of community, but is degree"):
        run.plot().to_figure(color="degree")  # type: ignore[arg-type]


def test_arrays_of_an_unpickled_run_are_read_only() -> None:
    run = hycome.embed(nx.path_graph(6), 2, **QUICK)
    for each in (run, pickle.loads(pickle.dumps(run))):
        mixture = each.mixture
        arrays = [each.embedding, each.contexts, each.layout, each.communities, each.probabilities]
        for array in [*arrays, mixture.weights, mixture.means, mixture.scales]:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
    numbered = hycome.embed(np.array([[0, 1], [1, 2], [2, 3], [3, 0]]), 2, **QUICK)
    with pytest.raises(ValueError, match="read-only"):
        numbered.nodes[0] = 9


def test_lorentz_round_trip_near_the_boundary() -> None:
    angles = np.linspace(0, 6, 7)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for slack in (0.5, 1e-3, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 2e-16):
        points = (1 - slack) * directions
        back = manifold.from_lorentz(manifold.to_lorentz(points))
        np.testing.assert_allclose(back, points, rtol=0, atol=4e-15)
        assert (np.linalg.norm(back, axis=1) < 1).all()
    twice = 2 * manifold.to_lorentz(0.9 * directions)
    np.testing.assert_allclose(manifold.from_lorentz(twice), 0.9 * directions, atol=1e-14)
    for outside in ([1.0, 2.0], [-1.0, 0.0], [np.inf, 0.0], [np.nan, 0.0], [0.0, 0.0]):
        with pytest.raises(ValueError, match="time, the first coordinate"):
            manifold.from_lorentz(outside)


def test_metrics_pair_series_by_position(karate: hycome.Run) -> None:
    shuffled = pd.Series([0, 0, 1, 1], index=[0, 2, 1, 3])
    assert metrics.normalized_mutual_information(shuffled, [0, 0, 1, 1]) == 1.0
    assert metrics.adjusted_rand_index([0, 0, 1, 1], shuffled) == 1.0
    assert metrics.precision_at_1(shuffled, pd.Series(["a", "a", "b", "b"], index=list("wxyz"))) == 1.0
    found = karate.to_pandas()["community"]
    assert metrics.normalized_mutual_information(found, karate.communities) == 1.0
    assert metrics.normalized_mutual_information(found[::-1], karate.communities) < 1.0
    labels = pd.Series(karate.graph.labels, index=found.index)
    expected = metrics.cross_validate(karate.embedding, karate.graph.labels, runs=1)
    assert metrics.cross_validate(karate.embedding, labels, runs=1) == expected
    for ours, theirs in zip(metrics.folds(labels), metrics.folds(karate.graph.labels), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_mappings_are_matched_by_key() -> None:
    assert metrics.adjusted_rand_index({"a": 0, "b": 0, "c": 1}, {"c": "x", "b": "y", "a": "y"}) == 1.0
    with pytest.raises(ValueError, match="only one has 'c'"):
        metrics.adjusted_rand_index({"a": 0, "b": 0}, {"a": 0, "b": 0, "c": 0})
    with pytest.raises(ValueError, match="both be mappings"):
        metrics.adjusted_rand_index({0: 0, 1: 0}, [0, 1])


def test_score_by_size_is_not_part_of_the_repr(karate: hycome.Run) -> None:
    scores = karate.metrics()
    assert "by_size" not in repr(scores)
    assert "precision_at_1_by_size" in scores.to_dict()


def test_training_beyond_the_memory_limit_raises_before_it_starts() -> None:
    with pytest.raises(MemoryError, match=r"`max_memory` is 1\.0 kB"):
        hycome.embed("karate", max_memory="1K", **QUICK)
    with pytest.raises(MemoryError, match="this machine has"):
        hycome.embed(nx.path_graph(200_000), 200_000, dim=1024, **QUICK)
    for size in (10**12, "1000G", "1.5tb"):
        assert hycome.embed("karate", max_memory=size, **QUICK).embedding.shape == (34, 32)
    with pytest.raises(ValueError, match="`max_memory` must be a size such as '500M' or '2G', but is 'much'"):
        hycome.embed("karate", max_memory="much")
