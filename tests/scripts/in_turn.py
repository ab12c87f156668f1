#!/usr/bin/env python3
"""Kernels that do now a little and now much, or count the same while their accesses meet elsewhere, launch after launch of one
shape: each has the time that was predicted for what it does, however many there were before.

    tests/scripts/in_turn.py HEADROOM PROGRAM
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

HEADROOM, PROGRAM = sys.argv.pop(1), sys.argv.pop(1)


class InTurn(unittest.TestCase):
    def test_each_has_the_time_of_its_like(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.json"
            run = subprocess.run([HEADROOM, "run", "--json", path, "--report", "/dev/null", "--", PROGRAM],
                                 capture_output=True, text=True, timeout=120)
            self.assertEqual(run.returncode, 0, run.stderr)
            launches = run_record.read_run(path)["launches"]
        self.assertEqual(len(launches), 80)
        self.check(launches[:40], lambda little, much: self.assertLess(little, much))
        self.check(launches[40:], lambda together, apart: self.assertGreater(together, apart))

    def check(self, launches, compares):
        settled = launches[4:]  # what they read lies in L2
        for launch in settled:
            self.assertNotIn("earlier launch", launch["prediction"]["basis"])
        for like in settled[0::2], settled[1::2]:
            self.assertEqual({launch["prediction"]["time_ns"] for launch in like}, {like[0]["prediction"]["time_ns"]})
        compares(*(launch["prediction"]["time_ns"] for launch in settled[:2]))


if __name__ == "__main__":
    unittest.main()
