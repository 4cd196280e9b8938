"""scikit-learn estimators.

scikit-learn's estimator checks draw arbitrary features. With ``coordinates="tangent"`` every check passes. With
``coordinates="ball"`` points outside the unit ball are an error, so the checks in ``OUTSIDE`` and ``OTHER_MESSAGE``
fail.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import joblib
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import cloud
from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import hycome
from hycome import manifold
from hycome.estimators import (
    CommunityEmbedding,
    HyperbolicLogisticRegression,
    HyperbolicSVC,
    NearestBarycenter,
    PoincareGaussianMixture,
    PoincareKMeans,
)

#: Training of a few milliseconds on a nearest-neighbour graph.
ROWS = CommunityEmbedding(communities=2, affinity="nearest_neighbors", restarts=1, walks=1, epochs=1, warmup_epochs=1)

#: Checks that fail with our error because they draw points outside the ball.
OUTSIDE = """
check_classifier_data_not_an_array check_classifiers_classes check_classifiers_train check_clustering
check_decision_proba_consistency check_dict_unchanged check_dont_overwrite_parameters check_dtype_object
check_estimators_dtypes check_estimators_fit_returns_self check_estimators_nan_inf check_estimators_overwrite_params
check_estimators_pickle check_f_contiguous_array_estimator check_fit2d_predict1d check_fit_check_is_fitted
check_fit_idempotent check_fit_score_takes_y check_methods_sample_order_invariance check_methods_subset_invariance
check_n_features_in check_n_features_in_after_fitting check_pipeline_consistency check_readonly_memmap_input
check_supervised_y_2d check_transformer_data_not_an_array check_transformer_general check_transformer_n_iter
check_transformer_preserve_dtypes
"""

#: Checks that fail for the same reason but with their own message, because they expect another error or none.
OTHER_MESSAGE = """
check_classifiers_one_label check_fit2d_1feature check_fit2d_1sample check_positive_only_tag_during_fit
"""

EXPECTED = set(OUTSIDE.split()) | set(OTHER_MESSAGE.split())


def on_points(coordinates: Any) -> list[Any]:
    return [
        PoincareKMeans(n_clusters=3, coordinates=coordinates),
        PoincareGaussianMixture(n_components=2, coordinates=coordinates),
        HyperbolicLogisticRegression(coordinates=coordinates),
        HyperbolicSVC(coordinates=coordinates),
        NearestBarycenter(coordinates=coordinates),
    ]


@pytest.mark.filterwarnings("ignore:.*tangent vectors lead so far out:RuntimeWarning")
@parametrize_with_checks([*on_points("tangent"), ROWS])
def test_estimator_checks_pass(estimator: Any, check: Any) -> None:
    check(estimator)


def test_only_the_listed_checks_fail_on_points_of_the_ball() -> None:
    failed = set()
    for estimator in on_points("ball"):
        for result in check_estimator(estimator, on_fail=None, on_skip=None):
            if result["status"] == "failed":
                failed.add(result["check_name"])
                if result["check_name"] in OUTSIDE.split():
                    assert "points must be inside the unit ball" in str(result["exception"])
    assert failed == EXPECTED


def test_guide_lists_the_failing_checks() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
    listed = {word.strip("`.,;") for word in page.split() if word.startswith("`check_")}
    assert {name for name in listed if name != "check_estimator"} == EXPECTED


@pytest.fixture(scope="module")
def football() -> tuple[np.ndarray, np.ndarray]:
    run = hycome.embed("football", dim=5, restarts=2, walks=2, progress=False)
    return run.embedding, np.array(run.graph.labels)


CLASSIFIERS = [HyperbolicLogisticRegression(), HyperbolicSVC(), NearestBarycenter()]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda classifier: type(classifier).__name__)
def test_classifiers_predict_held_out_nodes(classifier: Any, football: tuple[np.ndarray, np.ndarray]) -> None:
    assert cross_val_score(classifier, *football, cv=3).mean() > 0.7


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda classifier: type(classifier).__name__)
def test_classifiers_support_clone_pickle_and_joblib(
    classifier: Any, football: tuple[np.ndarray, np.ndarray], tmp_path: Path
) -> None:
    points, labels = football
    fitted = clone(classifier).fit(points, labels)
    expected = fitted.predict_proba(points)
    np.testing.assert_allclose(expected.sum(axis=1), 1)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(points), expected)
    joblib.dump(fitted, tmp_path / "classifier")
    np.testing.assert_array_equal(joblib.load(tmp_path / "classifier").predict_proba(points), expected)
    np.testing.assert_array_equal(clone(fitted).fit(points, labels).predict_proba(points), expected)
    with pytest.raises(NotFittedError):
        clone(fitted).predict(points)


def test_nearest_barycenter_predicts_the_nearest_mean(football: tuple[np.ndarray, np.ndarray]) -> None:
    points, labels = football
    fitted = NearestBarycenter().fit(points, labels)
    expected = np.array([manifold.barycenter(points[labels == label]) for label in np.unique(labels)])
    np.testing.assert_allclose(fitted.barycenters_, expected, atol=1e-10)
    nearest = manifold.pairwise_distance(points, expected).argmin(axis=1)
    np.testing.assert_array_equal(fitted.predict(points), np.unique(labels)[nearest])


def test_kmeans_near_the_origin_matches_scikit_learn() -> None:
    # Near the origin the metric is Euclidean up to a factor of two.
    generator = np.random.default_rng(1)
    centers = 1e-4 * np.array([[0, 0], [1, 0], [0, 1]])
    points = np.concatenate([center + 1e-5 * generator.normal(size=(50, 2)) for center in centers])
    ours = PoincareKMeans(3, n_init=10).fit(points)
    theirs = KMeans(3, n_init=10, random_state=1).fit(points)
    assert hycome.metrics.adjusted_rand_index(ours.labels_, theirs.labels_) == 1
    assert ours.inertia_ == pytest.approx(4 * theirs.inertia_, rel=1e-6)
    order = manifold.pairwise_distance(theirs.cluster_centers_, ours.cluster_centers_).argmin(axis=1)
    np.testing.assert_allclose(ours.cluster_centers_[order], theirs.cluster_centers_, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(points), ours.labels_)
    assert ours.score(points) == pytest.approx(-ours.inertia_)
    assert list(ours.get_feature_names_out()) == ["poincarekmeans0", "poincarekmeans1", "poincarekmeans2"]


def test_mixture_recovers_its_parameters() -> None:
    true = hycome.Mixture(np.array([0.3, 0.7]), np.array([[0.6, 0.0], [-0.5, 0.2]]), np.array([0.3, 0.5]))
    points, components = true.sample(2000, seed=4)
    fitted = PoincareGaussianMixture(2).fit(points)
    assert hycome.metrics.normalized_mutual_information(fitted.predict(points), components) > 0.9
    order = manifold.pairwise_distance(true.means, fitted.means_).argmin(axis=1)
    np.testing.assert_allclose(fitted.scales_[order], true.scales, rtol=0.1)
    np.testing.assert_allclose(fitted.weights_[order], true.weights, atol=0.05)
    assert fitted.score(points) == pytest.approx(fitted.lower_bound_)
    assert fitted.score(points) >= true.log_density(points).mean()
    by_criterion = [PoincareGaussianMixture(k).fit(points).bic(points) for k in (1, 2, 3)]
    assert int(np.argmin(by_criterion)) == 1
    again, _ = fitted.sample(10)
    assert again.shape == (10, 2)


def test_density_of_a_mixture_integrates_to_one() -> None:
    mixture = hycome.Mixture(np.array([0.4, 0.6]), np.array([[0.3, 0.1], [-0.2, 0.0]]), np.array([0.4, 0.6]))
    radii = (np.arange(600) + 0.5) / 600 * 8
    angles = (np.arange(240) + 0.5) / 240 * 2 * np.pi
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    points = np.tanh(radii / 2)[:, None, None] * circle
    density = np.exp(mixture.log_density(points.reshape(-1, 2))).reshape(600, 240)
    volume = np.sinh(radii)[:, None] * (8 / 600) * (2 * np.pi / 240)
    assert (density * volume).sum() == pytest.approx(1, abs=1e-4)


def test_error_for_points_outside_the_ball_suggests_tangent_coordinates() -> None:
    with pytest.raises(ValueError, match="row 1 is not; rows of any numbers are taken with coordinates='tangent'"):
        PoincareKMeans(1).fit([[0.0, 0.5], [2.0, 0.0]])
    with pytest.raises(ValueError, match="`coordinates` must be 'ball' or 'tangent', but is 'flat'"):
        PoincareKMeans(1, coordinates="flat").fit([[0.0, 0.5]])  # type: ignore[arg-type]
    with pytest.warns(RuntimeWarning, match="1 tangent vectors lead so far out"):
        PoincareKMeans(1, coordinates="tangent").fit([[0.0, 0.5], [200.0, 0.0]])


def test_tangent_vectors_are_mapped_by_the_exponential_map() -> None:
    points = cloud(60, 3, radius=0.95)
    tangent = manifold.log(np.zeros(3), points)
    labels = (points[:, 0] > 0).astype(int)
    on_ball = HyperbolicLogisticRegression().fit(points, labels)
    on_tangent = HyperbolicLogisticRegression(coordinates="tangent").fit(tangent, labels)
    np.testing.assert_allclose(on_tangent.predict_proba(tangent), on_ball.predict_proba(points), atol=1e-6)


def test_grid_search_works_in_parallel() -> None:
    points, labels = cloud(80, 2), (cloud(80, 2)[:, 0] > 0).astype(int)
    grid = GridSearchCV(HyperbolicSVC(), {"regularization": [0.01, 0.1, 1.0]}, cv=3).fit(points, labels)
    assert grid.best_score_ > 0.9
    parallel = GridSearchCV(HyperbolicSVC(), {"regularization": [0.01, 0.1, 1.0]}, cv=3, n_jobs=2).fit(points, labels)
    assert parallel.best_params_ == grid.best_params_
    get_reusable_executor().shutdown()  # its processes would outlive the tests by minutes


def test_pipeline_classifies_nodes() -> None:
    graph = hycome.datasets.load("karate")
    nodes, labels = np.asarray(graph.nodes), np.array(graph.labels)
    embedding = CommunityEmbedding(communities=2, graph=graph, restarts=2, walks=2)
    pipeline = make_pipeline(embedding, HyperbolicLogisticRegression())
    assert cross_val_score(pipeline, nodes, labels, cv=3).mean() > 0.85
    grid = {"communityembedding__dim": [2, 4], "hyperboliclogisticregression__regularization": [0.1, 1.0]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(nodes, labels)
    assert search.best_score_ > 0.8
    assert search.predict(nodes[:3]).shape == (3,)
    flat = make_pipeline(embedding, LogisticRegression())
    assert flat.fit(nodes[:, None], labels).score(nodes[:, None], labels) > 0.9


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Settings of each call of `train` in the test."""
    from hycome import _cache, _hycome

    _cache.clear()
    counted: list[str] = []
    train = _hycome.train

    def counting(graph: Any, names: Any, settings: str, *rest: Any) -> Any:
        counted.append(settings)
        return train(graph, names, settings, *rest)

    monkeypatch.setattr(_hycome, "train", counting)
    return counted


