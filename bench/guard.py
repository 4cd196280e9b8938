#!/usr/bin/env python3
"""Whether small pieces of work need more instructions than before: a guard against slowness that no other work disturbs.

    python3 bench/guard.py             compare with what is stored, and fail beyond 3 %
    python3 bench/guard.py --store     store what is counted

Valgrind counts the instructions of training a generated graph, and of EM, on one thread. The count depends on the
compiler and on the vectors that the machine has, so each combination has its line in `bench/instructions.json`; where there
is none, there is nothing to compare with, and the script says so. Needs valgrind and a Rust toolchain.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / "bench" / "instructions.json"
TOLERANCE = 0.03
"""More than this share above what is stored fails; less than this below it should be stored."""

GRAPH = "lfr --nodes 2000 --average-degree 10".split()
SETTINGS = "--communities 1 --walks 4 --walk-length 40 --window 5 --negatives 5 --warmup-epochs 2 --epochs 0".split()


def main(arguments: list[str]) -> int:
    """Counts, and compares or stores."""
    parser = argparse.ArgumentParser(description="Compare instruction counts with those stored.")
    parser.add_argument("--store", action="store_true", help="store the counts instead of comparing")
    options = parser.parse_args(arguments)
    if not shutil.which("valgrind"):
        print("guard: valgrind is not installed", file=sys.stderr)
        return 2
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "hycome-bench"], cwd=ROOT, check=True)
    place, counts = count_all(ROOT / "target" / "release" / "hycome-bench")
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    if options.store:
        stored[place] = counts
        print(f"{place}: {counts}")
        STORED.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n")
        return 0
    if place not in stored:
        print(f"guard: no counts are stored for {place}; store them with --store")
        return 0
    verdicts = [compare(name, count, stored[place].get(name)) for name, count in counts.items()]
    return 0 if all(verdicts) else 1


def count_all(bench: Path) -> tuple[str, dict[str, int]]:
    """Compiler and instruction set, and the instructions of each piece of work."""
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    vectors, counts = "", {}
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "graph.hyg"
        subprocess.run([bench, "once", "generate", "-o", graph, *GRAPH], capture_output=True, check=True)
        work = {
            "training, dim 2": ["training", "--graph", graph, "--dim", "2", *SETTINGS],
            "training, dim 10": ["training", "--graph", graph, "--dim", "10", *SETTINGS],
            "EM, K = 5": ["em", "--communities", "5"],
        }
        for name, arguments in work.items():
            vectors, counts[name] = count([bench, "once", *arguments, "--threads", "1"], Path(folder))
    return f"{compiler}, {vectors}", counts


def count(command: list[str | Path], folder: Path) -> tuple[str, int]:
    """The instruction set that the work was dispatched to under valgrind, which hides some, and its instructions."""
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}"]
    done = subprocess.run([*valgrind, *command], capture_output=True, text=True)
    counted = instructions(done.stderr)
    if done.returncode != 0 or counted is None:
        sys.exit(f"guard: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)["instructions"], counted


def instructions(report: str) -> int | None:
    """The number that callgrind ends with."""
    found = re.search(r"Collected : (\d+)", report)
    return int(found.group(1)) if found else None


def compare(name: str, count: int, before: int | None) -> bool:
    """Says how a count compares with the one before; false if it is too large."""
    if before is None:
        print(f"{name}: {count:,} instructions, nothing stored")
        return True
    change = count / before - 1
    verdict = "too many" if change > TOLERANCE else "fewer, store them" if change < -TOLERANCE else "as before"
    print(f"{name}: {count:,} instructions, {100 * change:+.1f} %: {verdict}")
    return change <= TOLERANCE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
