"""Progress of a training: a bar by tqdm where it is installed, the user's own function, or nothing."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ._settings import flag

logger = logging.getLogger("hycome")

Listener = Callable[[int, int, float, int], None]


class Progress(NamedTuple):
    """How far a training is."""

    #: The running epoch, counted from 1.
    epoch: int
    #: All epochs.
    epochs: int
    #: Share of the whole training that is done, 0 to 1.
    done: float
    #: Pair updates so far.
    pairs: int


#: What users give: whether there is a bar, or what is called instead.
Watcher = bool | Callable[[Progress], object] | None


@contextmanager
def listening(progress: Watcher) -> Iterator[Listener]:
    """What a training calls with its progress.

    A function is called with every :class:`Progress`. Else there is a bar: with ``True`` always, with ``None`` where tqdm is
    installed and somebody watches, with ``False`` never. The log hears of each epoch in any case.
    """
    if progress is not None and not callable(progress):
        flag("progress", progress)
    told: Callable[[Progress], object] | None = progress if callable(progress) else None
    bar = None if told is not None or progress is False else _bar(progress is True)
    last = 0

    def listen(epoch: int, epochs: int, done: float, pairs: int) -> None:
        nonlocal last
        if epoch != last:
            logger.debug("epoch %d of %d begins, %d pairs so far", epoch, epochs, pairs)
            last = epoch
        if told is not None:
            told(Progress(epoch, epochs, done, pairs))
        elif bar is not None:
            bar.set_postfix_str(f"epoch {epoch} of {epochs}", refresh=False)
            bar.update(done - bar.n)

    try:
        yield listen
    finally:
        if bar is not None:
            bar.close()


def _bar(is_wanted: bool) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of notebooks without widgets, where the bar is text
            from tqdm.auto import tqdm
    except ImportError:
        if is_wanted:
            raise ImportError("a progress bar needs tqdm; install it with: pip install tqdm") from None
        return None
    layout = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}, {postfix}"
    hidden = False if is_wanted else None  # None hides a bar that no terminal would show
    return tqdm(total=1.0, desc="hycome", bar_format=layout, disable=hidden, leave=False)
