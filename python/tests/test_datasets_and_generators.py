"""Public graphs and random graph generators."""

from __future__ import annotations

import hashlib
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import hycome
from hycome import datasets, generate


def test_built_in_graphs_have_the_published_counts() -> None:
    assert datasets.names()[:4] == ["karate", "books", "football", "polblogs"]
    for name in datasets.names()[:4]:
        graph, known = datasets.load(name), datasets.info(name)
        assert (graph.node_count, graph.edge_count, graph.class_count) == (known.nodes, known.edges, known.communities)
        assert known.citation


def test_error_for_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"karate, books.*did you mean 'karate'\?"):
        datasets.load("karat")


def test_error_for_missing_files_names_fetch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYCOME_DATA", str(tmp_path))
    assert datasets.folder() == tmp_path
    for load in (datasets.load, hycome.embed):
        with pytest.raises(FileNotFoundError, match=r"hycome.datasets.fetch\('dblp'\) downloads them.*dblp/Dblp.mat"):
            load("dblp")


def test_download_with_the_published_checksum_is_accepted(data: Path, tmp_path: Path) -> None:
    graph = datasets.fetch("dblp", data=tmp_path, source=data.as_uri())
    assert (graph.node_count, graph.class_count) == (13_184, 5)
    place, _, sha256 = datasets.info("dblp").files[0]
    assert hashlib.sha256((tmp_path / place).read_bytes()).hexdigest() == sha256


def test_download_with_another_checksum_is_rejected_and_removed(tmp_path: Path) -> None:
    fake = tmp_path / "fake" / "dblp"
    fake.mkdir(parents=True)
    (fake / "Dblp.mat").write_bytes(b"something else")
    with pytest.raises(OSError, match=r"SHA-256 is .* not the published"):
        datasets.fetch("dblp", data=tmp_path / "data", source=fake.parent.as_uri())
    assert list((tmp_path / "data").rglob("*.mat*")) == []


@pytest.mark.parametrize("name", ["wikipedia", "blogcatalog"])
def test_downloaded_graphs_have_the_published_counts(data: Path, name: str) -> None:
    graph, known = datasets.load(name, data=data), datasets.info(name)
    assert (graph.node_count, graph.edge_count) == (known.nodes, known.edges)
    assert isinstance(graph.labels[0], tuple) == known.multi_label


def test_lfr_graph_has_the_requested_mixing() -> None:
    made = generate.lfr(500, mixing=0.2, seed=3)
    graph = made.graph.to_networkx()
    outside = np.mean([made.communities[u] != made.communities[v] for u, v in graph.edges()])
    assert outside == pytest.approx(0.2, abs=0.05)
    assert np.mean([degree for _, degree in graph.degree()]) == pytest.approx(15, rel=0.15)


def test_block_model_has_the_requested_densities() -> None:
    made = generate.sbm([100, 200], 0.2, 0.02, seed=1)
    same = made.communities[:, None] == made.communities
    adjacency = made.graph.to_scipy().toarray() > 0
    pairs = np.triu(np.ones_like(adjacency), 1)
    assert adjacency[same & pairs].mean() == pytest.approx(0.2, abs=0.02)
    assert adjacency[~same & pairs].mean() == pytest.approx(0.02, abs=0.005)


def test_edges_are_more_frequent_between_nearby_points() -> None:
    made = generate.hyperbolic(300, communities=3, seed=2)
    distances = hycome.manifold.pairwise_distance(made.points)
    joined = made.graph.to_scipy().toarray() > 0
    assert distances[joined].mean() < 0.6 * distances.mean()
    assert made.mixture.responsibilities(made.points).shape == (300, 3)


def test_power_law_graph_has_hubs_and_no_communities() -> None:
    made = generate.power_law(2000, seed=1)
    assert made.communities is None
    assert made.graph.degrees().max() > 5 * made.graph.degrees().mean()


def test_generators_are_deterministic() -> None:
    graphs = [generate.lfr(300, seed=seed).graph.edges() for seed in (1, 1, 2)]
    np.testing.assert_array_equal(graphs[0], graphs[1])
    assert graphs[0].shape != graphs[2].shape or not np.array_equal(graphs[0], graphs[2])


def test_communities_of_a_generated_graph_are_recovered() -> None:
    made = generate.sbm([40, 40, 40], 0.4, 0.01)
    run = hycome.embed(made, walks=2, restarts=1, progress=False)
    assert run.metrics().nmi > 0.9


def test_inconsistent_settings_raise_the_error_of_the_library() -> None:
    with pytest.raises(ValueError, match="`mixing` must be"):
        generate.lfr(mixing=2.0)
    with pytest.raises(ValueError, match="`p_in` must be"):
        generate.sbm([10, 10], 1.5, 0.1)


def test_samples_of_a_mixture_have_its_spread() -> None:
    mixture = hycome.Mixture(np.array([0.5, 0.5]), np.array([[0.5, 0.0], [-0.5, 0.0]]), np.array([0.3, 0.6]))
    points, components = mixture.sample(4000, seed=1)
    for k in range(2):
        squares = hycome.manifold.distance(points[components == k], mixture.means[k]) ** 2
        # The relative standard deviation of the mean of 2000 squared distances in two dimensions is about 1/√2000.
        assert squares.mean() == pytest.approx(hycome.manifold.mean_squared_distance(mixture.scales[k], 2), rel=0.12)


def test_largest_component_matches_networkx() -> None:
    made = generate.power_law(500, average_degree=2.0, seed=5).graph
    largest = max(nx.connected_components(made.to_networkx()), key=len)
    assert made.largest_component().node_count == len(largest)
