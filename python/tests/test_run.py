"""Runs."""

from __future__ import annotations

import base64
import copy
import pickle
import re
import struct
import warnings
import zlib
from pathlib import Path

import networkx as nx
import numpy as np
import pandas
import pytest
from conftest import QUICK
from safetensors.numpy import load_file
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, normalized_mutual_info_score

import hycome


def test_run_has_a_point_and_probabilities_for_each_node(karate: hycome.Run) -> None:
    assert karate.embedding.shape == (34, 32)
    assert (np.linalg.norm(karate.embedding, axis=1) < 1).all()
    assert karate.probabilities.shape == (34, 2)
    np.testing.assert_allclose(karate.probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(karate.communities, karate.probabilities.argmax(axis=1))
    assert len(karate.mixture) == 2
    assert karate.mixture.weights.sum() == pytest.approx(1)


def test_communities_of_the_karate_club_are_recovered(karate: hycome.Run) -> None:
    scores = karate.metrics()
    assert scores.nmi > 0.7
    assert scores.accuracy == scores.precision_at_1 > 0.9
    assert scores.conductance < 0.2
    assert sum(scores.sizes) == 34


def test_scores_match_scikit_learn_and_networkx(karate: hycome.Run) -> None:
    scores, labels = karate.metrics(), karate.graph.labels
    assert scores.nmi == pytest.approx(normalized_mutual_info_score(labels, karate.communities), abs=1e-12)
    assert scores.ami == pytest.approx(adjusted_mutual_info_score(labels, karate.communities), abs=1e-12)
    assert scores.ari == pytest.approx(adjusted_rand_score(labels, karate.communities), abs=1e-12)
    graph = karate.graph.to_networkx()
    assert scores.modularity == pytest.approx(nx.community.modularity(graph, karate.partition()), abs=1e-12)
    cuts = [nx.conductance(graph, part) for part in karate.partition()]
    assert scores.conductance == pytest.approx(np.mean(cuts), abs=1e-12)


def test_result_is_independent_of_thread_count() -> None:
    runs = [hycome.embed("karate", seed=3, threads=threads, **QUICK) for threads in (None, 1, 3)]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.embedding, runs[0].embedding)
        np.testing.assert_array_equal(run.layout, runs[0].layout)
    other = hycome.embed("karate", seed=4, **QUICK)
    assert not np.array_equal(other.embedding, runs[0].embedding)


def test_config_of_a_run_reproduces_it(karate: hycome.Run) -> None:
    again = hycome.embed("karate", **karate.config, progress=False)
    np.testing.assert_array_equal(again.embedding, karate.embedding)


def test_settings_may_be_numpy_scalars() -> None:
    run = hycome.embed("karate", np.int64(3), dim=np.int32(5), learning_rate=np.float32(0.01), **QUICK)
    assert (run.embedding.shape, len(run.mixture)) == ((34, 5), 3)


def test_number_of_communities_defaults_to_the_number_of_classes() -> None:
    assert len(hycome.embed("football", **QUICK).mixture) == 12
    lattice = nx.path_graph(6)
    assert len(hycome.embed(lattice, labels=[0, 0, 1, 1, 2, 2], **QUICK).mixture) == 3
    with pytest.raises(ValueError, match="`communities` must be given"):
        hycome.embed(lattice, **QUICK)


def test_labels_are_matched_by_name_or_position(karate: hycome.Run) -> None:
    labels = karate.graph.labels
    by_name = dict(zip(karate.nodes, labels, strict=True))
    series = pandas.Series(by_name).sample(frac=1, random_state=1)
    assert karate.metrics(labels) == karate.metrics(by_name) == karate.metrics(series) == karate.metrics()
    several = [{label, "member"} for label in labels]
    assert karate.metrics(several).ari is None
    indicator = np.array([[label == "Officer", label == "Mr. Hi", True] for label in labels])
    assert karate.metrics(indicator).nmi == pytest.approx(karate.metrics(several).nmi)
    half = {node: label for node, label in list(by_name.items())[:17]}
    assert karate.metrics(half).nmi is not None
    with pytest.raises(ValueError, match="one entry for each of the 34 nodes, but has 3"):
        karate.metrics([1, 2, 3])
    with pytest.raises(ValueError, match="names none of them"):
        karate.metrics({"nobody": 1})


