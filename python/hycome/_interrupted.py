"""A training that Ctrl-C stopped."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from . import _hycome

if TYPE_CHECKING:
    from ._progress import Watcher
    from .graph import Graph
    from .run import Run

_WORDS = "the training was interrupted; `run` of this exception is what was learnt so far, and `resume()` continues"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during :func:`hycome.embed` or :meth:`hycome.Run.resume`.

    It is a :class:`KeyboardInterrupt`, so it stops loops, scripts and notebooks as every Ctrl-C does. Nothing is lost::

        try:
            run = hycome.embed(graph)
        except hycome.Interrupted as interrupted:
            run = interrupted.run          # what was learnt so far
            run = interrupted.resume()     # or go on to the end
    """

    #: The graph that was trained.
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
        """The run so far, with communities fitted to its points when this is first asked for, which may take a while.

        Raises :class:`ValueError` if the training was stopped before its first epoch.
        """
        from .run import Run  # which imports this file

        if self._checkpoint is None:
            raise ValueError("the training was stopped before it began, so there is no run")
        parts = _hycome.unfinished(self._checkpoint)
        return Run._of_parts(parts, nodes=self.graph.nodes, graph=self.graph, checkpoint=self._checkpoint)

    def resume(self, *, threads: int | None = None, progress: Watcher = None) -> Run:
        """Continues the training, to a run of the same bytes as if it had never been interrupted.

        Parameters
        ----------
        threads : int, optional
            Threads, 1 to 4096; by default all cores.
        progress : bool or callable, optional
            As :func:`hycome.embed` has it.

        Returns
        -------
        Run
            The finished run.
        """
        from ._embed import resume

        if self._checkpoint is None:
            return self.run
        return resume(self.graph, self._checkpoint, threads, progress, "raise")