def test_grid_search_trains_each_embedding_once(trainings: list[str]) -> None:
    graph = hycome.datasets.load("karate")
    nodes, labels = np.asarray(graph.nodes), np.array(graph.labels)
    embedding = CommunityEmbedding(graph=graph, restarts=1, walks=1)
    pipeline = make_pipeline(embedding, HyperbolicLogisticRegression())
    grid = {"hyperboliclogisticregression__regularization": [0.01, 0.1, 1.0, 10.0]}
    GridSearchCV(pipeline, grid, cv=5).fit(nodes, labels)
    assert len(trainings) == 1
    CommunityEmbedding(graph=graph.to_networkx(), communities=2, restarts=1, walks=1).fit(nodes)
    assert len(trainings) == 1, "the same edges, and as many communities as classes"
    for other in (
        {"seed": 2},
        {"cache": False},
        {"seed": None},
        {"seed": None},
        {"graph": nx.path_graph(5), "communities": 2},
    ):
        clone(embedding).set_params(**other).fit(nodes)
    assert len(trainings) == 6


def test_cached_run_has_the_node_names_of_its_graph(trainings: list[str]) -> None:
    numbers = nx.path_graph(6)
    letters = nx.relabel_nodes(numbers, dict(enumerate("abcdef")))
    first, second = (CommunityEmbedding(2, graph=graph, restarts=1, walks=1).fit() for graph in (numbers, letters))
    assert len(trainings) == 1
    np.testing.assert_array_equal(first.transform([5, 0]), second.transform(["f", "a"]))
    assert (list(first.run_.nodes), list(second.run_.nodes)) == (list(numbers), list(letters))


