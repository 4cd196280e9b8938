"""Trained runs that estimators share, so that a grid search trains each embedding once.

A training depends on nothing but the graph, the settings and the seed. A grid of four regularisations and five folds fits the same
embedding twenty-one times; here the first fit trains and the others look it up. The cache lives in memory, in one process, and
holds the runs that were used last.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from .graph import Graph
from .run import Run

#: Runs that are kept. In a grid, candidates with the same embedding follow each other, so few are enough.
_MOST_RUNS = 8

_runs: OrderedDict[tuple[bytes, str], Run] = OrderedDict()
_lock = threading.Lock()


def cached_run(graph: Graph, settings: dict[str, Any], train: Callable[[], Run]) -> Run:
    """The run of this graph with these settings: the one in the cache, else a new one."""
    communities = settings["communities"] if settings["communities"] is not None else graph.class_count
    key = (graph.fingerprint, json.dumps({**settings, "communities": communities}, sort_keys=True))
    with _lock:
        found = _runs.get(key)
        if found is not None:
            _runs.move_to_end(key)
    if found is not None:
        return found._on(graph)
    run = train()
    with _lock:
        _runs[key] = run
        while len(_runs) > _MOST_RUNS:
            _runs.popitem(last=False)
    return run


def clear() -> None:
    """Forgets all runs."""
    with _lock:
        _runs.clear()
