"""What a training leaves behind."""

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
from ._warnings import warn
from .graph import Graph, as_graph, nodes_of
from .metrics import Scores, score
from .mixture import Mixture
from .plot import Plot

if TYPE_CHECKING:
    import pandas


class Run:
    """A trained embedding and its communities.

    Row ``i`` of every table belongs to ``nodes[i]``; ``index`` leads from a node to its row. The arrays are read-only, so that
    everything that follows from them stays true; ``run.embedding.copy()`` may be changed.
    """

    #: The nodes, as the user gave them; out of a file numbers if all names are numbers, else texts.
    nodes: Nodes
    #: The points of the nodes, a row for each.
    embedding: npt.NDArray[np.float64]
    #: The points by which nodes are predicted as contexts.
    contexts: npt.NDArray[np.float64]
    #: The communities as Gaussians.
    mixture: Mixture
    #: The settings that repeat this run.
    config: dict[str, Any]
    #: A report for each epoch, of the start that was kept. In few dimensions the first ones, the guide epochs, train in more
    #: dimensions, and their points are where the warm-up starts; so there may be more reports than warm-up epochs and epochs.
    history: list[dict[str, Any]]
    #: What became of each start; empty if there was one only.
    starts: list[dict[str, Any]]
    #: The graph that was trained; ``None`` if the run comes from a file.
    graph: Graph | None
    #: Where the time went, in seconds; ``None`` if the run comes from a file.
    seconds: dict[str, float] | None
    _checkpoint: bytes | None

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
        run.embedding, run.contexts = parts.nodes, parts.contexts
        run.mixture = Mixture(parts.weights, parts.means, parts.scales)
        run.config, run.history = json.loads(parts.config), json.loads(parts.history)
        run.config.pop("geometry", None)  # always the ball here
        run.starts = json.loads(parts.starts)
        run.graph, run.seconds, run._checkpoint = graph, seconds, checkpoint
        run._freeze()
        return run

    def _on(self, graph: Graph) -> Run:
        """This run for a graph with the same edges, whose nodes may have other names."""
        run = type(self).__new__(type(self))
        run.__dict__.update(self.__dict__, nodes=graph.nodes, graph=graph)
        run.__dict__.pop("index", None)
        return run

    def _freeze(self) -> None:
        """Makes the arrays read-only: everything that is computed once, such as the communities, follows from them."""
        mixture = self.mixture
        for array in (self.embedding, self.contexts, mixture.weights, mixture.means, mixture.scales):
            array.flags.writeable = False
        for name in ("nodes", "probabilities", "communities"):
            if isinstance(self.__dict__.get(name), np.ndarray):
                self.__dict__[name] = read_only(self.__dict__[name])

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._freeze()  # flags are not pickled

    def _parts(self) -> _hycome.Run:
        mixture, names = self.mixture, native_names(self.nodes)
        reports = (json.dumps(part) for part in (self.config, self.history, self.starts))
        return _hycome.Run(self.embedding, self.contexts, mixture.weights, mixture.means, mixture.scales, names, *reports)

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """For each node the probability of each community; every row adds up to one."""
        return read_only(self.mixture.responsibilities(self.embedding))

    @cached_property
    def communities(self) -> npt.NDArray[np.int64]:
        """The most probable community of each node, counted from 0."""
        return read_only(np.asarray(self.probabilities.argmax(axis=1), np.int64))

    @cached_property
    def index(self) -> dict[Any, int]:
        """The row of each node."""
        nodes = self.nodes.tolist() if isinstance(self.nodes, np.ndarray) else self.nodes
        return {node: row for row, node in enumerate(nodes)}

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C stopped the training."""
        return self._checkpoint is not None

    def resume(
        self,
        *,
        threads: int | None = None,
        progress: Watcher = None,
        on_interrupt: Literal["raise", "return"] = "raise",
    ) -> Run:
        """Continues an interrupted training, to a run of the same bytes as if it had never been interrupted.

        Parameters
        ----------
        threads, progress, on_interrupt
            As :func:`hycome.embed` has them.

        Returns
        -------
        Run
            The whole run.
        """
        from ._embed import resume  # which makes runs, and so imports this file

        if self._checkpoint is None or self.graph is None:
            raise ValueError("the training of this run was not interrupted, so there is nothing to resume")
        return resume(self.graph, self._checkpoint, threads, progress, on_interrupt)

    @property
    def pairs(self) -> int:
        """Pair updates of the whole training, of all starts."""
        return self._total("pairs")

    @property
    def dropped_steps(self) -> int:
        """Steps of all starts that would have left the ball and were not made."""
        return self._total("dropped_steps")

    def _total(self, name: str) -> int:
        others = [start for start in self.starts if not start["kept"]]
        return sum(int(part[name]) for part in (*self.history, *others))

    def partition(self) -> list[set[Any]]:
        """The nodes of each community, as NetworkX and cdlib take partitions."""
        parts: list[set[Any]] = [set() for _ in range(len(self.mixture))]
        for node, row in self.index.items():
            parts[self.communities[row]].add(node)
        return parts

    def metrics(self, labels: Any = None, *, graph: Any = None) -> Scores:
        """Scores of the communities: by the graph alone and, where classes are known, against them.

        ``labels`` are classes by name or in the order of :attr:`nodes`; by default those of the graph. ``graph`` is needed if
        the run comes from a file, and its nodes are matched by name. Where the sizes of the communities make scores look
        better than they are, or modularity is no higher than chance, a warning says so.
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
        """The graph with the nodes of this run in the order of this run."""
        if graph is None:
            return self.graph
        found = as_graph(graph)
        if len(found.nodes) == len(self.nodes) and list(found.nodes) == list(self.nodes):
            return found
        if not set(self.index) <= set(found.index):  # a file has made texts of the names
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
        """The run as a picture: an interactive disc in a notebook, a file if ``path`` is given.

        ``path`` ends in ``.html`` (the interactive disc), ``.svg``, ``.png`` or ``.pdf``. ``labels`` are classes to colour by,
        ``graph`` gives the edges of a run that comes from a file, ``classifier`` is a fitted classifier of this package whose
        regions are shown, ``edges`` is the largest number of edges. What else is given goes to :meth:`Plot.save`.
        """
        on = self._graph(graph)
        known = on._labels if labels is None and on is not None else None
        if labels is not None:
            known = native_labels(labels, self.nodes)
        model = None if classifier is None else getattr(classifier, "model_", classifier)
        name = title if title is not None else "run" if on is None else on.name
        scene = _hycome.Scene(self._parts(), name, None if on is None else on._native, known, model, edges)
        plot = Plot(scene)
        if path is not None:
            plot.save(path, **figure)
        elif figure:
            raise TypeError(f"plot() got {', '.join(figure)}, which only files have; give a path")
        return plot

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each node: its community, how probable that is, and its coordinates ``x0``, ``x1``, …"""
        import pandas

        coordinates = {f"x{i}": column for i, column in enumerate(self.embedding.T)}
        index = pandas.Index(self.nodes, name="node", tupleize_cols=False)
        columns = {"community": self.communities, "probability": self.probabilities.max(axis=1), **coordinates}
        frame: pandas.DataFrame = pandas.DataFrame(columns, index=index)
        return frame

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the run to a safetensors file, whole or not at all. Names are written as texts.

        What an interrupted training would need to go on is not in that file; give :func:`hycome.embed` a ``checkpoint``.
        """
        self._parts().save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Run:
        """Reads a run from its file, or from the folder that the command ``hycome embed`` wrote."""
        return cls._of_parts(_hycome.Run.load(os.fspath(path)))

    def __len__(self) -> int:
        return len(self.embedding)

    def __repr__(self) -> str:
        count, dim = self.embedding.shape
        stopped = ", interrupted" if self.interrupted else ""
        return f"<Run: {count} nodes in {dim} dimensions, {len(self.mixture)} communities{stopped}>"
