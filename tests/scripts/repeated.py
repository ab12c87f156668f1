#!/usr/bin/env python3
"""Launches that would do again what one before did are not run, and everything that is told of them is as if they had been:
counters, predictions and findings of all launches of a program that launches the same kernels again and again.

    tests/scripts/repeated.py HEADROOM PROGRAM
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

HEADROOM, PROGRAM = sys.argv.pop(1), sys.argv.pop(1)
SEED = str(int.from_bytes(os.urandom(4), "little"))


def run(*options, repeated=None):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "run.json"
        env = {**os.environ, "HEADROOM_REPEATED": repeated} if repeated else None
        ended = subprocess.run([HEADROOM, "run", *options, "--json", path, "--", PROGRAM, SEED],
                               capture_output=True, text=True, timeout=300, env=env)
        return ended, run_record.read_run(path) if path.exists() else None


class Repeated(unittest.TestCase):
    def test_all_launches_are_told_of_as_if_they_had_run(self):
        for model in [], ["--no-model"]:
            skipped, without = run(*model, "--repeated", "skip")
            ran, all_run = run(*model, "--repeated", "run")
            for each in skipped, ran:
                self.assertEqual(each.returncode, 0, f"seed {SEED}: {each.stdout}{each.stderr}")
            self.assertEqual(all_run["totals"]["launches_repeated"], 0)
            repeated = without["totals"]["launches_repeated"]
            self.assertGreater(repeated, 0, f"seed {SEED}")
            self.assertIn("did again what one before did", skipped.stderr)
            self.assertNotIn("did again what one before did", ran.stderr)
            self.assertEqual(len(without["launches"]), len(all_run["launches"]))
            for one, other in zip(without["launches"], all_run["launches"]):
                for key in one.keys() - {"executor_seconds", "process"}:
                    self.assertEqual(one[key], other[key], f"seed {SEED}, launch {one['index']}: {key}")

    def test_they_do_the_same_when_they_run(self):
        ended, checked = run("--no-model", repeated="check")
        self.assertEqual(ended.returncode, 0, f"seed {SEED}: {ended.stdout}{ended.stderr}")
        self.assertGreater(checked["totals"]["launches_repeated"], 0, f"seed {SEED}")
        self.assertNotIn("did something else", ended.stderr, f"seed {SEED}")

    def test_another_word_is_refused(self):
        ended, _ = run("--repeated", "never")
        self.assertEqual(ended.returncode, 125)
        self.assertIn("skip", ended.stderr)


if __name__ == "__main__":
    unittest.main()
