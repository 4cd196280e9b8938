"""Conversion of graphs."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

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

EDGES = [("Ann", "Bob"), ("Bob", "Cid"), ("Cid", "Ann"), ("Cid", "Dee"), ("Dee", "Eve"), ("Eve", "Fay"), ("Fay", "Dee")]
NAMES = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]
FRAME = {"source": [u for u, _ in EDGES], "target": [v for _, v in EDGES]}


def edges(graph: hycome.Graph) -> set[frozenset]:
    return {frozenset((graph.nodes[u], graph.nodes[v])) for u, v in graph.edges()}


EXPECTED = {frozenset(edge) for edge in EDGES}


@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(nx.Graph(EDGES), id="networkx"),
        pytest.param(igraph.Graph.TupleList(EDGES), id="igraph"),
        pytest.param(pd.DataFrame(FRAME), id="pandas"),
        pytest.param(pl.DataFrame(FRAME), id="polars"),
        pytest.param(pl.LazyFrame(FRAME), id="lazy-polars"),
        pytest.param(pa.table(FRAME), id="arrow"),
        pytest.param(pa.RecordBatch.from_pydict(FRAME), id="arrow-batch"),
        pytest.param(
            pa.table({key: pa.array(value).dictionary_encode() for key, value in FRAME.items()}), id="arrow-dict"
        ),
        pytest.param(pd.DataFrame(FRAME).astype("category"), id="categories"),
        pytest.param(pl.DataFrame(FRAME).cast(pl.Categorical), id="polars-categories"),
        pytest.param(pd.DataFrame({"when": range(7), **FRAME}), id="columns-by-name"),
        pytest.param(pd.DataFrame({"a": FRAME["source"], "b": FRAME["target"]}), id="columns-by-order"),
        pytest.param(np.array(EDGES), id="array-of-texts"),
        pytest.param(EDGES, id="list-of-pairs"),
        pytest.param(iter(EDGES), id="iterator"),
    ],
)
def test_graph_types_give_the_same_named_edges(graph: object) -> None:
    found = hycome.as_graph(graph)
    assert sorted(found.nodes) == NAMES
    assert all(type(node) is str for node in found.nodes)
    assert edges(found) == EXPECTED
    run = hycome.embed(found, communities=2, **QUICK)
    assert [run.nodes[row] for row in run.index.values()] == list(run.nodes)
    assert list(run.to_pandas().index) == list(found.nodes)


def test_file_gives_the_same_named_edges(tmp_path: Path) -> None:
    file = tmp_path / "friends.edges"
    file.write_text("".join(f"{u}\t{v}\n" for u, v in EDGES))
    for argument in (file, str(file)):
        found = hycome.as_graph(argument)
        assert (sorted(found.nodes), edges(found), found.name) == (NAMES, EXPECTED, "friends")


def test_nodes_of_a_sparse_matrix_are_its_row_numbers() -> None:
    matrix = sp.csr_array(([2.0, 2.0, 3.0, 3.0], ([0, 1, 2, 3], [1, 0, 3, 2])), shape=(5, 5))
    for kind in (matrix, matrix.tocoo(), sp.csc_matrix(matrix), matrix.tolil()):
        graph = hycome.as_graph(kind)
        assert list(graph.nodes) == [0, 1, 2, 3, 4]
        assert (graph.edges().tolist(), graph.weights().tolist()) == ([[0, 1], [2, 3]], [2.0, 3.0])
    back = hycome.as_graph(matrix).to_scipy().toarray()
    assert back.tolist() == matrix.toarray().tolist()


def test_nodes_of_an_integer_array_are_sorted() -> None:
    for dtype in (np.int64, np.uint8, np.float64):
        graph = hycome.as_graph(np.array([[30, 10], [10, 20], [20, 30]], dtype))
        assert list(graph.nodes) == [10, 20, 30]
        assert graph.edge_count == 3
    large = hycome.as_graph(np.array([[10**15, -5], [-5, 7], [7, 10**15]]))
    assert list(large.nodes) == [-5, 7, 10**15]


def test_nodes_may_be_any_hashable_objects() -> None:
    lattice = nx.grid_2d_graph(4, 4)
    run = hycome.embed(lattice, communities=2, **QUICK)
    assert list(run.nodes) == list(lattice)
    assert run.partition()[0] | run.partition()[1] == set(lattice)
    mixed = hycome.as_graph([(1, "a"), ("a", (2, 3)), ((2, 3), 1)])
    assert set(mixed.nodes) == {1, "a", (2, 3)}


def test_weights_are_read_from_every_graph_type() -> None:
    weighted = [(u, v, 1.5 + i) for i, (u, v) in enumerate(EDGES)]
    graph = nx.Graph()
    graph.add_weighted_edges_from(weighted)
    frame = {**FRAME, "weight": [w for *_, w in weighted]}
    of_igraph = igraph.Graph.TupleList(weighted, weights=True)
    for given in (graph, pd.DataFrame(frame), pl.DataFrame(frame), pa.table(frame), weighted, of_igraph):
        found = hycome.as_graph(given)
        expected = {frozenset((u, v)): w for u, v, w in weighted}
        assert {
            frozenset((found.nodes[u], found.nodes[v])): w
            for (u, v), w in zip(found.edges(), found.weights(), strict=True)
        } == expected
        assert not found.unweighted().is_weighted


def test_columns_can_be_selected() -> None:
    frame = pd.DataFrame({"x": ["b"], "y": ["a"], "source": ["wrong"], "n": [4.0]})
    graph = hycome.Graph.from_edges(frame, source="x", target="y", weight="n")
    assert (sorted(graph.nodes), graph.weights().tolist()) == (["a", "b"], [4.0])
    with pytest.raises(ValueError, match="there is no column 'z'"):
        hycome.Graph.from_edges(frame, source="z")


def test_networkx_round_trip() -> None:
    karate = hycome.datasets.load("karate")
    there = karate.to_networkx()
    assert (there.number_of_nodes(), there.number_of_edges()) == (34, 78)
    assert there.nodes[karate.nodes[0]]["label"] == "Mr. Hi"
    assert edges(hycome.as_graph(there)) == edges(karate)


def test_pickle_keeps_names_and_labels() -> None:
    karate = hycome.datasets.load("karate")
    again = pickle.loads(pickle.dumps(karate))
    assert (list(again.nodes), again.labels, edges(again)) == (list(karate.nodes), karate.labels, edges(karate))


def test_largest_component_keeps_names_and_labels() -> None:
    graph = hycome.as_graph([("a", "b"), ("c", "d"), ("d", "e")]).with_labels({"c": "x", "a": "y"})
    largest = graph.largest_component()
    assert (sorted(largest.nodes), largest.labels[list(largest.nodes).index("c")]) == (["c", "d", "e"], "x")


def test_unusual_input_causes_a_warning() -> None:
    with pytest.warns(UserWarning, match="directed"):
        hycome.as_graph(nx.DiGraph(EDGES))
    with pytest.warns(UserWarning, match="1 self-loop removed"):
        hycome.as_graph([*EDGES, ("Ann", "Ann")])
    with pytest.warns(UserWarning, match="1 edge of weight 0 removed"):
        hycome.as_graph([("a", "b", 0.0), ("b", "c", 2.0)])
    with pytest.warns(RuntimeWarning, match="same name as text"):
        hycome.embed([(1, "1"), ("1", 2), (2, 1)], communities=1, **QUICK)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        twice = [*EDGES, *[(v, u) for u, v in EDGES]]
        assert hycome.as_graph(twice).left_out == {"self_loops": 0, "repeats": 7, "zero_weights": 0}
        assert not hycome.as_graph(twice).is_weighted


@pytest.mark.parametrize(
    ("graph", "error", "words"),
    [
        (np.zeros((5, 5), int), ValueError, "kind='adjacency'"),
        (np.zeros((2, 9), int), ValueError, "kind='edge_index'"),
        (sp.csr_array((2, 3)), ValueError, "square"),
        ([("a",)], ValueError, "pairs"),
        ([("a", "b"), ("a", "b", 1)], ValueError, "pairs"),
        ([("a", None)], ValueError, "edge 0 has no target"),
        (pd.DataFrame({"source": ["a", None], "target": ["b", "c"]}), ValueError, "edge 1 has no source"),
        (pd.DataFrame({"source": ["a"]}), ValueError, "column for either end"),
        ([("a", "b", -1.0)], ValueError, "finite and not negative"),
        ([("a", "b", "heavy")], ValueError, "weights must be numbers"),
        (7, TypeError, "found int"),
        ({"a": ["b"]}, TypeError, "found dict"),
        ("fotball", FileNotFoundError, "did you mean 'football'?"),
        ("no/such.edges", FileNotFoundError, "no/such.edges: cannot"),
    ],
)
def test_objects_that_are_no_graphs_are_rejected(graph: object, error: type, words: str) -> None:
    with pytest.raises(error, match=words.replace("?", r"\?")):
        hycome.as_graph(graph)


def test_graph_without_edges_cannot_be_embedded() -> None:
    with pytest.raises(ValueError, match="no edge"):
        hycome.embed(np.empty((0, 2), int), communities=1)


def test_error_for_a_malformed_file_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.edges"
    file.write_text("a b\nc\n")
    with pytest.raises(ValueError, match=r"broken\.edges:2: expected"):
        hycome.as_graph(file)


LOG = [("a", "b", 2.0), ("a", "c", 1.0), ("b", "a", 5.0), ("b", "c", 1.0), ("a", "b", 3.0)]


def log_as(kind: str, tmp_path: Path) -> object:
    """The five edges of LOG as this type of graph."""
    names = "abc"
    rows, columns, weights = zip(*((names.index(u), names.index(v), w) for u, v, w in LOG), strict=True)
    if kind == "frame":
        return pd.DataFrame(LOG, columns=["source", "target", "weight"])
    if kind == "array":
        return np.array([rows, columns, weights]).T
    if kind == "sparse":
        return sp.coo_array((weights, (rows, columns)), shape=(3, 3))
    if kind == "igraph":
        return igraph.Graph(list(zip(rows, columns, strict=True)), edge_attrs={"weight": weights}, directed=True)
    if kind == "file":
        (tmp_path / "log.edges").write_text("".join(f"{u} {v} {w}\n" for u, v, w in LOG))
        return tmp_path / "log.edges"
    if kind == "list":
        return LOG
    graph = nx.MultiGraph() if kind == "multigraph" else nx.MultiDiGraph()
    graph.add_weighted_edges_from(LOG)
    return graph


KINDS = ["list", "frame", "array", "sparse", "igraph", "file", "multigraph", "multidigraph"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("repeated", "expected"), [("sum", 10.0), ("max", 5.0), ("first", 2.0), (None, 10.0)])
def test_repeated_edges_are_combined_in_every_graph_type(
    kind: str, repeated: str | None, expected: float, tmp_path: Path
) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = hycome.as_graph(log_as(kind, tmp_path), repeated=repeated)
    assert sorted(graph.weights().tolist()) == [1.0, 1.0, expected]
    about_repeats = [str(warning.message) for warning in caught if "repeat" in str(warning.message)]
    words = "2 rows repeat an edge; weights are summed; repeated='sum', 'max' or 'first' says how they are combined"
    assert about_repeats == ([words] if repeated is None else [])
    assert all(warning.filename == __file__ for warning in caught)


def test_repeated_unweighted_edges_are_counted() -> None:
    log = [("a", "b")] * 50 + [("a", "c"), ("b", "c")]
    with pytest.warns(UserWarning, match="49 rows repeat an edge; rows are counted, and the counts are the weights"):
        graph = hycome.as_graph(log)
    assert sorted(graph.weights().tolist()) == [1.0, 1.0, 50.0]
    assert not hycome.as_graph(log, repeated="first").is_weighted
    with pytest.raises(ValueError, match="`repeated` must be 'sum', 'max' or 'first', but is \"mean\""):
        hycome.as_graph(log, repeated="mean")  # type: ignore[arg-type]


ADJACENCY = nx.to_numpy_array(nx.cycle_graph(5))


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        pytest.param(nx.to_pandas_adjacency(nx.cycle_graph(5)), None, id="frame"),
        pytest.param(nx.to_pandas_adjacency(nx.cycle_graph(5), nonedge=np.nan), None, id="nan-for-no-edge"),
        pytest.param(nx.to_pandas_adjacency(nx.cycle_graph(5))[[2, 0, 1, 4, 3]], None, id="columns-in-another-order"),
        pytest.param(nx.to_pandas_adjacency(nx.cycle_graph(5)).reset_index(), None, id="names-in-a-column"),
        pytest.param(
            pl.DataFrame({"": list("01234"), **dict(zip("01234", ADJACENCY, strict=True))}), None, id="polars-names"
        ),
        pytest.param(ADJACENCY, "adjacency", id="array"),
        pytest.param(ADJACENCY.astype(bool), "adjacency", id="booleans"),
        pytest.param(ADJACENCY.tolist(), "adjacency", id="lists"),
        pytest.param(pl.DataFrame(ADJACENCY), "adjacency", id="polars"),
        pytest.param(np.stack(np.nonzero(ADJACENCY)), "edge_index", id="edge-index"),
        pytest.param(np.stack(np.nonzero(ADJACENCY), axis=1), None, id="edges-in-both-directions"),
    ],
)
def test_adjacency_matrices_are_recognized(graph: object, kind: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = hycome.as_graph(graph, kind=kind)
    assert (found.node_count, found.edge_count, found.is_weighted) == (5, 5, False)
    assert [int(str(node).removeprefix("column_")) for node in found.nodes] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 3), (2, 9), (4, 4), (1, 1)])
def test_array_of_ambiguous_shape_needs_kind(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="kind="):
        hycome.as_graph(np.ones(shape, int))
    if shape[0] < 4:
        with pytest.raises(ValueError, match="kind="):
            hycome.as_graph(np.ones(shape, int).tolist() if shape != (1, 1) else np.ones(shape))
    assert hycome.as_graph(np.array([["a", "b"], ["b", "c"]])).edge_count == 2
    assert hycome.as_graph([(0, 1), (1, 2)]).edge_count == 2
    assert hycome.as_graph([[0, 1], [1, 2]], kind="edges").edge_count == 2
    assert hycome.as_graph(pd.DataFrame([[0, 1], [1, 2]]), kind="edges").edge_count == 2
    with pytest.raises(ValueError, match="kind="):
        hycome.as_graph(pd.DataFrame([[0, 1], [1, 2]]))


@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(pd.DataFrame(ADJACENCY, columns=list("abcde")), id="square-frame"),
        pytest.param(pl.DataFrame(np.eye(3), schema=["a", "b", "c"]), id="square-polars"),
        pytest.param(pa.table({"a": [0, 1], "b": [1, 0]}), id="square-arrow"),
        pytest.param(pd.DataFrame(np.arange(8).reshape(2, 4)), id="edge-index-frame"),
        pytest.param((np.arange(3), np.arange(3)), id="tuple-of-arrays"),
        pytest.param(list(np.eye(3)), id="list-of-arrays"),
        pytest.param(ADJACENCY.tolist(), id="lists"),
        pytest.param(np.eye(3).astype(object), id="objects"),
    ],
)
def test_ambiguous_frame_needs_kind(graph: object) -> None:
    with pytest.raises(ValueError, match="kind="):
        hycome.as_graph(graph)


def test_warnings_are_shown_for_each_calling_line() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        hycome.as_graph(nx.DiGraph(EDGES))
        hycome.as_graph(sp.csr_array(np.triu(np.ones((4, 4)), 1)))
        hycome.Graph.from_edges(nx.DiGraph(EDGES))
        hycome.as_graph(nx.DiGraph(EDGES).edges)
        hycome.as_graph(nx.DiGraph(EDGES).edges(data=True))
        hycome.embed(nx.DiGraph(EDGES), 2, **QUICK)
    directed = [warning for warning in caught if "directed" in str(warning.message)]
    assert [warning.filename for warning in directed] == [__file__] * 6


@pytest.mark.parametrize("kind", ["list", "file"])
def test_weights_that_look_like_timestamps_cause_a_warning(kind: str, tmp_path: Path) -> None:
    log = [(u, v, 1_600_000_000 + 1000 * i) for i, (u, v) in enumerate(EDGES)]
    (tmp_path / "log.edges").write_text("".join(f"{u} {v} {w}\n" for u, v, w in log))
    with pytest.warns(UserWarning, match=r"look like times; `unweighted` ignores them") as caught:
        hycome.as_graph(log if kind == "list" else tmp_path / "log.edges")
    assert [warning.filename for warning in caught] == [__file__]


RATINGS = [(user, item) for user in range(1, 13) for item in range(1, 41) if (7 * user + 3 * item) % 5 != 1]
USERS, ITEMS = ([row[i] for row in RATINGS] for i in (0, 1))


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        pytest.param(RATINGS, None, id="list"),
        pytest.param(np.array(RATINGS), None, id="array"),
        pytest.param(np.array(RATINGS).T, "edge_index", id="edge-index"),
        pytest.param(pd.DataFrame(RATINGS), None, id="pandas-without-names"),
        pytest.param(pd.DataFrame({"user": USERS, "item": ITEMS}), None, id="pandas"),
        pytest.param(pl.DataFrame({"customer_id": USERS, "product_id": ITEMS}), None, id="polars"),
        pytest.param(pl.DataFrame(RATINGS, orient="row"), None, id="polars-without-names"),
        pytest.param(pa.table({"user": USERS, "item": ITEMS}), None, id="arrow"),
        pytest.param(pd.DataFrame({"user": map(str, USERS), "item": map(str, ITEMS)}), None, id="texts"),
    ],
)
def test_ids_shared_by_two_kinds_of_nodes_cause_a_warning(graph: object, kind: str | None) -> None:
    with pytest.warns(UserWarning, match="share 12 ids") as caught:
        hycome.as_graph(graph, kind=kind)
    assert {warning.filename for warning in caught} == {__file__}


@pytest.mark.filterwarnings("ignore:.* self-loops removed")
@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(pd.DataFrame({"source": USERS, "target": ITEMS}), id="source-and-target"),
        pytest.param(pd.DataFrame({"author": USERS, "coauthor": ITEMS}), id="author-and-coauthor"),
        pytest.param(nx.Graph(RATINGS), id="networkx"),
        pytest.param(nx.Graph(RATINGS).edges, id="edges-of-networkx"),
        pytest.param(igraph.Graph(RATINGS), id="igraph"),
        pytest.param(nx.to_scipy_sparse_array(nx.Graph(RATINGS)), id="matrix"),
    ],
)
def test_nodes_of_one_kind_cause_no_warning(graph: object) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        hycome.as_graph(graph)
    assert not any("share" in str(warning.message) for warning in caught)


def test_public_graphs_cause_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("karate", "books", "football", "polblogs"):
            hycome.as_graph(name)


def test_header_argument_overrides_detection(tmp_path: Path) -> None:
    file = tmp_path / "friends.edges"
    file.write_text("Ann Bob\nBob Cid\nCid Ann\n")
    assert hycome.as_graph(file, header=True).edge_count == 2
    assert hycome.as_graph(str(file), header=False).edge_count == 3


def test_label_distribution_counts_every_label(tmp_path: Path) -> None:
    graph = hycome.Graph.from_edges([(0, 1), (1, 2)]).with_labels([{"a", "b"}, {"b"}, {"b"}])
    distribution = graph.label_distribution()
    assert distribution.shares == {"b": 0.75, "a": 0.25}
    assert distribution.to_figure().count(b'class="bar"') == 2
    assert distribution._repr_html_().startswith("<svg")
    for name, start in (("f.svg", b"<svg"), ("f.png", b"\x89PNG"), ("f.pdf", b"%PDF")):
        distribution.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    with pytest.raises(ValueError, match=r"ends in \.svg, \.png or \.pdf"):
        distribution.save(tmp_path / "f.html")
    with pytest.raises(ValueError, match="no labels"):
        hycome.Graph.from_edges([(0, 1)]).label_distribution()
