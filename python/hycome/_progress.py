"""Progress of training: a tqdm bar, a user's callback, or nothing."""

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
    """Progress of training."""

    #: Current epoch, counted from 1.
    epoch: int
    #: Number of epochs.
    epochs: int
    #: Fraction of training that is done, 0 to 1.
    done: float
    #: Pair updates so far.
    pairs: int


#: The ``progress`` argument: whether to show a bar, or a callback.
Watcher = bool | Callable[[Progress], object] | None


@contextmanager
def listening(progress: Watcher) -> Iterator[Listener]:
    """Creates the progress callback of the extension module.

    It calls the user's callback, or updates a bar: always with ``True``, never with ``False``, and with ``None`` if
    tqdm is installed and the output is a terminal or notebook. It also logs the start of each epoch.
    """
    if progress is not None and not callable(progress):
        flag("progress", progress)
    callback: Callable[[Progress], object] | None = progress if callable(progress) else None
    bar = None if callback is not None or progress is False else _bar(progress is True)
    last = 0

    def listen(epoch: int, epochs: int, done: float, pairs: int) -> None:
        nonlocal last
        if epoch != last:
            logger.debug("epoch %d of %d begins, %d pairs so far", epoch, epochs, pairs)
            last = epoch
        if callback is not None:
            callback(Progress(epoch, epochs, done, pairs))
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
            warnings.simplefilter("ignore")  # notebooks without widgets fall back to a text bar
            from tqdm.auto import tqdm
    except ImportError:
        if is_wanted:
            raise ImportError("a progress bar needs tqdm; install it with: pip install tqdm") from None
        return None
    layout = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}, {postfix}"
    hidden = False if is_wanted else None  # None: tqdm hides the bar unless the output is a terminal
    return tqdm(total=1.0, desc="hycome", bar_format=layout, disable=hidden, leave=False)
