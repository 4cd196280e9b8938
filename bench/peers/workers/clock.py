"""Measures wall time and CPU time."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import Iterator


@contextmanager
def timed(times: dict[str, dict[str, float]], name: str) -> Iterator[None]:
    """Stores wall and CPU seconds of the block under `name`."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    times[name] = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