def test_clone_shares_the_graph() -> None:
    for graph in (nx.path_graph(4), hycome.as_graph(nx.path_graph(4))):
        embedding = CommunityEmbedding(2, graph=graph).set_output(transform="pandas")
        assert clone(embedding).graph is graph
        assert clone(embedding).get_params() == embedding.get_params()
        assert clone(embedding)._sklearn_output_config == embedding._sklearn_output_config


def test_embedding_supports_set_output() -> None:
    nodes = pd.DataFrame({"n": ["c", "a"]}, index=["x", "y"])
    graph = [("a", "b"), ("b", "c"), ("c", "a")]
    pipeline = make_pipeline(CommunityEmbedding(2, dim=2, graph=graph, restarts=1, walks=1))
    pipeline.set_output(transform="pandas")
    frame = pipeline.fit_transform(nodes)
    assert (list(frame.index), list(frame.columns)) == (["x", "y"], ["communityembedding0", "communityembedding1"])
    plain = CommunityEmbedding(2, dim=2, graph=graph, restarts=1, walks=1).fit(nodes)
    np.testing.assert_array_equal(frame, plain.transform([["c"], ["a"]]))
    for other in (pl.DataFrame({"n": ["c", "a"]}), pl.LazyFrame({"n": ["c", "a"]}), pa.table({"n": ["c", "a"]})):
        np.testing.assert_array_equal(frame, plain.transform(other))
    for odd in (None, "ac", {"a": 1}, 3):
        with pytest.raises(TypeError, match="`X` must be a sequence of nodes"):
            plain.transform(odd)
    with pytest.raises(ValueError, match="`X` must name a node in each row, but has 2 columns"):
        plain.transform([["a", "b"]])
    edges = pd.DataFrame(graph, columns=["source", "target"])
    whole = (
        CommunityEmbedding(2, restarts=1, walks=1).set_output(transform="pandas").fit_transform(pd.concat([edges] * 1))
    )
    assert list(whole.index) == ["a", "b", "c"]


