"""Exception raised when Ctrl-C stops training."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from . import _hycome

if TYPE_CHECKING:
    from ._progress import Watcher
    from .graph import Graph
    from .run import Run

_WORDS = "the training was interrupted; `run` of this exception is the run so far, and `resume()` continues it"


class Interrupted(KeyboardInterrupt):
    """Raised on Ctrl-C during :func:`hycome.embed` or :meth:`hycome.Run.resume`.

    A subclass of :class:`KeyboardInterrupt`, so it stops loops, scripts and notebooks. The state of training is kept::

        try:
            run = hycome.embed(graph)
        except hycome.Interrupted as interrupted:
            run = interrupted.run          # the run so far
            run = interrupted.resume()     # or finish training
    """

    #: The graph.
    graph: Graph
    _checkpoint: bytes | None

    @classmethod
    def _at(cls, graph: Graph, checkpoint: bytes | None, finished: Run | None) -> Interrupted:
        stopped = cls(_WORDS)
        stopped.graph, stopped._checkpoint = graph, checkpoint
        if finished is not None:
            stopped.run = finished
        return stopped

    @cached_property
    def run(self) -> Run:
        """The run so far. Communities are fitted to its points on first access, which may take a while.

        Raises :class:`ValueError` if training was stopped before its first epoch.
        """
        from .run import Run  # circular import

        if self._checkpoint is None:
            raise ValueError("the training was stopped before it began, so there is no run")
        parts = _hycome.unfinished(self._checkpoint)
        return Run._of_parts(parts, nodes=self.graph.nodes, graph=self.graph, checkpoint=self._checkpoint)

    def resume(self, *, threads: int | None = None, progress: Watcher = None) -> Run:
        """Resumes training; the result is bit-identical to that of an uninterrupted run.

        Parameters
        ----------
        threads : int, optional
            Number of threads, 1 to 4096; by default one per core.
        progress : bool or callable, optional
            As in :func:`hycome.embed`.

        Returns
        -------
        Run
            The finished run.
        """
        from ._embed import resume

        if self._checkpoint is None:
            return self.run
        return resume(self.graph, self._checkpoint, threads, progress, "raise")
