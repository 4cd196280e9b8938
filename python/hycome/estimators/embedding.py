"""A graph's embedding as scikit-learn has it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from numbers import Integral
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin, clone
from sklearn.neighbors import kneighbors_graph
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from .._cache import cached_run
from .._docs import documented
from .._embed import embed
from .._labels import is_sequence
from .._seed import Seed
from .._settings import checked
from ..graph import as_graph
from ..mixture import Mixture
from ..run import Run

Array = npt.NDArray[np.float64]


def _knows_its_graph(estimator: CommunityEmbedding) -> bool:
    """Whether there are nodes to be asked about, rather than a graph to be trained."""
    return estimator.graph is not None


@documented("train")
class CommunityEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """Points and communities of a graph.

    What ``X`` is depends on two parameters:

    - ``CommunityEmbedding().fit(X)``: ``X`` is a graph, whatever :func:`hycome.embed` takes. There are
      ``fit_transform(X)``, the points, and ``fit_predict(X)``, the communities.
    - ``CommunityEmbedding(graph=G).fit(X)``: ``X`` names nodes of the graph ``G``, which is trained as a whole, and
      ``transform(X)`` and ``predict(X)`` are their points and communities. This is the form for pipelines and
      cross-validation of node classification: folds are folds of nodes, and no class is seen in training.
    - ``CommunityEmbedding(affinity="nearest_neighbors").fit(X)``: ``X`` has a row of numbers for each sample, and samples are
      joined with the ``n_neighbors`` nearest.

    A training is repeated only if the graph or a setting has changed: fits in one process, such as the folds of a
    cross-validation and the candidates of a grid search, share the last eight runs. Clones share the graph. Ctrl-C raises
    :class:`KeyboardInterrupt`; a partly trained embedding is never scored.

    Parameters
    ----------
    {settings}
    graph : object, optional
        The graph whose nodes ``X`` names; by default ``X`` is the graph.
    affinity : {'graph', 'nearest_neighbors'}, default: 'graph'
        Whether ``X`` is a ``"graph"`` or rows to be joined with their ``"nearest_neighbors"``.
    n_neighbors : int, default: 10
        Nearest rows that a row is joined with.
    cache : bool, default: True
        Whether to use and to keep runs of other fits with the same graph and settings. Fits whose ``seed`` is ``None`` or a
        generator are never shared.
    threads : int, optional
        Threads, 1 to 4096; the result does not depend on it. By default all cores.

    Attributes
    ----------
    run_ : hycome.Run
        The run itself.
    embedding_ : ndarray, shape (nodes, dim)
        Points of all nodes of the graph, in the order of ``run_.nodes``.
    labels_ : ndarray, shape (nodes,)
        Their communities, counted from 0.
    mixture_ : hycome.Mixture
        The communities as Gaussians.

    Examples
    --------
    >>> import hycome
    >>> hycome.CommunityEmbedding(2).fit_transform("karate").shape
    (34, 2)
    """

    def __init__(
        self,
        communities: int | None = None,
        *,
        dim: int = 2,
        curvature: float | None = None,
        seed: Seed = 1,
        restarts: int | None = None,
        alpha: float | None = None,
        beta: float = 1.0,
        gamma: float | None = None,
        walks: int = 10,
        walk_length: int = 80,
        window: int | None = None,
        negatives: int | None = None,
        negative_sharing: Literal["none", "center"] = "none",
        warmup_epochs: int = 4,
        epochs: int = 4,
        learning_rate: float = 0.02,
        blocks: int = 8,
        graph: Any = None,
        affinity: Literal["graph", "nearest_neighbors"] = "graph",
        n_neighbors: int = 10,
        cache: bool = True,
        threads: int | None = None,
    ) -> None:
        self.communities = communities
        self.dim = dim
        self.curvature = curvature
        self.seed = seed
        self.restarts = restarts
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.walks = walks
        self.walk_length = walk_length
        self.window = window
        self.negatives = negatives
        self.negative_sharing = negative_sharing
        self.warmup_epochs = warmup_epochs
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.blocks = blocks
        self.graph = graph
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.cache = cache
        self.threads = threads

    def fit(self, X: Any = None, y: Any = None) -> CommunityEmbedding:
        """Trains the graph.

        Parameters
        ----------
        X : object, optional
            A graph, names of nodes, or rows of numbers; see :class:`CommunityEmbedding`.
        y : ignored
            Not used; there for the API of scikit-learn.

        Returns
        -------
        self : CommunityEmbedding
            The fitted estimator.
        """
        settings = self.get_params(deep=False)
        for name in ("graph", "affinity", "n_neighbors", "cache", "threads"):
            settings.pop(name)
        is_repeatable = isinstance(self.seed, Integral)
        settings = checked(settings, embed.__annotations__)
        graph = as_graph(self._graph(X))

        def train() -> Run:
            return embed(graph, **settings, threads=self.threads, progress=False)

        self.run_: Run = cached_run(graph, settings, train) if self.cache and is_repeatable else train()
        self._n_features_out = self.run_.embedding.shape[1]
        return self

    def _graph(self, X: Any) -> Any:
        if self.graph is not None:
            return self.graph
        if self.affinity == "graph":
            return X
        if self.affinity != "nearest_neighbors":
            raise ValueError(f"`affinity` must be 'graph' or 'nearest_neighbors', but is {self.affinity!r}")
        rows = validate_data(self, X, ensure_min_samples=2)
        nearest = kneighbors_graph(rows, min(self.n_neighbors, len(rows) - 1))
        return nearest.maximum(nearest.T)

    @property
    def embedding_(self) -> Array:
        """The points of all nodes."""
        check_is_fitted(self, "run_")
        return self.run_.embedding

    @property
    def labels_(self) -> npt.NDArray[np.int64]:
        """The communities of all nodes."""
        check_is_fitted(self, "run_")
        return self.run_.communities

    @property
    def mixture_(self) -> Mixture:
        """The communities as Gaussians."""
        check_is_fitted(self, "run_")
        return self.run_.mixture

    def fit_transform(self, X: Any = None, y: Any = None) -> Array:
        """Trains the graph, and returns the points of its nodes or, with ``graph`` given, of the nodes in ``X``.

        Parameters
        ----------
        X : object, optional
            A graph, names of nodes, or rows of numbers; see :class:`CommunityEmbedding`.
        y : ignored
            Not used; there for the API of scikit-learn.

        Returns
        -------
        ndarray, shape (n, dim)
            Points of the ball; a frame if :meth:`set_output` says so.
        """
        self.fit(X, y)
        if self.graph is not None:
            return self.transform(X)
        if self.affinity == "graph" and self._output_format() == "pandas":
            import pandas

            index = pandas.Index(self.run_.nodes, tupleize_cols=False)
            return pandas.DataFrame(self.embedding_, index=index)  # type: ignore[no-any-return]
        return self.embedding_

    def _output_format(self) -> Any:
        """What :meth:`set_output` asked for."""
        config = getattr(self, "_sklearn_output_config", {})
        return config.get("transform", get_config().get("transform_output"))

    def fit_predict(self, X: Any = None, y: Any = None) -> npt.NDArray[np.int64]:
        """Trains the graph, and returns the communities of its nodes or, with ``graph`` given, of the nodes in ``X``.

        Parameters
        ----------
        X : object, optional
            A graph, names of nodes, or rows of numbers; see :class:`CommunityEmbedding`.
        y : ignored
            Not used; there for the API of scikit-learn.

        Returns
        -------
        ndarray, shape (n,)
            The communities, counted from 0.
        """
        self.fit(X, y)
        return self.labels_ if self.graph is None else self.predict(X)

    def transform(self, X: Any) -> Array:
        """Points of nodes; only with ``graph`` given.

        Parameters
        ----------
        X : sequence, array, Series or one-column frame
            Nodes of the graph.

        Returns
        -------
        ndarray, shape (n, dim)
            Points of the ball.
        """
        return self.embedding_[self._rows(X)]

    @available_if(_knows_its_graph)
    def predict(self, X: Any) -> npt.NDArray[np.int64]:
        """Communities of nodes; only with ``graph`` given.

        Parameters
        ----------
        X : sequence, array, Series or one-column frame
            Nodes of the graph.

        Returns
        -------
        ndarray, shape (n,)
            The communities, counted from 0.
        """
        return self.labels_[self._rows(X)]

    @available_if(_knows_its_graph)
    def predict_proba(self, X: Any) -> Array:
        """Probability of each community for nodes; only with ``graph`` given.

        Parameters
        ----------
        X : sequence, array, Series or one-column frame
            Nodes of the graph.

        Returns
        -------
        ndarray, shape (n, communities)
            The probabilities; every row adds up to one.
        """
        check_is_fitted(self, "run_")
        return self.run_.probabilities[self._rows(X)]

    def _rows(self, X: Any) -> list[int]:
        check_is_fitted(self, "run_")
        names = _names(X)
        if any(isinstance(name, list) for name in names):  # a table
            wide = next((name for name in names if len(name) != 1), None)
            if wide is not None:
                raise ValueError(f"`X` must name a node in each row, but has {len(wide)} columns")
            names = [name[0] for name in names]
        unknown = next((name for name in names if name not in self.run_.index), None)
        if unknown is not None:
            raise ValueError(f"{unknown!r} is not a node of the graph")
        return [self.run_.index[name] for name in names]

    def __sklearn_clone__(self) -> CommunityEmbedding:
        """A new estimator with the same parameters and the same graph, not a copy of it."""
        parameters = {name: value for name, value in self.get_params(deep=False).items() if name != "graph"}
        copy = type(self)(graph=self.graph, **{name: clone(value, safe=False) for name, value in parameters.items()})
        for name in ("_sklearn_output_config", "_metadata_request"):
            if hasattr(self, name):
                setattr(copy, name, deepcopy(getattr(self, name)))
        return copy

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        rows = self.graph is None and self.affinity == "nearest_neighbors"
        tags.input_tags.two_d_array = rows
        tags.input_tags.one_d_array = self.graph is not None
        return tags


def _names(X: Any) -> list[Any]:
    """The names in an array, frame, Series or sequence; rows of a table are lists."""
    X = X.collect() if hasattr(X, "collect") else X
    if hasattr(X, "column_names"):  # of Arrow
        return [list(row) for row in zip(*(column.to_pylist() for column in X.columns), strict=True)]
    if hasattr(X, "columns"):
        X = X.to_numpy()
    if hasattr(X, "tolist") and np.ndim(X):
        return list(X.tolist())
    if isinstance(X, Mapping) or not is_sequence(X):
        raise TypeError(f"`X` must be a sequence of nodes of the graph, but is {X!r}, a {type(X).__name__}")
    return list(X)


# Not a decorator in the class: `set_output` wraps the method there, and the wrapper would exist for every estimator.
CommunityEmbedding.transform = available_if(_knows_its_graph)(CommunityEmbedding.transform)  # type: ignore[method-assign]