def test_run_file_round_trip(karate: hycome.Run, tmp_path: Path) -> None:
    file = tmp_path / "karate.safetensors"
    karate.save(file)
    again = hycome.Run.load(file)
    np.testing.assert_array_equal(again.embedding, karate.embedding)
    np.testing.assert_array_equal(again.probabilities, karate.probabilities)
    assert list(again.nodes) == list(karate.nodes)
    np.testing.assert_array_equal(again.layout, karate.layout)
    assert (again.config, again.history) == (karate.config, karate.history)
    tensors = load_file(file)
    assert (tensors["nodes"].shape, tensors["layout"].shape) == ((34, 32), (34, 2))
    with pytest.raises(ValueError, match="holds no graph"):
        again.metrics()
    assert again.metrics(graph="karate") == karate.metrics()


def test_names_are_stored_as_strings(tmp_path: Path) -> None:
    graph = nx.relabel_nodes(nx.barbell_graph(5, 0), lambda node: ("Zoë\t" if node else "") + str(node))
    run = hycome.embed(graph, communities=2, **QUICK)
    run.save(tmp_path / "run.safetensors")
    again = hycome.Run.load(tmp_path)
    assert list(again.nodes) == [str(node) for node in graph]
    lattice = nx.grid_2d_graph(3, 3)
    run = hycome.embed(lattice, communities=2, **QUICK)
    run.save(tmp_path / "lattice.safetensors")
    again = hycome.Run.load(tmp_path / "lattice.safetensors")
    assert again.nodes[0] == "(0, 0)"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert again.metrics(graph=lattice) == run.metrics()


def test_run_pickle_round_trip(karate: hycome.Run) -> None:
    again = pickle.loads(pickle.dumps(karate))
    np.testing.assert_array_equal(again.embedding, karate.embedding)
    np.testing.assert_array_equal(again.layout, karate.layout)
    assert again.metrics() == karate.metrics()


def test_layout_is_in_the_disc_and_keeps_communities_apart(karate: hycome.Run) -> None:
    layout = karate.layout
    assert layout.shape == (34, 2)
    assert (np.linalg.norm(layout, axis=1) < 1).all()
    means = [hycome.manifold.barycenter(layout[karate.communities == k]) for k in range(2)]
    nearest = hycome.manifold.pairwise_distance(layout, np.stack(means)).argmin(axis=1)
    assert (nearest == karate.communities).mean() > 0.9


def test_run_of_two_dimensions_has_no_layout(karate_disc: hycome.Run, tmp_path: Path) -> None:
    karate_disc.save(tmp_path / "disc.safetensors")
    loaded = hycome.Run.load(tmp_path / "disc.safetensors")
    for run in (karate_disc, pickle.loads(pickle.dumps(karate_disc)), loaded):
        assert (run.embedding.shape, run.layout) == ((34, 2), None)


def test_run_of_too_many_communities_has_no_layout() -> None:
    path = nx.path_graph(501)
    many = hycome.embed(path, 501, dim=4, walk_length=2, **QUICK)
    assert many.layout is None
    assert many.plot().to_figure("svg").startswith(b"<svg")


