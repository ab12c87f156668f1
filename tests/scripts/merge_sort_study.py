#!/usr/bin/env python3
"""The study merge_sort on the executor: every rung sorts keys and pairs of every kind, of any number, from every input, and has no race.

    tests/scripts/merge_sort_study.py HEADROOM MERGE_SORT
"""
import subprocess
import sys
import unittest

import studies


class MergeSort(unittest.TestCase):
    headroom = program = None

    def run_study(self, *options):
        done, found = studies.run_study(self.headroom, self.program, *options)
        return done, studies.rows_of(found)

    def all_right(self, *options):
        done, rows = self.run_study(*options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["verified"] for row in rows}, {"PASS"})
        return rows

    def test_every_kind_from_every_input(self):
        # 20001: some tiles, of which the last one is not full, and two passes of most rungs.
        rows = self.all_right("--size", "20001", "--keys", "int32,int64,float,low_byte", "--records", "keys,pairs",
                              "--input", "random,sorted,reversed,equal,few,nan")
        self.assertEqual(len(rows), 9 * 6 * 6)

    def test_any_number_of_records(self):
        # Around a tile's size, around four of them, and numbers that leave a thread, a warp or a run without its share.
        for rung, tile in (("even_passes", 512 * 23), ("split_by_warp", 512 * 23), ("partitioned", 256 * 17)):
            sizes = [0, 1, 2, 33, 737, tile - 1, tile, tile + 1, 4 * tile, 4 * tile + 1, 5 * tile + 100]
            self.all_right("--rung", rung, "--size", ",".join(map(str, sizes)), "--keys", "int32,low_byte")

    def test_a_warp_finds_the_splits_of_long_and_unlike_runs(self):
        # Runs of a hundred thousand records; where all are equal, or sorted, whole runs come before others.
        self.all_right("--rung", "even_passes", "--size", "400001", "--records", "keys,pairs", "--input", "random,equal,few,sorted,reversed")

    def test_no_race_and_nothing_out_of_bounds(self):
        done = subprocess.run([self.headroom, "check", "--", self.program, "--size", "12000", "--keys", "int32,int64", "--records", "keys,pairs",
                               "--rung", "even_passes,split_by_warp,partitioned"], capture_output=True, text=True, timeout=120)
        self.assertIn("no findings", done.stderr + done.stdout)

    def test_what_cannot_be_is_said(self):
        for options, words in ((["--size", "2^31"], "up to 2^30"), (["--size", "-1"], "up to 2^30"), (["--keys", "int16"], "no 'int16'"),
                               (["--input", "shuffled"], "no 'shuffled'"), (["--rung", "bogo"], "no rung 'bogo'")):
            done, _ = self.run_study(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    MergeSort.headroom, MergeSort.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
