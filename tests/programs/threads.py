#!/usr/bin/env python3
"""However many host threads run a program's kernels: its output and the counters of its launches are the same.

    threads.py --standin build/release/lib/headroom/libcudart.so.13 'build/release/bin/sgemm --seed 1' …

A program and its arguments are one word; its input must be the same in every run.
"""
import argparse
import glob
import os
import subprocess
import tempfile
import unittest

import record

arguments = None


def launches(command, threads):
    """What a run leaves: exit code, output, and of every launch what does not depend on the host's speed."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600,
                              env={**os.environ, "LD_PRELOAD": arguments.standin, "HEADROOM_THREADS": str(threads),
                                   "HEADROOM_RECORD": os.path.join(folder, "run")})
        lines = [line for path in sorted(glob.glob(folder + "/*")) for line in record.lines(path)]
    seen = [{key: value for key, value in line["launch"].items() if key != "seconds"} for line in lines if "launch" in line]
    return done.returncode, done.stdout, seen


class Threads(unittest.TestCase):
    def test_do_not_show(self):
        for program in arguments.programs:
            command = program.split()
            one = launches(command, 1)
            self.assertTrue(one[2], program)
            if "tallies" in command[0]:  # else it would show nothing
                self.assertFalse(any(launch["ordered"] for launch in one[2]), program)
            for threads in (2, 3, 4, 8, 16):
                with self.subTest(program=os.path.basename(command[0]), threads=threads):
                    self.assertEqual(launches(command, threads), one)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--standin", required=True)
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    unittest.main(argv=["threads"])
