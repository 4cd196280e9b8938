#!/usr/bin/env python3
"""Performance regression test by instruction count, which is independent of other load on the machine.

    python3 bench/instruction_count.py             compare with the stored counts; fail above +3 %
    python3 bench/instruction_count.py --store     store the counts

Valgrind counts the instructions of training on a generated graph and of EM, on one thread. The count depends on the
compiler and the instruction set, so `bench/instructions.json` has an entry for each combination; a combination without
an entry is reported and passes. Needs valgrind and a Rust toolchain.
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
"""Relative increase that fails; after a decrease of as much, the new counts should be stored."""

GRAPH = "lfr --nodes 2000 --average-degree 10".split()
SETTINGS = "--communities 1 --walks 4 --walk-length 40 --window 5 --negatives 5 --warmup-epochs 2 --epochs 0".split()


def main(arguments: list[str]) -> int:
    """Counts instructions, and compares or stores the counts."""
    parser = argparse.ArgumentParser(description="Compare instruction counts with the stored ones.")
    parser.add_argument("--store", action="store_true", help="store the counts instead of comparing")
    options = parser.parse_args(arguments)
    if not shutil.which("valgrind"):
        print("instruction_count: valgrind is not installed", file=sys.stderr)
        return 2
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "hycome-bench"], cwd=ROOT, check=True)
    environment, counts = count_all(ROOT / "target" / "release" / "hycome-bench")
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    if options.store:
        stored[environment] = counts
        print(f"{environment}: {counts}")
        STORED.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n")
        return 0
    if environment not in stored:
        print(f"instruction_count: no counts are stored for {environment}; store them with --store")
        return 0
    verdicts = [compare(name, count, stored[environment].get(name)) for name, count in counts.items()]
    return 0 if all(verdicts) else 1


def count_all(bench: Path) -> tuple[str, dict[str, int]]:
    """Returns compiler and instruction set, and the instruction count of each workload."""
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    instruction_set, counts = "", {}
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "graph.hyg"
        subprocess.run([bench, "single", "generate", "-o", graph, *GRAPH], capture_output=True, check=True)
        workloads = {
            "training, dim 2": ["training", "--graph", graph, "--dim", "2", *SETTINGS],
            "training, dim 10": ["training", "--graph", graph, "--dim", "10", *SETTINGS],
            "EM, K = 5": ["em", "--communities", "5"],
        }
        for name, arguments in workloads.items():
            instruction_set, counts[name] = count([bench, "single", *arguments, "--threads", "1"], Path(folder))
    return f"{compiler}, {instruction_set}", counts


def count(command: list[str | Path], folder: Path) -> tuple[str, int]:
    """Returns the dispatched instruction set (valgrind hides some) and the instruction count of a command."""
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}"]
    done = subprocess.run([*valgrind, *command], capture_output=True, text=True)
    counted = instructions(done.stderr)
    if done.returncode != 0 or counted is None:
        sys.exit(f"instruction_count: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)["instructions"], counted


def instructions(report: str) -> int | None:
    """Parses the total of callgrind."""
    found = re.search(r"Collected : (\d+)", report)
    return int(found.group(1)) if found else None


def compare(name: str, count: int, before: int | None) -> bool:
    """Prints the change of a count; false if it is too large."""
    if before is None:
        print(f"{name}: {count:,} instructions, no stored count")
        return True
    change = count / before - 1
    verdict = "regression" if change > TOLERANCE else "improvement, store it" if change < -TOLERANCE else "unchanged"
    print(f"{name}: {count:,} instructions, {100 * change:+.1f} %: {verdict}")
    return change <= TOLERANCE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