def test_embedding_accepts_any_graph_and_supports_clone_and_pickle() -> None:
    graph = nx.karate_club_graph()
    embedding = CommunityEmbedding(2, dim=4, restarts=2, walks=2, seed=5)
    points = embedding.fit_transform(graph)
    assert points.shape == (34, 4)
    run = hycome.embed(graph, 2, dim=4, restarts=2, walks=2, seed=5, progress=False)
    np.testing.assert_array_equal(points, run.embedding)
    np.testing.assert_array_equal(clone(embedding).fit_predict(graph), embedding.labels_)
    again = pickle.loads(pickle.dumps(embedding))
    np.testing.assert_array_equal(again.embedding_, points)
    assert not hasattr(embedding, "transform")
    assert list(embedding.get_feature_names_out()) == [f"communityembedding{i}" for i in range(4)]
    assert embedding.mixture_.means.shape == (2, 4)


def test_embedding_rejects_nodes_of_other_graphs() -> None:
    embedding = CommunityEmbedding(2, graph=[("a", "b"), ("b", "c"), ("c", "a")], walks=1)
    with pytest.raises(NotFittedError):
        embedding.transform(["a"])
    embedding.fit(["a", "b"])
    assert embedding.transform(["b", "a"]).shape == (2, 32)
    assert embedding.predict_proba(["c"]).shape == (1, 2)
    with pytest.raises(ValueError, match="'d' is not a node of the graph"):
        embedding.predict(["d"])


def test_plot_shows_decision_regions(karate_disc: hycome.Run, tmp_path: Path) -> None:
    classifier = HyperbolicLogisticRegression().fit(karate_disc.embedding, karate_disc.graph.labels)
    karate_disc.plot(tmp_path / "regions.svg", classifier=classifier, color="prediction")
    assert (tmp_path / "regions.svg").stat().st_size > 10_000


def test_one_vs_rest_probabilities_differ_and_restarts_are_deterministic(karate: hycome.Run) -> None:
    labels = [f"{label} {node % 2}" for node, label in enumerate(karate.graph.labels)]

    def probabilities(**settings: Any) -> np.ndarray:
        return (
            hycome.HyperbolicLogisticRegression(**settings)
            .fit(karate.embedding, labels)
            .predict_proba(karate.embedding)
        )

    one_vs_rest = probabilities(multi_class="one-vs-rest", restarts=4)
    np.testing.assert_allclose(one_vs_rest.sum(axis=1), 1)
    assert not np.allclose(one_vs_rest, probabilities(), atol=1e-3)
    np.testing.assert_array_equal(one_vs_rest, probabilities(multi_class="one-vs-rest", restarts=4))
