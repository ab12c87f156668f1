#!/usr/bin/env python3
"""The study nbody on the executor: every rung is right in both precisions and for odd numbers of bodies, leap-frog keeps
what it must, wrong options are refused, and the peaks of its bounds are worked out by hand.

    tests/scripts/nbody_study.py HEADROOM NBODY
"""
import pathlib
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "measure"))
import nbody_bounds  # noqa: E402  (the path has to be there first)
import studies  # noqa: E402


class Nbody(unittest.TestCase):
    headroom = program = None

    def run_study(self, *options):
        done, found = studies.run_study(self.headroom, self.program, *options)
        return done, studies.rows_of(found)

    def names(self):
        return subprocess.run([self.headroom, "run", "--report", "/dev/null", "--", self.program, "--rung", "list"],
                              capture_output=True, text=True, check=True).stdout.split()

    def test_every_rung_is_right_for_any_number_of_bodies(self):
        rungs = self.names()
        self.assertGreaterEqual(len(rungs), 17)
        done, rows = self.run_study("--bodies", "1,33,515")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(rows), 3 * 2 * len(rungs))
        for row in rows:
            self.assertEqual(row["verified"], "PASS")
            self.assertLess(row["rms error"], 1e-6 if row["precision"] == "single" else 1e-14)

    def test_equal_masses_and_much_softening_are_right_too(self):
        done, _ = self.run_study("--bodies", "300", "--masses", "equal", "--softening", "1", "--precision", "single")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_leap_frog_keeps_energy_and_momentum(self):
        done, rows = self.run_study("--bodies", "200", "--steps", "8", "--seed", "1", "--rung",
                                    "thread_per_body,flush,uniform_bodies,symmetric_pairs")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(rows), 8)
        for row in rows:
            self.assertLess(row["energy drift"], 1e-4)
            self.assertLess(row["momentum drift"], 1e-6 if row["precision"] == "single" else 1e-14)

    def test_a_step_too_long_for_the_energy_fails(self):
        done, _ = self.run_study("--bodies", "200", "--steps", "8", "--dt", "2", "--seed", "1", "--rung", "flush")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("FAIL", done.stdout)

    def test_the_host_stands_beside(self):
        done, rows = self.run_study("--bodies", "300", "--host", "--rung", "flush", "--precision", "double")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(rows[0]["rung"], "host, one core")
        self.assertEqual([row["verified"] for row in rows], ["PASS"] * 3)

    def test_wrong_options_are_refused(self):
        for options in (["--bodies", "0"], ["--bodies", "many"], ["--softening", "0"], ["--rung", "nothing"],
                        ["--precision", "half"], ["--masses", "none"], ["--steps", "1", "--bodies", "100000"]):
            done, _ = self.run_study(*options)
            self.assertEqual(done.returncode, 2, options)

    def test_peaks_are_those_worked_out_by_hand(self):
        machine = {"sm_count": 10, "sm_clock": 1000, "issue_per_clock": 4, "fp32_per_clock": 128, "fp64_per_clock": 64,
                   "special_per_clock": 16, "integer_per_clock": 64}
        kinds = {"fp32": 12, "fp64": 0, "special": 1, "integer": 16, "all": 32}
        fma, mix, everything = nbody_bounds.peaks(kinds, machine)
        self.assertAlmostEqual(fma, 2 * 128 / 20 * 10)     # 20 operations, two a multiply-add
        self.assertAlmostEqual(mix, 128 / 13 * 10)         # 13 issue slots
        self.assertAlmostEqual(everything, 4 * 10)         # 16 integer instructions on 64 lanes, 32 slots of 128


if __name__ == "__main__":
    Nbody.headroom, Nbody.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