def test_plots_show_the_layout(karate: hycome.Run) -> None:
    projected, moved = copy.copy(karate), copy.copy(karate)
    projected.layout, moved.layout = None, -karate.layout
    drawn = [run.plot().to_figure("svg", note=False) for run in (karate, copy.copy(karate), projected, moved)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 3


def test_arrays_of_a_run_are_read_only(karate: hycome.Run) -> None:
    with pytest.raises(ValueError, match="read-only"):
        karate.embedding[0] = 0
    assert karate.embedding.copy().flags.writeable


def test_arrays_of_a_run_are_not_copied(karate: hycome.Run) -> None:
    for array in (karate.embedding, karate.contexts, karate.layout, karate.mixture.means, karate.probabilities):
        owner = array
        while isinstance(owner, np.ndarray):
            owner = owner.base
        assert type(owner).__name__ == "PySliceContainer"  # memory of a Rust vector
    assert np.shares_memory(karate._parts().nodes, karate.embedding)


def test_to_pandas_has_a_row_for_each_node(karate: hycome.Run) -> None:
    frame = karate.to_pandas()
    assert list(frame.columns) == ["community", "probability", *(f"x{i}" for i in range(32))]
    assert frame.index.name == "node"
    assert list(frame.index) == list(karate.nodes)
    np.testing.assert_array_equal(frame.iloc[:, 2:], karate.embedding)
    assert (frame["probability"] >= 0.5).all()


def test_plots_are_saved_in_the_format_of_the_extension(karate: hycome.Run, tmp_path: Path) -> None:
    for ending, start in {"html": b"<!doctype html>", "svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}.items():
        file = tmp_path / f"karate.{ending}"
        karate.plot(file)
        assert file.read_bytes().lower().startswith(start.lower()), ending
    karate.plot(tmp_path / "large.png", size=(300, 400), scale=2, theme="dark", color="label", names=True)
    assert struct.unpack(">II", (tmp_path / "large.png").read_bytes()[16:24]) == (600, 800)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "karate.html", "karate.pdf", "karate.png", "karate.svg", "large.png",
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"ends in .html, .svg, .png or .pdf"):
        karate.plot(tmp_path / "karate.jpg")
    with pytest.raises(ValueError, match="`color` cannot be prediction, since there is no classifier"):
        karate.plot(tmp_path / "x.svg", color="prediction")
    with pytest.raises(FileNotFoundError):
        karate.plot(tmp_path / "no" / "folder.svg")
    with pytest.raises(ValueError, match="a page takes no settings of figures"):
        karate.plot(tmp_path / "x.html", names=True)


def test_missing_glyphs_cause_a_warning(karate: hycome.Run, tmp_path: Path) -> None:
    nodes = {"مر": "سلام", "b": "مر", "c": "b", "d": "c"}
    run = hycome.embed(list(nodes.items()), communities=2, walks=1, restarts=1)
    with pytest.warns(UserWarning, match="2 names in the figure have characters without a glyph"):
        run.plot(tmp_path / "x.png", names=True)
    (tmp_path / "no.ttf").write_bytes(b"no font")
    with pytest.raises(ValueError, match="`font` must be a TrueType or OpenType file"):
        run.plot(tmp_path / "x.pdf", font=tmp_path / "no.ttf")


def test_notebook_shows_the_interactive_viewer(karate: hycome.Run) -> None:
    shown = karate.plot()._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    data = re.search('id="scene">([^<]*)<', karate.plot().to_html())
    assert data is not None
    assert b"Officer" in zlib.decompress(base64.b64decode(data[1]))
    assert "&lt;script" in shown  # the page is an escaped attribute of the iframe
    assert "<script" not in shown


def test_unusual_results_cause_a_warning() -> None:
    with pytest.warns(RuntimeWarning, match="skipped because they would leave the ball; lower `learning_rate`"):
        hycome.embed("karate", learning_rate=1.0, progress=False, dim=2, walks=2, epochs=20, restarts=1, negatives=20)
    star = nx.star_graph(30)
    with pytest.warns(UserWarning):
        hycome.embed(star, communities=2, labels=[0] + [1] * 30, **QUICK).metrics(labels=None)


def test_communities_of_dblp_are_recovered(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYCOME_DATA", str(data))
    graph = hycome.datasets.load("dblp")
    assert (graph.node_count, graph.edge_count, graph.class_count) == (13_184, 47_937, 5)
    run = hycome.embed("dblp", **QUICK)
    assert run.metrics().nmi > 0.3
