#!/usr/bin/env python3
"""The rungs of sgemm that use tensor cores err no more than a plain sum of FMAs, and call infinite or no number what it calls so.

    tests/scripts/sgemm_accuracy.py HEADROOM SGEMM

On the executor, whose tensor cores round as an H200's do (docs/tensor.md), at sizes with edges in every tile.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SIZES = "40x70x64,8x12x2090"  # the last is summed in parts


class Accuracy(unittest.TestCase):
    headroom = sgemm = None

    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "errors.json"
            command = [self.headroom, "run", "--report", "/dev/null", "--", self.sgemm, "--accuracy", "--seed", "1", "--size", SIZES,
                       "--rung", "naive,tensor_bf16,tensor_f16", "--json", str(path)]
            process = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
            rows = json.loads(path.read_text())["rows"]
        self.errors = {}
        for row in rows:
            self.errors.setdefault((row["input"], row["k"]), {})[row["rung"]] = row

    def test_tensor_cores_err_no_more_than_a_plain_sum(self):
        judged = 0
        for key, row in self.errors.items():
            plain = row.pop("naive")
            for rung, one in row.items():
                if one["verified"] == "shown":
                    continue
                self.assertLessEqual(one["error"], plain["error"], f"{rung}: {key}")
                self.assertEqual(one["other kinds"], 0, f"{rung}: {key}")
                judged += 1
        self.assertEqual(judged, 2 * 2 * 6)  # rungs, sizes, inputs


if __name__ == "__main__":
    Accuracy.headroom, Accuracy.sgemm = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
