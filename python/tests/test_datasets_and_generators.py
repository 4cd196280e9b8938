"""Public graphs by name, and graphs made to measure."""

from __future__ import annotations

import hashlib
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import hycome
from hycome import datasets, generate


def test_every_built_in_graph_has_the_counts_that_are_stated() -> None:
    assert datasets.names()[:4] == ["karate", "books", "football", "polblogs"]
    for name in datasets.names()[:4]:
        graph, known = datasets.load(name), datasets.info(name)
        assert (graph.node_count, graph.edge_count, graph.class_count) == (known.nodes, known.edges, known.communities)
        assert known.citation


def test_an_unknown_name_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"karate, books.*did you mean 'karate'\?"):
        datasets.load("karat")


def test_a_graph_whose_files_are_absent_says_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYCOME_DATA", str(tmp_path))
    assert datasets.folder() == tmp_path
    for load in (datasets.load, hycome.embed):
        with pytest.raises(FileNotFoundError, match=r"hycome.datasets.fetch\('dblp'\) downloads them.*dblp/Dblp.mat"):
            load("dblp")


def test_a_download_is_taken_if_its_checksum_is_the_published_one(data: Path, tmp_path: Path) -> None:
    graph = datasets.fetch("dblp", data=tmp_path, source=data.as_uri())
    assert (graph.node_count, graph.class_count) == (13_184, 5)
    place, _, sha256 = datasets.info("dblp").files[0]
    assert hashlib.sha256((tmp_path / place).read_bytes()).hexdigest() == sha256


def test_a_download_of_something_else_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    fake = tmp_path / "fake" / "dblp"
    fake.mkdir(parents=True)
    (fake / "Dblp.mat").write_bytes(b"something else")
    with pytest.raises(OSError, match=r"SHA-256 is .* not the published"):
        datasets.fetch("dblp", data=tmp_path / "data", source=fake.parent.as_uri())
    assert list((tmp_path / "data").rglob("*.mat*")) == []


@pytest.mark.parametrize("name", ["wikipedia", "blogcatalog"])
def test_published_graphs_have_the_counts_that_are_stated(data: Path, name: str) -> None:
    graph, known = datasets.load(name, data=data), datasets.info(name)
    assert (graph.node_count, graph.edge_count) == (known.nodes, known.edges)
    assert isinstance(graph.labels[0], tuple) == known.multi_label


def test_an_lfr_graph_has_the_mixing_that_was_asked_for() -> None:
    made = generate.lfr(500, mixing=0.2, seed=3)
    graph = made.graph.to_networkx()
    outside = np.mean([made.communities[u] != made.communities[v] for u, v in graph.edges()])
    assert outside == pytest.approx(0.2, abs=0.05)
    assert np.mean([degree for _, degree in graph.degree()]) == pytest.approx(15, rel=0.15)


def test_a_block_model_has_the_densities_that_were_asked_for() -> None:
    made = generate.sbm([100, 200], 0.2, 0.02, seed=1)
    same = made.communities[:, None] == made.communities
    adjacency = made.graph.to_scipy().toarray() > 0
    pairs = np.triu(np.ones_like(adjacency), 1)
    assert adjacency[same & pairs].mean() == pytest.approx(0.2, abs=0.02)
    assert adjacency[~same & pairs].mean() == pytest.approx(0.02, abs=0.005)


def test_near_points_are_joined_more_often() -> None:
    made = generate.hyperbolic(300, communities=3, seed=2)
    distances = hycome.manifold.pairwise_distance(made.points)
    joined = made.graph.to_scipy().toarray() > 0
    assert distances[joined].mean() < 0.6 * distances.mean()
    assert made.mixture.responsibilities(made.points).shape == (300, 3)


def test_a_power_law_has_hubs_and_no_communities() -> None:
    made = generate.power_law(2000, seed=1)
    assert made.communities is None
    assert made.graph.degrees().max() > 5 * made.graph.degrees().mean()


def test_the_same_seed_makes_the_same_graph() -> None:
    graphs = [generate.lfr(300, seed=seed).graph.edges() for seed in (1, 1, 2)]
    np.testing.assert_array_equal(graphs[0], graphs[1])
    assert graphs[0].shape != graphs[2].shape or not np.array_equal(graphs[0], graphs[2])


def test_what_was_made_can_be_trained_and_its_communities_are_found() -> None:
    made = generate.sbm([40, 40, 40], 0.4, 0.01)
    run = hycome.embed(made, walks=2, restarts=1, progress=False)
    assert run.metrics().nmi > 0.9


def test_settings_that_contradict_each_other_are_refused_in_the_words_of_the_library() -> None:
    with pytest.raises(ValueError, match="`mixing` must be"):
        generate.lfr(mixing=2.0)
    with pytest.raises(ValueError, match="`p_in` must be"):
        generate.sbm([10, 10], 1.5, 0.1)


def test_points_drawn_from_a_mixture_have_its_spread() -> None:
    mixture = hycome.Mixture(np.array([0.5, 0.5]), np.array([[0.5, 0.0], [-0.5, 0.0]]), np.array([0.3, 0.6]))
    points, components = mixture.sample(4000, seed=1)
    for k in range(2):
        squares = hycome.manifold.distance(points[components == k], mixture.means[k]) ** 2
        # The mean of 2000 squares of a two-dimensional Gaussian has a relative deviation of about 1/√2000.
        assert squares.mean() == pytest.approx(hycome.manifold.mean_squared_distance(mixture.scales[k], 2), rel=0.12)


def test_networkx_sees_the_same_components() -> None:
    made = generate.power_law(500, average_degree=2.0, seed=5).graph
    largest = max(nx.connected_components(made.to_networkx()), key=len)
    assert made.largest_component().node_count == len(largest)
