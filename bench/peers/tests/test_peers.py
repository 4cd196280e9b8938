"""The parts of the comparison that need no peer: `python3 -m unittest discover bench/peers/tests`."""

from __future__ import annotations

import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workers"))

import machine
from communities import COMMUNITIES, FOUND, mixed
from contest import Contestant, Result, compete, medians
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


class WhatPeersPrint(unittest.TestCase):
    def test_pairs_of_a_shrinking_window_are_counted_as_the_obvious_loop_counts_them(self) -> None:
        length, window = 12, 3
        counted = 0
        for reach in range(1, window + 1):
            for i in range(length):
                counted += sum(1 for j in range(length) if j != i and abs(i - j) <= reach)
        self.assertAlmostEqual(positives(1, length, window), counted / window)

    def test_seconds_of_node2vec_are_found(self) -> None:
        self.assertEqual(training_seconds("Epoch 1/1\n\nTraining complete in 13.90s (758786 tokens/sec)\n"), 13.9)
        with self.assertRaises(Failed):
            training_seconds("Training")

    def test_the_kernel_is_read_at_its_dimension_and_size(self) -> None:
        self.assertEqual(kernel_nanoseconds(KERNEL, 10), 8.3)
        with self.assertRaises(Failed):
            kernel_nanoseconds(KERNEL, 2)

    def test_a_processor_is_described_by_what_it_lacks(self) -> None:
        info = "model name\t: Some CPU\nflags\t\t: fma avx2 avx512f avx512vl\n"
        self.assertEqual(machine.processor(info), "Some CPU")
        self.assertEqual(machine.missing_avx512(info), ["avx512dq"])


class Tables(unittest.TestCase):
    def test_numbers_have_three_digits_that_count(self) -> None:
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

    def test_ratios_are_against_the_first_and_failures_say_why(self) -> None:
        results = [
            Result("ours", {"ns": 10.0}, 3),
            Result("peer", {"ns": 25.0}, 2),
            Result("other", {}, 0, "no a|b"),
        ]
        self.assertEqual(
            table(results, [Column("ns", "ns")], "ns").splitlines()[2:],
            ["| ours | 10.0 | 1.00 × | 3 |", "| peer | 25.0 | 2.50 × | 2 |", "| other | no a\\|b |  |  |"],
        )
        self.assertEqual(
            compare("work", results, "peer", "ns", "ns", goal=2.5).row(),
            "| work | peer | 10.0 ns | 25.0 ns | 2.50 × | ≥ 2.5 × ✓ |",
        )
        self.assertIn("no a\\|b", compare("work", results, "other", "ns", "ns").row())


class Contests(unittest.TestCase):
    def test_everybody_runs_in_turns_and_who_fails_is_not_asked_again(self) -> None:
        asked: list[str] = []

        def work(name: str, numbers: dict[str, float] | None) -> dict[str, float]:
            asked.append(name)
            if numbers is None:
                raise Failed("broken")
            return numbers

        contestants = [
            Contestant("a", lambda: work("a", {"x": 1.0})),
            Contestant("b", lambda: work("b", None)),
            Contestant("c", lambda: work("c", {"x": 2.0}), once=True),
        ]
        a, b, c = compete("test", contestants, 3)
        self.assertEqual(asked, ["a", "b", "c", "a", "a"])
        self.assertEqual((a.runs, b.failure, c.numbers), (3, "broken", {"x": 2.0}))

    def test_medians_are_of_each_number(self) -> None:
        runs = [{"x": 1.0, "y": 9.0}, {"x": 3.0, "y": 7.0}, {"x": 2.0, "y": 8.0}]
        self.assertEqual(medians(runs), {"x": 2.0, "y": 8.0})


class Processes(unittest.TestCase):
    def test_a_process_gives_its_object_and_a_failed_one_its_last_word(self) -> None:
        outcome = run([sys.executable, "-c", "print('so'); print('{\"a\": 1}')"])
        self.assertEqual(outcome.json(), {"a": 1})
        self.assertGreater(outcome.peak, 1_000_000)
        with self.assertRaisesRegex(Failed, "because"):
            run([sys.executable, "-c", "import sys; sys.exit('why\\nbecause')"])
        with self.assertRaisesRegex(Failed, "not done after"):
            run([sys.executable, "-c", "import time; time.sleep(9)"], timeout=0.2)
        with self.assertRaises(Failed):
            run(["there-is-no-such-program"])
        self.assertEqual(last_line("a\n b \n\n"), "b")

    def test_communities_are_about_equally_large(self) -> None:
        found = mixed(100_000, FOUND)
        self.assertTrue(all(900 < found.count(community) < 1100 for community in range(COMMUNITIES)))


if __name__ == "__main__":
    unittest.main()
