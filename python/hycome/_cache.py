"""LRU cache of runs shared by estimators, so that a grid search trains each embedding once.

Training is deterministic given the graph, the hyperparameters and the seed. A grid search over four regularization
strengths with five folds fits the same embedding 21 times; only the first fit trains. The cache is in memory and
per process.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from .graph import Graph
from .run import Run

#: Capacity. A grid search visits candidates with the same embedding consecutively, so a small cache suffices.
_MAX_RUNS = 8

_runs: OrderedDict[tuple[bytes, str], Run] = OrderedDict()
_lock = threading.Lock()


def cached_run(graph: Graph, settings: dict[str, Any], train: Callable[[], Run]) -> Run:
    """Returns the cached run of this graph and these settings, or trains one."""
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
        while len(_runs) > _MAX_RUNS:
            _runs.popitem(last=False)
    return run


def clear() -> None:
    """Empties the cache."""
    with _lock:
        _runs.clear()
