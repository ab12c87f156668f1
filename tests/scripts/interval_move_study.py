#!/usr/bin/env python3
"""The study interval_move on the executor: every rung moves every element, of intervals of any length, empty ones among them.

    tests/scripts/interval_move_study.py HEADROOM INTERVAL_MOVE
"""
import pathlib
import subprocess
import sys
import unittest

import studies

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs"))
import rungs  # noqa: E402  (the path has to be there first)

KINDS = "expand,gather,scatter,move"


class IntervalMove(unittest.TestCase):
    headroom = program = None

    def run_study(self, *options):
        done, found = studies.run_study(self.headroom, self.program, *options)
        return done, studies.rows_of(found)

    def all_right(self, *options):
        done, rows = self.run_study(*options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["verified"] for row in rows}, {"PASS"})
        return rows

    def test_every_kind_at_every_length(self):
        # An average of 1: a third of the intervals are empty. 50000: one interval or few, and many blocks on it.
        rows = self.all_right("--size", "20000", "--average", "1,4,16,1000,50000", "--kind", KINDS)
        self.assertEqual(len(rows), 8 * 4 * 5)  # rungs, kinds, averages
        self.assertLess(max(row["intervals"] for row in rows if row["average"] == 50000), 10)

    def test_any_number_of_elements(self):
        for size in ("0", "1", "31", "2815", "2816", "2817"):
            self.all_right("--size", size, "--average", "1,3", "--kind", "move")

    def test_any_first_element_of_a_share(self):
        # One interval, so that shares are 2017 or 2048 elements each: whole lines, and parts of one at either end.
        for size in ("2016", "2017", "2018", "2048", "4065", "8200"):
            self.all_right("--size", size, "--average", "50000", "--kind", KINDS, "--rung", "edges_first,whole_lines,by_region")

    def test_by_region_has_several_tiles_of_a_chunk(self):
        # 264 blocks of an H200 take 4096 intervals at a time.
        rows = self.all_right("--size", "1400000", "--average", "1", "--kind", "scatter,move", "--rung", "by_region")
        self.assertGreater(rows[0]["intervals"], 264 * 4096)

    def test_whole_lines_store_whole_sectors(self):
        for kind in ("gather", "expand"):
            stored = {}
            for rung in ("edges_first", "whole_lines"):
                found = rungs.run(self.headroom, [self.program, "--seed", "1", "--size", "100000", "--kind", kind, "--rung", rung])
                stored[rung] = sum(launch["counters"]["global_store_sectors"] for launch in found)
            self.assertLess(stored["whole_lines"], 1.01 * 100000 / 8)  # floats of a sector
            self.assertGreater(stored["edges_first"], 1.2 * 100000 / 8)

    def test_no_race_and_nothing_out_of_bounds(self):
        done = subprocess.run([self.headroom, "check", "--", self.program, "--size", "3000", "--kind", KINDS], capture_output=True, text=True,
                              timeout=120)
        self.assertIn("no findings", done.stderr + done.stdout)

    def test_what_cannot_be_is_said(self):
        for options, words in ((["--size", "2^30"], "numbers up to"), (["--average", "0"], "1 at least"), (["--kind", "copy"], "no kind 'copy'"),
                               (["--rung", "all"], "no rung 'all'")):
            done, _ = self.run_study(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    IntervalMove.headroom, IntervalMove.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
