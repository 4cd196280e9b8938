"""Compiled extension module of hycome."""

from collections.abc import Callable
from os import PathLike
from typing import final

import numpy as np
import numpy.typing as npt

_Doubles = npt.NDArray[np.float64]
_Singles = npt.NDArray[np.float32]
_Ids = npt.NDArray[np.uint32]
_Places = npt.NDArray[np.uint64]
_Path = str | PathLike[str]

#: Name, graph, node names, labels, header line.
_Loaded = tuple[str, Graph, Names, Labels | None, str | None]
#: Epoch, epochs, fraction done, pairs.
_ProgressCallback = Callable[[int, int, float, int], None]
#: Run if finished, seconds of each training step, checkpoint if stopped, whether Ctrl-C was pressed, checkpoint error.
_Trained = tuple[Run | None, list[float], bytes | None, bool, str | None]
#: Graph, community of each node, number of communities, edge ends that could not be matched.
_Made = tuple[Graph, _Ids, int, int]

__all__ = [
    "Classifier",
    "Dataset",
    "Graph",
    "Labels",
    "Names",
    "Run",
    "Scene",
    "__version__",
    "against_labels",
    "agreement",
    "barycenter",
    "conductance",
    "cross_validate",
    "distance",
    "exp",
    "find_dataset",
    "fit_mixture",
    "folds",
    "from_lorentz",
    "from_tangent",
    "graph_warnings",
    "hyperbolic",
    "kmeans",
    "known_datasets",
    "label_distribution",
    "lfr",
    "load_dataset",
    "log",
    "log_densities",
    "log_zeta",
    "mean_squared_distance",
    "mobius_add",
    "pairwise_distance",
    "power_law",
    "read",
    "responsibilities",
    "resume",
    "sample",
    "sbm",
    "scale_from_spread",
    "score",
    "settings",
    "size_warnings",
    "to_lorentz",
    "train",
    "unfinished",
    "write_file",
]

__version__: str

@final
class Graph:
    node_count: int
    edge_count: int
    is_weighted: bool
    left_out: tuple[int, int, int]
    notes: list[tuple[str, str]]
    @staticmethod
    def from_edges(
        node_count: int,
        sources: _Ids,
        targets: _Ids,
        weights: _Singles | None = None,
        repeated: str | None = None,
        direction: str = "unknown",
        columns: tuple[str, str] | None = None,
        names: Names | None = None,
    ) -> Graph: ...
    def edges(self) -> _Ids: ...
    def weights(self) -> _Singles | None: ...
    def degrees(self) -> _Places: ...
    def largest_component(self) -> _Ids: ...
    def induced(self, nodes: _Ids) -> Graph: ...
    def unweighted(self) -> Graph: ...

@final
class Names:
    @staticmethod
    def from_numbers(values: _Places) -> Names: ...
    @staticmethod
    def from_strings(texts: list[str]) -> Names: ...
    def __len__(self) -> int: ...
    def numbers(self) -> _Places | None: ...
    def texts(self) -> list[str]: ...

@final
class Labels:
    names: list[str]
    used_class_count: int
    is_multi_label: bool
    def __new__(cls, names: list[str], starts: _Places, classes: _Ids) -> Labels: ...
    @staticmethod
    def read(path: _Path, names: Names, many_classes: bool = False) -> tuple[Labels, list[tuple[str, str]]]: ...
    def shares(self) -> list[tuple[str, float]]: ...
    def arrays(self) -> tuple[_Places, _Ids]: ...
    def subset(self, nodes: _Ids) -> Labels: ...

@final
class Run:
    nodes: _Doubles
    contexts: _Doubles
    layout: _Doubles | None
    weights: _Doubles
    means: _Doubles
    scales: _Doubles
    names: Names
    config: str
    history: str
    restarts: str
    warnings: list[str]
    def __new__(
        cls,
        nodes: _Doubles,
        contexts: _Doubles,
        layout: _Doubles | None,
        weights: _Doubles,
        means: _Doubles,
        scales: _Doubles,
        names: Names,
        config: str,
        history: str,
        restarts: str,
    ) -> Run: ...
    def save(self, path: _Path) -> None: ...
    @staticmethod
    def load(path: _Path) -> Run: ...

@final
class Classifier:
    @staticmethod
    def fit(x: _Doubles, labels: Labels, settings: tuple[str, float, int, str, int]) -> tuple[Classifier, bool]: ...
    def probabilities(self, x: _Doubles) -> _Doubles: ...
    def scores(self, x: _Doubles) -> _Doubles: ...
    def means(self) -> _Doubles | None: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Classifier: ...
    def __reduce__(self) -> tuple[Callable[[bytes], Classifier], tuple[bytes]]: ...

@final
class Scene:
    notes: list[str]
    def __new__(
        cls,
        run: Run,
        title: str,
        graph: Graph | None = None,
        labels: Labels | None = None,
        classifier: Classifier | None = None,
        max_edges: int | None = None,
    ) -> Scene: ...
    def to_html(self) -> str: ...
    def to_figure(
        self,
        format: str,
        color: str,
        size: tuple[float, float],
        dark: bool,
        contours: bool,
        names: bool,
        scale: float,
        note: bool,
        fonts: list[bytes],
    ) -> tuple[bytes, str | None]: ...

