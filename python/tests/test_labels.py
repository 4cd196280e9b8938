"""Conversion of labels; ambiguous input is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from conftest import QUICK

import hycome

PATH = nx.path_graph(6)
CLASSES = [0, 0, 1, 1, 2, 2]
FRAME = {"node": range(6), "label": CLASSES}
INDICATOR = np.eye(3, dtype=int)[CLASSES]


def labels_of(labels: Any, graph: Any = PATH) -> list[Any] | None:
    return hycome.as_graph(graph).with_labels(labels).labels


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param(CLASSES, id="list"),
        pytest.param(np.array(CLASSES, np.uint8), id="array"),
        pytest.param(np.array(CLASSES)[:, None], id="column"),
        pytest.param(np.matrix(CLASSES).T, id="matrix"),
        pytest.param(pd.Series(CLASSES), id="series"),
        pytest.param(pd.Series(CLASSES, dtype="category"), id="categories"),
        pytest.param(pd.Series(CLASSES, dtype="Int64"), id="nullable"),
        pytest.param(pd.DataFrame(FRAME)[["label"]], id="frame-of-one-column"),
        pytest.param(pl.DataFrame(FRAME)[["label"]], id="polars-frame-of-one-column"),
        pytest.param(pl.Series(CLASSES), id="polars-series"),
        pytest.param(pa.array(CLASSES), id="arrow-array"),
        pytest.param(pd.DataFrame(FRAME).sample(frac=1, random_state=1), id="nodes-and-labels"),
        pytest.param(pd.DataFrame({"y": CLASSES, "id": range(6)}), id="names-of-columns"),
        pytest.param(pd.DataFrame({"ID": range(6), "colour": CLASSES}), id="the-other-column"),
        pytest.param(pl.DataFrame(FRAME), id="polars"),
        pytest.param(pa.table({key: list(value) for key, value in FRAME.items()}), id="arrow"),
        pytest.param(INDICATOR, id="indicator"),
        pytest.param(INDICATOR.astype(bool), id="booleans"),
        pytest.param(INDICATOR.astype(float), id="floats"),
        pytest.param(sp.csr_array(INDICATOR), id="sparse-indicator"),
        pytest.param(pd.DataFrame(INDICATOR), id="indicator-frame"),
        pytest.param(dict(zip(range(6), CLASSES, strict=True)), id="mapping"),
    ],
)
def test_label_types_give_the_same_classes(labels: Any) -> None:
    found = labels_of(labels)
    assert found == CLASSES
    assert all(type(label) is int for label in found)
    assert len(hycome.embed(PATH, labels=labels, **QUICK).mixture) == 3


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (np.full((6, 2), np.nan), "indicator matrix of 0 and 1 .* has the entry nan"),
        (np.stack([range(6), CLASSES], axis=1), "has the entry 2"),
        (pd.DataFrame({"a": range(6), "b": CLASSES}), "a frame with the columns 'node' and 'label'"),
        (pd.DataFrame({"id": range(6), "a": CLASSES, "b": CLASSES}), "one other column must be called"),
        (np.array([["a", "b"]] * 6), "has the entry 'a'"),
        (np.zeros((6, 0)), r"its shape is \(6, 0\)"),
        (np.zeros((6, 2, 2)), r"its shape is \(6, 2, 2\)"),
        (sp.csr_array(np.full((6, 2), 3)), "has the entry 3"),
        (np.ma.masked_equal(INDICATOR, 1), "no masked entries"),
        (pd.Series([0] * 3, index=[0, 1, 1]), "names 1 twice"),
        (np.array(3), "but is 3"),
    ],
)
def test_table_that_is_not_an_indicator_matrix_is_rejected(labels: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        labels_of(labels)


def test_series_with_a_default_index_that_misses_nodes_is_rejected() -> None:
    graph = nx.relabel_nodes(PATH, {node: node + 1 for node in PATH})
    with pytest.raises(ValueError, match=r"index 0, 1, … does not name the nodes.*labels\.to_numpy\(\)"):
        labels_of(pd.Series(CLASSES), graph)
    assert labels_of(pd.Series(CLASSES, index=range(1, 7)), graph) == CLASSES


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
def test_missing_labels_are_none(missing: Any) -> None:
    assert labels_of(["a", missing, "b", "b", missing, "a"]) == ["a", None, "b", "b", None, "a"]
    assert labels_of({0: "a", 1: missing, 2: ("a", "b")})[:3] == [("a",), (), ("a", "b")]


def test_masked_labels_and_missing_text_are_none() -> None:
    assert labels_of(np.ma.masked_equal(CLASSES, 1)) == [0, 0, None, None, 2, 2]
    assert labels_of(np.ma.masked_equal(CLASSES, 1)[:, None]) == [0, 0, None, None, 2, 2]
    assert labels_of(pd.Series(["a", None, "b"] * 2, dtype="string")) == ["a", None, "b"] * 2


def test_rows_of_an_indicator_frame_are_matched_by_index() -> None:
    frame = pd.DataFrame(INDICATOR, columns=["x", "y", "z"], index=range(5, -1, -1))
    assert labels_of(frame) == ["z", "z", "y", "y", "x", "x"]


def test_node_in_several_rows_has_several_classes() -> None:
    frame = pd.DataFrame({"node": [0, 0, 3], "class": ["a", "b", "b"]})
    assert labels_of(frame) == [("a", "b"), (), (), ("b",), (), ()]


def test_labels_may_name_a_node_attribute() -> None:
    graph = nx.karate_club_graph()
    run = hycome.embed(graph, labels="club", unweighted=True, **QUICK)
    assert run.graph.labels == list(nx.get_node_attributes(graph, "club").values())
    run = hycome.embed(igraph.Graph.from_networkx(graph), labels="club", **QUICK)
    assert run.graph.class_count == 2
    with pytest.raises(FileNotFoundError, match=r"clubs.*a node attribute of this name is read where `graph` is"):
        hycome.embed(graph, labels="clubs", **QUICK)


def test_subgraph_and_networkx_keep_labels() -> None:
    graph = hycome.as_graph(PATH).with_labels(CLASSES)
    assert graph.subgraph([5, 0]).labels == [2, 0]
    assert graph.unweighted().labels == CLASSES
    assert graph.to_networkx().nodes[4]["label"] == 2


def test_labels_of_a_file_are_strings(tmp_path: Path) -> None:
    (tmp_path / "labels.txt").write_text("".join(f"{node} {label}\n" for node, label in enumerate(CLASSES)))
    assert labels_of(tmp_path / "labels.txt") == [str(label) for label in CLASSES]


def test_label_file_of_ids_is_rejected_unless_communities_are_given(tmp_path: Path) -> None:
    file = tmp_path / "labels.txt"
    graph = nx.path_graph(150)
    file.write_text("".join(f"{node} class{node}\n" for node in range(150)))
    with pytest.raises(ValueError, match=r"number of communities \(`communities`\) if they are meant"):
        hycome.embed(graph, labels=file, **QUICK)
    with pytest.warns(UserWarning, match="150 classes for 150 labelled nodes"):
        assert len(hycome.embed(graph, 2, labels=file, **QUICK).mixture) == 2
    file.write_text("".join(f"{node} {'ab'[node % 2]}\n" for node in range(153)))
    with pytest.warns(UserWarning, match="3 nodes of the labels are not in the graph") as caught:
        hycome.as_graph(graph).with_labels(file)
    assert [warning.filename for warning in caught] == [__file__]
