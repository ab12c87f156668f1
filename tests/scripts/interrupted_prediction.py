#!/usr/bin/env python3
"""Ctrl-C while the time of a launch is predicted: what the launch did is told all the same.

    tests/scripts/interrupted_prediction.py HEADROOM SGEMM

The record says when a launch has run and is not yet predicted; that of the first launch of SGEMM takes some tenths of a second.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SGEMM = sys.argv.pop(2)
HEADROOM = sys.argv.pop(1)
KERNELS = 0, 1, 2  # each launched once; one of them will do, should this machine have been busy with something else


def lines_of(folder):
    """Of the record of the program that runs, as far as it is written."""
    for record in folder.glob("headroom.*/run.*.jsonl"):
        try:
            return record.read_text(errors="replace").rstrip("\0 \n").splitlines()
        except FileNotFoundError:
            pass
    return []


class InterruptedPrediction(unittest.TestCase):
    def interrupt(self, kernel):
        """What is told of a launch that is interrupted while it is predicted; none: the prediction was faster."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            report = folder / "report.json"
            headroom = subprocess.Popen([HEADROOM, "run", "--json", str(report), "--report", os.devnull, "--",
                                         SGEMM, "--size", "512", "--repeat", "1", "--seed", "7"],
                                        env=dict(os.environ, TMPDIR=name), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, start_new_session=True)
            try:
                until = time.monotonic() + 60
                while time.monotonic() < until and headroom.poll() is None:
                    lines = lines_of(folder)
                    if lines and lines[-1].startswith(f'{{"ran":[{kernel},'):
                        os.killpg(headroom.pid, signal.SIGINT)
                        break
                    time.sleep(0.002)
                said, _ = headroom.communicate(timeout=60)
            finally:
                if headroom.poll() is None:
                    os.killpg(headroom.pid, signal.SIGKILL)
                    headroom.communicate()
            self.assertEqual(headroom.returncode, 130, said)
            found = json.loads(report.read_text())["launches"][-1]
            return None if found["prediction"] else found

    def test_what_ran_keeps_its_counters_and_says_why_it_has_no_time(self):
        found = next(filter(None, map(self.interrupt, KERNELS)), None)
        self.assertIsNotNone(found, "each prediction was over before the signal came")
        self.assertGreater(found["counters"]["warp_instructions"], 0)
        self.assertIn("occupancy", found)
        self.assertIn(("no predicted time", "the program was interrupted while it was predicted"),
                      [(each["what"], each["cause"]) for each in found["caveats"]])


if __name__ == "__main__":
    unittest.main()
