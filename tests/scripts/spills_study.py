#!/usr/bin/env python3
"""The study spills on the executor: every rung is right, registers and local memory are what launch bounds ask for, and the model says
that spills cost more than the occupancy they buy.

    tests/scripts/spills_study.py HEADROOM SPILLS
"""
import pathlib
import re
import sys
import tempfile
import unittest

import studies

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402


class Spills(unittest.TestCase):
    headroom = program = None

    def test_registers_and_local_memory_follow_the_bounds(self):
        done, found = studies.run_study(self.headroom, self.program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = {row["rung"]: row for row in studies.rows_of(found)}
        self.assertEqual(len(rows), 7)
        self.assertEqual({row["verified"] for row in rows.values()}, {"PASS"})
        for rung, registers in (("four_blocks", 64), ("six_blocks", 40), ("eight_blocks", 32), ("sixteen_values", 32)):
            self.assertLessEqual(rows[rung]["registers"], registers)
        local = [rows[rung]["local, B"] for rung in ("two_blocks", "four_blocks", "six_blocks", "eight_blocks")]
        self.assertEqual(local, sorted(local))
        self.assertEqual([local[0], rows["unbounded"]["local, B"], rows["sixteen_values"]["local, B"]], [0, 0, 0])
        self.assertEqual(rows["dynamic_index"]["local, B"], 64 * 4)
        self.assertEqual([rows[rung]["occupancy, %"] for rung in ("eight_blocks", "sixteen_values")], [100, 100])

    def test_the_model_tells_pressure_from_indices_and_what_they_cost(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "run.json")
            done, _ = studies.run_study(self.headroom, self.program, "--size", "2162688", on=["--json", str(record)], predicted=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            launches = {re.search(r"(\w+)_kernel", launch["kernel"])[1]: launch for launch in run_record.read_run(record)["launches"]}
        time = {rung: launch["prediction"]["time_ns"] for rung, launch in launches.items()}
        self.assertGreater(time["eight_blocks"], 1.5 * time["unbounded"])
        self.assertLess(time["sixteen_values"], time["eight_blocks"])
        self.assertEqual(launches["eight_blocks"]["advice"][0]["id"], "spills")
        self.assertIn("local_memory", [each["id"] for each in launches["dynamic_index"]["advice"][:2]])

    def test_what_cannot_be_is_said(self):
        for options, words in ((["--size", "1000"], "multiple of 16384"), (["--rung", "all"], "no rung 'all'")):
            done, _ = studies.run_study(self.headroom, self.program, *options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    Spills.headroom, Spills.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
