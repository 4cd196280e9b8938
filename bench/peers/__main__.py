"""Comparison of hycome with other programs on the same workloads, on one machine and in one session.

    python3 bench/peers -o docs/benchmarks/peers.md

The first run installs the programs under `target/peers`, from PyPI and crates.io. Needs Python 3.11, a Rust toolchain and,
for the hand-tuned kernel, g++ and AVX-512, or clang and AVX2.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import sys
from pathlib import Path
from typing import Callable, Mapping, Sequence

import machine
from em import em
from install import Peers
from loading import loading
from process import Failed, run
from python import python
from scores import scores
from session import Session
from summary import Part, summary
from table import wrapped
from training import training
from walks import walks

ROOT = Path(__file__).resolve().parents[2]
PARTS: Mapping[str, Callable[[Session], Part]] = {
    "training": training,
    "walks": walks,
    "loading": loading,
    "em": em,
    "scores": scores,
    "python": python,
}


def main(arguments: Sequence[str]) -> int:
    """Runs the benchmarks and prints the page."""
    options = parse(arguments)
    target = ROOT / "target" / "peers"
    files = target / "files"
    files.mkdir(parents=True, exist_ok=True)
    try:
        print("building hycome", file=sys.stderr)
        build = ["cargo", "build", "--release", "--quiet", "-p", "hycome-bench", "-p", "hycome-cli"]
        run([*build, "--manifest-path", ROOT / "Cargo.toml"])
        session = Session(
            bench=ROOT / "target" / "release" / "hycome-bench",
            command=ROOT / "target" / "release" / "hycome",
            peers=Peers(target),
            files=files,
            data=options.data.resolve(),
            roofline=options.roofline.resolve(),
            repetitions=options.repetitions,
            quick=options.quick,
        )
        report = compose(session, options.only, arguments)
    except Failed as failure:
        print(f"peers: {failure}", file=sys.stderr)
        return 1
    print(report, end="")
    if options.output:
        options.output.write_text(report)
    return 0


def compose(session: Session, only: Sequence[str], arguments: Sequence[str]) -> str:
    """Returns the page."""
    description = machine.description()
    measured, _ = session.single("em", "--communities", 2)
    parts = [PARTS[name](session) for name in only]
    comparisons = [comparison for part in parts for comparison in part.comparisons]
    page = "\n".join(
        [
            "# Comparison with other programs",
            "",
            f"hycome {measured['version']}, instructions {measured['instructions']}; {description}; Python {platform.python_version()}. "
            "Printed by",
            "",
            "```sh",
            shlex.join(["python3", "bench/peers", *arguments]),
            "```",
            "",
            "Programs run alternately in one session on the same machine. Figures are medians over "
            f"{session.repetitions} runs, or the number in the last column. A program that could not run has the reason in its row.",
            "",
            summary(comparisons),
            *(part.text for part in parts),
        ]
    )
    return wrapped(page).rstrip() + "\n"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parses the flags."""
    data = Path(os.environ.get("HYCOME_DATA", ROOT / "data"))
    parser = argparse.ArgumentParser(prog="peers", description="Compare hycome with other programs.")
    parser.add_argument("--only", type=names, default=list(PARTS), metavar="PART,…", help=f"parts to run, out of {', '.join(PARTS)}")
    parser.add_argument("--repetitions", type=int, default=3, metavar="N", help="runs of each program (3)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, as a smoke test")
    parser.add_argument("--data", type=Path, default=data, metavar="DIR", help="public graphs, as for hycome-bench")
    parser.add_argument(
        "--roofline", type=Path, default=ROOT / "target" / "roofline", metavar="DIR", help="folder of o2.cpp"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="also write the page to this file")
    options = parser.parse_args(arguments)
    if options.repetitions < 1:
        parser.error("--repetitions must be at least 1")
    return options


def names(text: str) -> list[str]:
    """Parses comma-separated names of parts."""
    chosen = text.split(",")
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown part {', '.join(unknown)}; expected {', '.join(PARTS)}")
    return chosen


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
