"""Description of the machine."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

AVX512 = ("avx512f", "avx512dq", "avx512vl")


def processor(info: str | None = None) -> str:
    """CPU model name."""
    found = re.search(r"^model name\s*:\s*(.+)$", _info() if info is None else info, re.MULTILINE)
    return found.group(1).strip() if found else platform.machine()


def missing_avx512(info: str | None = None) -> list[str]:
    """AVX-512 extensions that the hand-tuned kernel needs and the processor lacks."""
    found = re.search(r"^flags\s*:\s*(.+)$", _info() if info is None else info, re.MULTILINE)
    flags = set(found.group(1).split()) if found else set()
    return [flag for flag in AVX512 if flag not in flags]


def description() -> str:
    """CPU, cores, load and operating system."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{processor()}, {cores} cores, load {os.getloadavg()[0]:.1f} at the start, {platform.system()} {platform.release()}"


def _info() -> str:
    path = Path("/proc/cpuinfo")
    return path.read_text() if path.is_file() else ""
