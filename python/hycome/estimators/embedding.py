"""Graph embedding as a scikit-learn estimator."""

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


def _has_graph(estimator: CommunityEmbedding) -> bool:
    """Whether ``X`` names nodes of a given graph rather than being the graph."""
    return estimator.graph is not None


@documented("train")
class CommunityEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """Hyperbolic embedding and communities of a graph.

    The meaning of ``X`` depends on two parameters:

    - ``CommunityEmbedding().fit(X)``: ``X`` is a graph accepted by :func:`hycome.embed`. ``fit_transform(X)`` returns
      points and ``fit_predict(X)`` communities.
    - ``CommunityEmbedding(graph=G).fit(X)``: ``X`` names nodes of the graph ``G``. The whole graph is embedded, and
      ``transform(X)`` and ``predict(X)`` return the points and communities of the nodes. Use this form in pipelines and
      cross-validation of node classification: folds are sets of nodes, and training does not use labels.
    - ``CommunityEmbedding(affinity="nearest_neighbors").fit(X)``: ``X`` is a feature matrix, and the graph joins each
      sample with its ``n_neighbors`` nearest neighbours.

    The last eight runs are cached per process, so that the folds of a cross-validation and the candidates of a grid
    search train again only if the graph or a hyperparameter changes. Clones share the graph. Ctrl-C raises
    :class:`KeyboardInterrupt`; an unfinished embedding is never scored.

    Parameters
    ----------
    {settings}
    graph : object, optional
        Graph whose nodes ``X`` names; by default ``X`` is the graph.
    affinity : {'graph', 'nearest_neighbors'}, default: 'graph'
        Whether ``X`` is a graph or a feature matrix.
    n_neighbors : int, default: 10
        Number of nearest neighbours of each sample.
    cache : bool, default: True
        Whether to share runs with other fits of the same graph and hyperparameters. Runs whose ``seed`` is ``None`` or
        a generator are never shared.
    threads : int, optional
        Number of threads, 1 to 4096; by default one per core. The result does not depend on it.

    Attributes
    ----------
    run_ : hycome.Run
        The run.
    embedding_ : ndarray, shape (nodes, dim)
        Points of all nodes of the graph, in the order of ``run_.nodes``.
    labels_ : ndarray, shape (nodes,)
        Community of each node, counted from 0.
    mixture_ : hycome.Mixture
        The communities as Gaussians.

    Examples
    --------
    >>> import hycome
    >>> hycome.CommunityEmbedding(2).fit_transform("karate").shape
    (34, 32)
    """

    def __init__(
        self,
        communities: int | None = None,
        *,
        dim: int | None = None,
        curvature: float | None = None,
        seed: Seed = 1,
        restarts: int | None = None,
        alpha: float | None = None,
        beta: float = 1.0,
        gamma: float | None = None,
        walks: int | None = None,
        walk_length: int = 80,
        window: int | None = None,
        negatives: int | None = None,
        noise_exponent: float | None = None,
        negative_sharing: Literal["none", "center"] = "none",
        pretrain_dim: int | None = None,
        scale_shrinkage: float | None = None,
        warmup_epochs: int = 4,
        epochs: int = 4,
        learning_rate: float | None = None,
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
        self.noise_exponent = noise_exponent
        self.negative_sharing = negative_sharing
        self.pretrain_dim = pretrain_dim
        self.scale_shrinkage = scale_shrinkage
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
        """Trains the embedding.

        Parameters
        ----------
        X : object, optional
            A graph, node names, or a feature matrix; see :class:`CommunityEmbedding`.
        y : ignored
            Not used, present for API consistency.

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
        """Points of all nodes."""
        check_is_fitted(self, "run_")
        return self.run_.embedding

    @property
    def labels_(self) -> npt.NDArray[np.int64]:
        """Communities of all nodes."""
        check_is_fitted(self, "run_")
        return self.run_.communities

    @property
    def mixture_(self) -> Mixture:
        """The communities as Gaussians."""
        check_is_fitted(self, "run_")
        return self.run_.mixture

    def fit_transform(self, X: Any = None, y: Any = None) -> Array:
        """Trains the embedding and returns the points of all nodes, or of those in ``X`` if ``graph`` is given.

        Parameters
        ----------
        X : object, optional
            A graph, node names, or a feature matrix; see :class:`CommunityEmbedding`.
        y : ignored
            Not used, present for API consistency.

        Returns
        -------
        ndarray, shape (n, dim)
            Points of the ball; a DataFrame if configured by :meth:`set_output`.
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
        """Container configured by :meth:`set_output`."""
        config = getattr(self, "_sklearn_output_config", {})
        return config.get("transform", get_config().get("transform_output"))

    def fit_predict(self, X: Any = None, y: Any = None) -> npt.NDArray[np.int64]:
        """Trains the embedding and returns the communities of all nodes, or of those in ``X`` if ``graph`` is given.

        Parameters
        ----------
        X : object, optional
            A graph, node names, or a feature matrix; see :class:`CommunityEmbedding`.
        y : ignored
            Not used, present for API consistency.

        Returns
        -------
        ndarray, shape (n,)
            The communities, counted from 0.
        """
        self.fit(X, y)
        return self.labels_ if self.graph is None else self.predict(X)

    def transform(self, X: Any) -> Array:
        """Points of nodes; available only if ``graph`` is given.

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

    @available_if(_has_graph)
    def predict(self, X: Any) -> npt.NDArray[np.int64]:
        """Communities of nodes; available only if ``graph`` is given.

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

    @available_if(_has_graph)
    def predict_proba(self, X: Any) -> Array:
        """Probability of each community for nodes; available only if ``graph`` is given.

        Parameters
        ----------
        X : sequence, array, Series or one-column frame
            Nodes of the graph.

        Returns
        -------
        ndarray, shape (n, communities)
            Probabilities; every row sums to one.
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
        """Clones the estimator; the graph is shared instead of copied."""
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
    """Node names in an array, frame, Series or sequence; rows of a table become lists."""
    X = X.collect() if hasattr(X, "collect") else X
    if hasattr(X, "column_names"):  # Arrow
        return [list(row) for row in zip(*(column.to_pylist() for column in X.columns), strict=True)]
    if hasattr(X, "columns"):
        X = X.to_numpy()
    if hasattr(X, "tolist") and np.ndim(X):
        return list(X.tolist())
    if isinstance(X, Mapping) or not is_sequence(X):
        raise TypeError(f"`X` must be a sequence of nodes of the graph, but is {X!r}, a {type(X).__name__}")
    return list(X)


# Not a decorator: `set_output` wraps the method in the class, and the wrapper would be available for every estimator.
CommunityEmbedding.transform = available_if(_has_graph)(CommunityEmbedding.transform)  # type: ignore[method-assign]
