"""Training of embeddings."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from . import _hycome
from ._convert import Kind, Repeated
from ._docs import documented
from ._interrupted import Interrupted
from ._labels import native_names, of_attribute
from ._progress import Listener, Watcher, listening
from ._seed import Seed
from ._settings import bytes_of, checked, choice, flag, real, threads_of
from ._warnings import warn
from .graph import Graph, as_graph
from .run import Run

#: Run if finished, seconds of each training step, checkpoint if stopped, whether Ctrl-C was pressed, checkpoint error.
Trained = tuple[_hycome.Run | None, list[float], bytes | None, bool, str | None]

#: Effect of Ctrl-C during training.
OnInterrupt = Literal["raise", "return"]

logger = logging.getLogger("hycome")


@documented("train")
def embed(
    graph: Any,
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
    labels: Any = None,
    kind: Kind | None = None,
    repeated: Repeated | None = None,
    header: bool | None = None,
    largest_component: bool = False,
    unweighted: bool = False,
    threads: int | None = None,
    max_memory: int | str | None = None,
    progress: Watcher = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_minutes: float = 10.0,
    on_interrupt: OnInterrupt = "raise",
) -> Run:
    """Embeds the nodes of a graph in the Poincaré ball and detects communities jointly.

    Ctrl-C stops training within a second and raises :class:`hycome.Interrupted`, which holds the run so far and can
    resume it.

    Parameters
    ----------
    graph : object
        A NetworkX or igraph graph, a SciPy sparse matrix, a pandas, Polars or Arrow frame of edges, a NumPy array of
        edges, a list of pairs, a path, or the name of a public graph; see :func:`hycome.as_graph`.
    {settings}
    labels : object, optional
        Ground-truth classes of the nodes, which set the default number of communities and are used for scores: a
        mapping by name, a sequence in the order of the nodes, a label file, or the name of a node attribute of a
        NetworkX or igraph graph; see :meth:`hycome.Graph.with_labels`.
    kind : {'edges', 'adjacency', 'edge_index'}, optional
        What an array or frame holds: ``"edges"``, ``"adjacency"`` or ``"edge_index"``; see :func:`hycome.as_graph`.
    repeated : {'sum', 'max', 'first'}, optional
        How weights of repeated edges are combined: ``"sum"`` (the default), ``"max"`` or ``"first"``; see
        :func:`hycome.as_graph`.
    header : bool, optional
        Whether the first line of an edge list in a file is a header; detected by default.
    largest_component : bool, default: False
        Keep only the largest connected component.
    unweighted : bool, default: False
        Ignore edge weights.
    threads : int, optional
        Number of threads, 1 to 4096; by default one per core. The result does not depend on it.
    max_memory : int or str, optional
        Memory limit of the process, in bytes or as a string such as ``"500M"`` or ``"2G"``; by default the memory of
        the machine. Training that needs more raises :class:`MemoryError` before it starts.
    progress : bool or callable, optional
        ``True`` shows a tqdm progress bar, ``False`` shows nothing, and a callable is called with each ``Progress``. By
        default a bar is shown if tqdm is installed and the output is a terminal or notebook.
    checkpoint : str or path, optional
        File for the training state. If it exists, after a crash, a power cut or Ctrl-C, the same call resumes from it
        and the result is bit-identical to that of an uninterrupted run. The file is removed when training finishes.
    checkpoint_minutes : float, default: 10.0
        Minutes between checkpoints; Ctrl-C also writes one.
    on_interrupt : {'raise', 'return'}, default: 'raise'
        Effect of Ctrl-C: ``"raise"`` raises :class:`hycome.Interrupted`, ``"return"`` warns and returns the run so far,
        with its ``interrupted`` true.

    Returns
    -------
    Run
        Points of the nodes, and their communities.

    Raises
    ------
    Interrupted
        On Ctrl-C; a subclass of :class:`KeyboardInterrupt`.
    MemoryError
        If training would exceed ``max_memory`` or the memory of the machine.
    ValueError, TypeError, OSError
        If the graph, the labels, a setting or a file is invalid.
    FloatingPointError
        If points become infinite or NaN.

    Examples
    --------
    >>> run = embed("karate", communities=2)
    >>> run.embedding.shape, run.metrics().nmi > 0.5
    ((34, 32), True)
    """
    choice("on_interrupt", on_interrupt, ("raise", "return"))
    settings = checked({name: value for name, value in locals().items() if name in _SETTINGS}, embed.__annotations__)
    threads, limit = threads_of(threads), bytes_of(max_memory)
    minutes = real("checkpoint_minutes", checkpoint_minutes)
    found = as_graph(graph, kind=kind, repeated=repeated, header=header)
    if labels is not None:
        found = found._with_labels(of_attribute(graph, labels), many_classes=communities is not None)
    if flag("largest_component", largest_component):
        found = found.largest_component()
    if flag("unweighted", unweighted):
        found = found.unweighted()
    if communities is None:
        settings["communities"] = found.class_count or None
    names = native_names(found.nodes)
    logger.info("training %r, seed %s", found, settings["seed"])
    file = None if checkpoint is None else os.fspath(checkpoint)

    def train(listener: Listener) -> Trained:
        given = json.dumps(settings)
        return _hycome.train(found._native, names, given, threads, listener, file, minutes, limit)

    return _trained(found, train, progress, on_interrupt)


def resume(graph: Graph, checkpoint: bytes, threads: int | None, progress: Watcher, on_interrupt: OnInterrupt) -> Run:
    """Resumes an interrupted run."""
    choice("on_interrupt", on_interrupt, ("raise", "return"))
    names = native_names(graph.nodes)
    logger.info("resuming the training of %r", graph)

    def train(listener: Listener) -> Trained:
        return _hycome.resume(graph._native, names, checkpoint, threads_of(threads), listener)

    return _trained(graph, train, progress, on_interrupt)


def _trained(graph: Graph, train: Callable[[Listener], Trained], progress: Watcher, on_interrupt: OnInterrupt) -> Run:
    start = time.perf_counter()
    with listening(progress) as listener:
        parts, seconds, checkpoint, is_interrupted, fault = train(listener)
    moves = dict(zip(("first_order", "second_order", "community", "em"), seconds, strict=True))
    moves["total"] = time.perf_counter() - start
    run = None
    if parts is not None:
        run = Run._of_parts(parts, nodes=graph.nodes, graph=graph, seconds=moves)
    if fault is not None:
        warn(f"the checkpoint: {fault}", RuntimeWarning)
    if is_interrupted or run is None:
        run = _interrupted(Interrupted._at(graph, checkpoint, run), moves, on_interrupt)
    logger.info("trained %d pairs in %d dimensions in %.2f s", run.pairs, run.embedding.shape[1], moves["total"])
    _warn(run)
    return run


def _interrupted(stopped: Interrupted, seconds: dict[str, float], on_interrupt: OnInterrupt) -> Run:
    """Raises the exception or returns the run so far, depending on ``on_interrupt``."""
    if on_interrupt == "raise":
        raise stopped
    try:
        run = stopped.run
    except ValueError:
        raise stopped from None
    run.seconds = seconds
    if run.interrupted:
        words = f"interrupted in epoch {len(run.history)}; the run is unfinished, and run.resume() continues it"
        warn(words, RuntimeWarning)
    return run


_SETTINGS = frozenset(name for name, _, _ in _hycome.settings("train"))


def _warn(run: Run) -> None:
    """Emits the warnings of a run."""
    for words in run._warnings:
        warn(words, RuntimeWarning)
    texts = {str(node) for node in run.nodes} if not isinstance(run.nodes, np.ndarray) else run.nodes
    if len(texts) < len(run.nodes):
        warn(
            "some nodes have the same name as text, so they are indistinguishable in files of this run", RuntimeWarning
        )
