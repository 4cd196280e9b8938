"""Results of training."""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import read_only
from ._columns import Nodes
from ._labels import native_labels, native_names
from ._progress import Watcher
from ._settings import whole
from ._warnings import warn
from .graph import Graph, as_graph, nodes_of
from .metrics import Scores, score
from .mixture import Mixture
from .plot import Plot

if TYPE_CHECKING:
    import pandas


class Run:
    """A trained embedding and its communities.

    Row ``i`` of every array belongs to ``nodes[i]``; ``index`` maps a node to its row. Arrays are read-only, so that
    cached properties stay consistent; use ``run.embedding.copy()`` to modify one.
    """

    #: The nodes as given by the user; if read from a file, integers if all names are integers, else strings.
    nodes: Nodes
    #: Points of the nodes, one row each.
    embedding: npt.NDArray[np.float64]
    #: Context points of the nodes (second-order loss).
    contexts: npt.NDArray[np.float64]
    #: Two-dimensional layout of the nodes in the Poincaré disc, one row each: a second embedding, trained to keep the
    #: communities apart in plots. ``None`` in two dimensions, where the embedding itself is drawn, for more than 500
    #: communities, if training was interrupted, and in files of ``hycome embed`` with a training animation.
    layout: npt.NDArray[np.float64] | None
    #: The communities as Gaussians.
    mixture: Mixture
    #: Hyperparameters that reproduce this run.
    config: dict[str, Any]
    #: Report of each epoch of the best restart. In few dimensions it starts with the epochs of pre-training, so it may
    #: be longer than the number of warm-up epochs and epochs.
    history: list[dict[str, Any]]
    #: Report of each restart; empty if there was only one.
    restarts: list[dict[str, Any]]
    #: The graph; ``None`` if the run was read from a file.
    graph: Graph | None
    #: Seconds of each training step and in total; ``None`` if the run was read from a file.
    seconds: dict[str, float] | None
    _checkpoint: bytes | None
    _warnings: list[str]

    @classmethod
    def _of_parts(
        cls,
        parts: _hycome.Run,
        *,
        nodes: Nodes | None = None,
        graph: Graph | None = None,
        seconds: dict[str, float] | None = None,
        checkpoint: bytes | None = None,
    ) -> Run:
        run = cls.__new__(cls)
        run.nodes = nodes_of(parts.names) if nodes is None else nodes
        run.embedding, run.contexts, run.layout = parts.nodes, parts.contexts, parts.layout
        run.mixture = Mixture(parts.weights, parts.means, parts.scales)
        run.config, run.history = json.loads(parts.config), json.loads(parts.history)
        run.config.pop("geometry", None)  # always the Poincaré ball
        run.restarts = json.loads(parts.restarts)
        run._warnings = parts.warnings
        run.graph, run.seconds, run._checkpoint = graph, seconds, checkpoint
        run._freeze()
        return run

    def _on(self, graph: Graph) -> Run:
        """Copy of this run for a graph with the same edges but possibly other node names."""
        run = type(self).__new__(type(self))
        run.__dict__.update(self.__dict__, nodes=graph.nodes, graph=graph)
        run.__dict__.pop("index", None)
        return run

    def _freeze(self) -> None:
        """Makes the arrays read-only, because cached properties such as ``communities`` derive from them."""
        mixture = self.mixture
        for array in (self.embedding, self.contexts, self.layout, mixture.weights, mixture.means, mixture.scales):
            if array is not None:
                array.flags.writeable = False
        for name in ("nodes", "probabilities", "communities"):
            if isinstance(self.__dict__.get(name), np.ndarray):
                self.__dict__[name] = read_only(self.__dict__[name])

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._freeze()  # flags are not pickled

    def _parts(self) -> _hycome.Run:
        points, mixture = (self.embedding, self.contexts, self.layout), self.mixture
        reports = (json.dumps(part) for part in (self.config, self.history, self.restarts))
        return _hycome.Run(*points, mixture.weights, mixture.means, mixture.scales, native_names(self.nodes), *reports)

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """Probability of each community for each node; every row sums to one."""
        return read_only(self.mixture.responsibilities(self.embedding))

    @cached_property
    def communities(self) -> npt.NDArray[np.int64]:
        """Most probable community of each node, counted from 0."""
        return read_only(np.asarray(self.probabilities.argmax(axis=1), np.int64))

    @cached_property
    def index(self) -> dict[Any, int]:
        """Row of each node."""
        nodes = self.nodes.tolist() if isinstance(self.nodes, np.ndarray) else self.nodes
        return {node: row for row, node in enumerate(nodes)}

    @property
    def interrupted(self) -> bool:
        """Whether training was stopped by Ctrl-C."""
        return self._checkpoint is not None

    def resume(
        self,
        *,
        threads: int | None = None,
        progress: Watcher = None,
        on_interrupt: Literal["raise", "return"] = "raise",
    ) -> Run:
        """Resumes an interrupted run; the result is bit-identical to that of an uninterrupted run.

        Parameters
        ----------
        threads : int, optional
            Number of threads, 1 to 4096; by default one per core.
        progress : bool or callable, optional
            As in :func:`hycome.embed`.
        on_interrupt : {'raise', 'return'}, default: 'raise'
            As in :func:`hycome.embed`.

        Returns
        -------
        Run
            The finished run.
        """
        from ._embed import resume  # circular import

        if self._checkpoint is None or self.graph is None:
            raise ValueError("the training of this run was not interrupted, so there is nothing to resume")
        return resume(self.graph, self._checkpoint, threads, progress, on_interrupt)

    @property
    def pairs(self) -> int:
        """Number of pair updates, over all restarts."""
        return self._total("pairs")

    @property
    def dropped_steps(self) -> int:
        """Number of updates skipped because they would leave the ball, over all restarts."""
        return self._total("dropped_steps")

    def _total(self, name: str) -> int:
        others = [restart for restart in self.restarts if not restart["kept"]]
        return sum(int(part[name]) for part in (*self.history, *others))

    def partition(self) -> list[set[Any]]:
        """Nodes of each community, in the format of NetworkX and cdlib.

        Returns
        -------
        list of set
            One set per community, possibly empty, in the order of :attr:`mixture`.

        Examples
        --------
        >>> import hycome
        >>> sum(len(part) for part in hycome.embed("karate", communities=2).partition())
        34
        """
        parts: list[set[Any]] = [set() for _ in range(len(self.mixture))]
        for node, row in self.index.items():
            parts[self.communities[row]].add(node)
        return parts

    def metrics(self, labels: Any = None, *, graph: Any = None) -> Scores:
        """Clustering scores, from the graph and, if there are labels, against ground truth.

        Parameters
        ----------
        labels : mapping, Series, sequence, array, frame or path, optional
            Ground truth, in any form accepted by :meth:`hycome.Graph.with_labels`; by default that of the graph.
        graph : object, optional
            Graph of a run that was read from a file; nodes are matched by name.

        Returns
        -------
        Scores
            All scores and the community sizes.

        Warns
        -----
        UserWarning
            If community sizes make scores misleading, or modularity is no higher than expected by chance.

        Examples
        --------
        >>> import hycome
        >>> hycome.embed("karate", communities=2).metrics().nmi > 0.5
        True
        """
        on = self._graph(graph)
        if on is None:
            raise ValueError("the run comes from a file, which holds no graph; give it with `graph`")
        known = on._labels if labels is None else native_labels(labels, on.nodes)
        scores = score(on, self.communities, known, communities_count=len(self.mixture))
        count = len(self.mixture)
        found = _hycome.graph_warnings(on._native, self.communities.astype(np.uint32), count)
        for words in (*_hycome.size_warnings(scores.sizes, known), *found):
            warn(words)
        return scores

    def _graph(self, graph: Any) -> Graph | None:
        """The graph, with its nodes in the order of this run."""
        if graph is None:
            return self.graph
        found = as_graph(graph)
        if len(found.nodes) == len(self.nodes) and list(found.nodes) == list(self.nodes):
            return found
        if not set(self.index) <= set(found.index):  # names read from a file may be strings
            by_text = {str(node): node for node in found.index}
            missing = next((node for node in self.index if str(node) not in by_text), None)
            if missing is not None:
                raise ValueError(f"{missing!r} is not a node of the graph; give the graph that was trained")
            return found.subgraph([by_text[str(node)] for node in self.index])
        return found.subgraph(list(self.index))

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str | None = None,
        labels: Any = None,
        graph: Any = None,
        classifier: Any = None,
        edges: int | None = None,
        **figure: Any,
    ) -> Plot:
        """Plots the run, as the interactive viewer in a notebook or as a file.

        An embedding of two dimensions is drawn as it is, one of more by :attr:`layout` or, without one, by projection.

        Parameters
        ----------
        path : str or path, optional
            File to write, with the extension ``.html`` (interactive viewer), ``.svg``, ``.png`` or ``.pdf``.
        title : str, optional
            Title; by default the name of the graph.
        labels : mapping, Series, sequence, array, frame or path, optional
            Classes to colour by, in any form accepted by :meth:`hycome.Graph.with_labels`; by default those of the
            graph.
        graph : object, optional
            Graph of a run that was read from a file, to draw its edges.
        classifier : estimator, optional
            Fitted classifier of this package, to colour by its predictions and, in two dimensions, draw its decision
            regions.
        edges : int, optional
            Maximum number of edges to draw.
        **figure
            Options of :meth:`Plot.save`, if ``path`` is given.

        Returns
        -------
        Plot
            The plot.

        Examples
        --------
        >>> import hycome
        >>> hycome.embed("karate", communities=2).plot()
        <Plot: .save(path) writes it as .html, .svg, .png or .pdf>
        """
        on = self._graph(graph)
        known = on._labels if labels is None and on is not None else None
        if labels is not None:
            known = native_labels(labels, self.nodes)
        model = None if classifier is None else getattr(classifier, "model_", classifier)
        if not isinstance(model, _hycome.Classifier | None):
            raise TypeError(f"`classifier` must be a fitted classifier of hycome, but is {classifier!r}")
        most_edges = None if edges is None else whole("edges", edges)
        name = str(title) if title is not None else "run" if on is None else on.name
        scene = _hycome.Scene(self._parts(), name, None if on is None else on._native, known, model, most_edges)
        plot = Plot(scene)
        if path is not None:
            plot.save(path, **figure)
        elif figure:
            raise TypeError(f"plot() got {', '.join(figure)}, which only files have; give a path")
        return plot

    def to_pandas(self) -> pandas.DataFrame:
        """Converts to a DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per node, with its ``community``, the ``probability`` of that community and coordinates ``x0``,
            ``x1``, …
        """
        import pandas

        coordinates = {f"x{i}": column for i, column in enumerate(self.embedding.T)}
        index = pandas.Index(self.nodes, name="node", tupleize_cols=False)
        columns = {"community": self.communities, "probability": self.probabilities.max(axis=1), **coordinates}
        frame: pandas.DataFrame = pandas.DataFrame(columns, index=index)
        return frame

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the run atomically to a safetensors file. Node names are converted to strings.

        The file does not contain the training state of an interrupted run; use ``checkpoint`` of :func:`hycome.embed`.

        Parameters
        ----------
        path : str or path
            The file.
        """
        self._parts().save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Run:
        """Reads a run from its file, or from the output folder of ``hycome embed``.

        Parameters
        ----------
        path : str or path
            The file or folder.

        Returns
        -------
        Run
            The run, without its graph.

        Examples
        --------
        >>> import hycome, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     hycome.embed("karate", communities=2).save(f"{folder}/run.safetensors")
        ...     len(Run.load(f"{folder}/run.safetensors"))
        34
        """
        return cls._of_parts(_hycome.Run.load(os.fspath(path)))

    def __len__(self) -> int:
        return len(self.embedding)

    def __repr__(self) -> str:
        count, dim = self.embedding.shape
        stopped = ", interrupted" if self.interrupted else ""
        return f"<Run: {count} nodes in {dim} dimensions, {len(self.mixture)} communities{stopped}>"
