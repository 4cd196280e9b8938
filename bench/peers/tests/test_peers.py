"""Tests that need no other program: `python3 -m unittest discover bench/peers/tests`."""

from __future__ import annotations

import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workers"))

import machine
from communities import COMMUNITIES, FOUND, communities
from benchmark import Benchmark, Result, medians, run_in_turns
from kernel import kernel_nanoseconds
from process import Failed, last_line, run
from summary import compare
from table import Column, shown, table
from training import positives, training_seconds

KERNEL = """\
check f32 m=10: max abs error against long double 1.0e-07 (one centre), 1.0e-07 (batch)
f32 m=10 BATCH 1+5 per centre hot (128 rows)     rowbytes=64 table=0.0MB x2  ns/pair plain=7.10 prefetch=7.20  Mpairs/s best=1.0
f32 m=10 BATCH 1+5 per centre 13,184 random      rowbytes=64 table=0.8MB x2  ns/pair plain=8.90 prefetch=8.30  Mpairs/s best=1.0
f64 m=10 BATCH 1+5 per centre 13,184 random      rowbytes=128 table=1.7MB x2  ns/pair plain=15.0 prefetch=16.0  Mpairs/s best=1.0
"""


class Parsers(unittest.TestCase):
    def test_expected_pairs_agree_with_a_direct_count(self) -> None:
        length, window = 12, 3
        counted = 0
        for reach in range(1, window + 1):
            for i in range(length):
                counted += sum(1 for j in range(length) if j != i and abs(i - j) <= reach)
        self.assertAlmostEqual(positives(1, length, window), counted / window)

    def test_the_training_time_of_node2vec_is_parsed(self) -> None:
        self.assertEqual(training_seconds("Epoch 1/1\n\nTraining complete in 13.90s (758786 tokens/sec)\n"), 13.9)
        with self.assertRaises(Failed):
            training_seconds("Training")

    def test_the_kernel_output_is_parsed_by_dimension_and_size(self) -> None:
        self.assertEqual(kernel_nanoseconds(KERNEL, 10), 8.3)
        with self.assertRaises(Failed):
            kernel_nanoseconds(KERNEL, 2)

    def test_missing_avx512_extensions_are_listed(self) -> None:
        info = "model name\t: Some CPU\nflags\t\t: fma avx2 avx512f avx512vl\n"
        self.assertEqual(machine.processor(info), "Some CPU")
        self.assertEqual(machine.missing_avx512(info), ["avx512dq"])


class Tables(unittest.TestCase):
    def test_numbers_have_three_significant_digits(self) -> None:
        expected = {
            0.0: "0",
            0.012345: "0.0123",
            1.2345: "1.23",
            12.345: "12.3",
            123.45: "123",
            1234.5: "1,230",
            9.999: "10.00",
            math.nan: "–",
        }
        for number, text in expected.items():
            self.assertEqual(shown(number), text)

    def test_ratios_are_relative_to_the_first_result_and_failures_have_reasons(self) -> None:
        results = [
            Result("hycome", {"ns": 10.0}, 3),
            Result("peer", {"ns": 25.0}, 2),
            Result("other", {}, 0, "no a|b"),
        ]
        self.assertEqual(
            table(results, [Column("ns", "ns")], "ns").splitlines()[2:],
            ["| hycome | 10.0 | 1.00 × | 3 |", "| peer | 25.0 | 2.50 × | 2 |", "| other | no a\\|b |  |  |"],
        )
        self.assertEqual(
            compare("work", results, "peer", "ns", "ns", target=2.5).row(),
            "| work | peer | 10.0 ns | 25.0 ns | 2.50 × | ≥ 2.5 × ✓ |",
        )
        self.assertIn("no a\\|b", compare("work", results, "other", "ns", "ns").row())


class Benchmarks(unittest.TestCase):
    def test_benchmarks_run_in_turns_and_a_failed_one_is_not_run_again(self) -> None:
        calls: list[str] = []

        def measure(name: str, measurements: dict[str, float] | None) -> dict[str, float]:
            calls.append(name)
            if measurements is None:
                raise Failed("broken")
            return measurements

        benchmarks = [
            Benchmark("a", lambda: measure("a", {"x": 1.0})),
            Benchmark("b", lambda: measure("b", None)),
            Benchmark("c", lambda: measure("c", {"x": 2.0}), single_run=True),
        ]
        a, b, c = run_in_turns("test", benchmarks, 3)
        self.assertEqual(calls, ["a", "b", "c", "a", "a"])
        self.assertEqual((a.runs, b.failure, c.measurements), (3, "broken", {"x": 2.0}))

    def test_medians_are_taken_per_measurement(self) -> None:
        runs = [{"x": 1.0, "y": 9.0}, {"x": 3.0, "y": 7.0}, {"x": 2.0, "y": 8.0}]
        self.assertEqual(medians(runs), {"x": 2.0, "y": 8.0})


class Processes(unittest.TestCase):
    def test_processes_return_json_or_the_last_line_of_their_errors(self) -> None:
        outcome = run([sys.executable, "-c", "print('so'); print('{\"a\": 1}')"])
        self.assertEqual(outcome.json(), {"a": 1})
        self.assertGreater(outcome.peak, 1_000_000)
        with self.assertRaisesRegex(Failed, "because"):
            run([sys.executable, "-c", "import sys; sys.exit('why\\nbecause')"])
        with self.assertRaisesRegex(Failed, "timed out after"):
            run([sys.executable, "-c", "import time; time.sleep(9)"], timeout=0.2)
        with self.assertRaises(Failed):
            run(["there-is-no-such-program"])
        self.assertEqual(last_line("a\n b \n\n"), "b")

    def test_communities_have_similar_sizes(self) -> None:
        found = communities(100_000, FOUND)
        self.assertTrue(all(900 < found.count(community) < 1100 for community in range(COMMUNITIES)))


if __name__ == "__main__":
    unittest.main()