@final
class Dataset:
    """Metadata of a public graph."""

    name: str
    title: str
    citation: str
    licence: str
    nodes: int
    edges: int
    communities: int
    multi_label: bool
    is_built_in: bool
    files: list[tuple[str, list[str], str | None]]

def settings(kind: str) -> list[tuple[str, str, str]]: ...
def train(
    graph: Graph,
    names: Names,
    settings: str,
    threads: int | None = None,
    callback: _ProgressCallback | None = None,
    file: _Path | None = None,
    minutes: float = 10.0,
    max_memory: int | None = None,
) -> _Trained: ...
def resume(
    graph: Graph,
    names: Names,
    checkpoint: bytes,
    threads: int | None = None,
    callback: _ProgressCallback | None = None,
) -> _Trained: ...
def unfinished(checkpoint: bytes) -> Run: ...
def read(path: _Path, repeated: str | None = None, header: bool | None = None) -> _Loaded: ...
def known_datasets() -> list[Dataset]: ...
def find_dataset(name: str) -> Dataset | None: ...
def load_dataset(name: str, folder: _Path | None = None, repeated: str | None = None) -> _Loaded | None: ...
def lfr(
    nodes: int,
    mixing: float,
    average_degree: float,
    max_degree: int,
    degree_exponent: float,
    min_community: int,
    max_community: int,
    community_exponent: float,
    seed: int,
) -> _Made: ...
def sbm(sizes: list[int], p_in: float, p_out: float, seed: int) -> _Made: ...
def power_law(nodes: int, average_degree: float, exponent: float, max_degree: int | None, seed: int) -> _Made: ...
def hyperbolic(
    nodes: int,
    communities: int,
    dim: int,
    distance: float,
    scale: float,
    average_degree: float,
    temperature: float,
    seed: int,
) -> tuple[_Made, _Doubles, tuple[_Doubles, _Doubles, _Doubles], float]: ...
def distance(x: _Doubles, y: _Doubles) -> _Doubles: ...
def pairwise_distance(x: _Doubles, y: _Doubles) -> _Doubles: ...
def exp(x: _Doubles, v: _Doubles) -> _Doubles: ...
def from_tangent(v: _Doubles) -> tuple[_Doubles, int]: ...
def log(x: _Doubles, y: _Doubles) -> _Doubles: ...
def mobius_add(x: _Doubles, y: _Doubles) -> _Doubles: ...
def barycenter(points: _Doubles, weights: _Doubles | None = None) -> _Doubles: ...
def to_lorentz(x: _Doubles) -> _Doubles: ...
def from_lorentz(lifted: _Doubles) -> _Doubles: ...
def log_zeta(dim: int, scale: _Doubles) -> _Doubles: ...
def mean_squared_distance(dim: int, scale: _Doubles) -> _Doubles: ...
def scale_from_spread(dim: int, spread: _Doubles) -> _Doubles: ...
def kmeans(
    x: _Doubles, communities: int, max_iterations: int, restarts: int, seed: int
) -> tuple[_Doubles, _Ids, float, int, bool]: ...
def fit_mixture(
    x: _Doubles,
    communities: int,
    max_iterations: int,
    tolerance: float,
    restarts: int,
    scale_floor: float,
    scale_shrinkage: float,
    seed: int,
) -> tuple[_Doubles, _Doubles, _Doubles, int, bool, float]: ...
def responsibilities(x: _Doubles, weights: _Doubles, means: _Doubles, scales: _Doubles) -> _Doubles: ...
def log_densities(x: _Doubles, weights: _Doubles, means: _Doubles, scales: _Doubles) -> _Doubles: ...
def sample(weights: _Doubles, means: _Doubles, scales: _Doubles, count: int, seed: int) -> tuple[_Doubles, _Ids]: ...
def score(
    graph: Graph, communities: _Ids, count: int, labels: Labels | None = None
) -> tuple[float, float, bool, list[float | None]]: ...
def conductance(graph: Graph, communities: _Ids, count: int) -> _Doubles: ...
def agreement(a: _Ids, b: _Ids) -> tuple[float, float, float]: ...
def against_labels(communities: _Ids, count: int, labels: Labels) -> tuple[float, float, float]: ...
def graph_warnings(graph: Graph, communities: _Ids, count: int) -> list[str]: ...
def size_warnings(sizes: list[int], labels: Labels | None = None) -> list[str]: ...
def cross_validate(
    x: _Doubles,
    labels: Labels,
    settings: tuple[str, float, int, str, int],
    folds: int,
    runs: int,
    seed: int,
) -> tuple[
    tuple[float, float],
    tuple[float, float],
    tuple[float, float],
    tuple[float, float] | None,
    tuple[float, float] | None,
    int,
]: ...
def folds(labels: Labels, count: int, seed: int, run: int) -> list[_Ids]: ...
def label_distribution(
    labels: Labels,
    title: str,
    format: str,
    size: tuple[float, float],
    dark: bool,
    scale: float,
    note: bool,
    fonts: list[bytes],
) -> tuple[bytes, str | None]: ...
def write_file(path: _Path, content: bytes) -> None: ...
