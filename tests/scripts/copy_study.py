#!/usr/bin/env python3
"""The study copy on the executor: every rung copies every byte, of any size and by blocks of any size; what it leaves out it says.

    tests/scripts/copy_study.py HEADROOM COPY
"""
import sys
import unittest

import studies

STAY = ["persistent", "pipelined", "asynchronous", "queued", "bulk"]


class Copy(unittest.TestCase):
    headroom = program = None

    def run_study(self, *options, machine="h200"):
        done, found = studies.run_study(self.headroom, self.program, *options, on=["--machine", machine])
        return done, studies.rows_of(found)

    def all_right(self, *options, machine="h200"):
        done, rows = self.run_study(*options, machine=machine)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["verified"] for row in rows}, {"PASS"})
        return done, rows

    def test_every_rung_is_right_for_blocks_of_every_size(self):
        names = self.run_study("--variant", "list")[0].stdout.split()
        self.assertEqual(names[-5:], STAY)
        for threads in (32, 64, 128, 256):
            _, rows = self.all_right("--block", str(threads), "--bytes", "128K")
            self.assertEqual(len({row["variant"] for row in rows}), len(names) + 1)  # and cudaMemcpy

    def test_any_number_of_bytes_is_copied(self):
        for size in (16, 4097, 65535, 1000003):
            self.all_right("--bytes", str(size), "--occupancy", "6.25")

    def test_a_rung_whose_kernel_does_not_run_has_no_row(self):
        done, rows = self.all_right("--bytes", "4097", "--occupancy", "6.25", "--variant", "one_float,sixteen_float4,queued")
        self.assertEqual([row["rung"] for row in rows if "rung" in row], ["one_float", "queued"])
        self.assertRegex(done.stdout, r"\n16 float4 +moves 16384 bytes at least\n")
        done, rows = self.run_study("--bytes", "15")
        self.assertEqual((done.returncode, rows), (2, []))
        self.assertIn("one_float moves 256 bytes at least", done.stderr)

    def test_blocks_that_stay_go_round_more_than_once(self):
        # 264 warps, whose tiles are of 4 to 8 KiB: the loops, their ends, and the queue that the launch before left.
        _, rows = self.all_right("--bytes", "7340037", "--occupancy", "3.125,6.25,3.125", "--variant", ",".join(STAY))
        self.assertEqual(len(rows), 3 * len(STAY) + 1)

    def test_bulk_copies_are_as_large_as_asked(self):
        _, rows = self.all_right("--bytes", "300K", "--occupancy", "3.125", "--variant", "bulk", "--chunk", "128,12288,58240")
        self.assertEqual([row["in flight, KiB/SM"] for row in rows[:-1]], [0.4, 36.0])  # the third has no room

    def test_what_has_no_figure_has_none(self):
        done, rows = self.all_right("--occupancy", "6.25")
        self.assertEqual(rows[-1], {"variant": "cudaMemcpy", "verified": "PASS"})
        self.assertTrue(all("of cudaMemcpy, %" not in row for row in rows))

    def test_what_cannot_be_is_said(self):
        done, rows = self.all_right("--occupancy", "6.25", machine="a100")
        self.assertRegex(done.stdout, r"\nbulk +needs compute capability 9.0\n")
        self.assertNotIn("bulk", {row["variant"] for row in rows})
        for options, words in ((["--variant", "bulk"], "bulk needs compute capability 9.0"), (["--variant", "bulky"], "no variant"),
                               (["--occupancy", "0"], "percentages"), (["--chunk", "100"], "multiples of 128"),
                               (["--block", "96"], "must be 32"), (["--occupancy", "7"], "out of reach"),
                               (["--chunk", "2097152"], "up to 1048576"), (["--chunk", "128", "--variant", "one_float"], "bulk only")):
            done, _ = self.run_study(*options, machine="a100")
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    Copy.headroom, Copy.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
