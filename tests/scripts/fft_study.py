#!/usr/bin/env python3
"""The study fft on the executor: every rung is right at every size, in both directions and places, and for batches that end within a tile.

    tests/scripts/fft_study.py HEADROOM FFT
"""
import subprocess
import sys
import unittest

import studies

SIZES = [2**k for k in range(4, 14)]


class Fft(unittest.TestCase):
    headroom = program = None

    def run_study(self, *options, machine="h200"):
        done, found = studies.run_study(self.headroom, self.program, *options, on=["--machine", machine])
        return done, studies.rows_of(found)

    def all_right(self, *options, machine="h200"):
        done, rows = self.run_study(*options, machine=machine)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["verified"] for row in rows}, {"PASS"})
        return done, rows

    def test_no_race_and_nothing_out_of_bounds(self):
        done = subprocess.run([self.headroom, "check", "--", self.program, "--size", "16,256,1024", "--bytes", "32K"], capture_output=True,
                              text=True, timeout=120)
        self.assertIn("no findings", done.stderr + done.stdout)

    def test_every_rung_is_right_at_every_size(self):
        names = self.run_study("--rung", "list")[0].stdout.split()
        # 37.5 tiles of 1024 points: of short transforms the last tile is not full.
        done, rows = self.all_right("--size", ",".join(map(str, SIZES)), "--bytes", "300K", "--direction", "forward,inverse",
                                    "--place", "out,in", "--rung", "global_stages,shared_stages,four_values,padded")
        self.assertEqual(len(rows), 4 * (4 * len(SIZES) - 1))
        self.assertRegex(done.stdout, r"\nfour_values +transforms 4096 points at most\n")
        _, rows = self.all_right("--size", ",".join(map(str, SIZES)), "--bytes", "70K", "--direction", "inverse", "--place", "in,out")
        self.assertEqual({row["rung"] for row in rows}, set(names))

    def test_blocks_that_stay_take_one_tile_after_the_other(self):
        # 132 blocks and tiles of 1024 points: the loops, their ends, and the queue that the launch before left.
        rungs = "kept_twiddles,pipelined,queued,bulk,bulk_stores"
        for size in ("16", "1024"):
            self.all_right("--size", size, "--bytes", "2200K", "--blocks", "1", "--rung", rungs, "--direction", "forward,inverse")
        for stages in ("2", "5"):
            self.all_right("--bytes", "2200K", "--blocks", "1", "--stages", stages, "--rung", "bulk,bulk_stores", "--place", "in")

    def test_a_single_transform_is_one(self):
        for size in ("16", "8192"):
            _, rows = self.all_right("--size", size, "--bytes", "1")
            self.assertEqual({row["batch"] for row in rows}, {1})

    def test_errors_are_those_of_the_factors(self):
        _, rows = self.all_right("--accuracy", "--size", "1024", "--rung", "padded,intrinsic,recurrence,kept_twiddles", "--seed", "1")
        errors = {row["rung"]: row["forward"] for row in rows}
        self.assertLess(errors["padded"], 2.5)
        self.assertGreater(errors["intrinsic"], 1.5 * errors["padded"])
        self.assertGreater(errors["recurrence"], 1.5 * errors["padded"])
        self.assertEqual(errors["kept_twiddles"], errors["padded"])

    def test_what_cannot_be_is_said(self):
        done, rows = self.all_right("--rung", "padded,bulk", machine="a100")
        self.assertRegex(done.stdout, r"\nbulk +needs code for compute capability 9.0\n")
        self.assertEqual([row["rung"] for row in rows], ["padded"])
        for options, words in ((["--size", "1000"], "powers of two"), (["--size", "8"], "powers of two"), (["--rung", "paded"], "no rung"),
                               (["--place", "beside"], "must be out or in"), (["--stages", "1"], "from 2 to 8"), (["--bytes", "32G"], "16G")):
            done, _ = self.run_study(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    Fft.headroom, Fft.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
