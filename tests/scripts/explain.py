#!/usr/bin/env python3
"""headroom explain: the report of a record is the report of the run; a record that is hurt is one clear message.

    tests/scripts/explain.py HEADROOM PROGRAMS        PROGRAMS: the folder with golden_saxpy and its like
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEADROOM, PROGRAMS = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
WHOLE, ALL_KERNELS = [], ["--kernel", "."]


class Explain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.record = self.folder / "run.json"

    def headroom(self, *arguments, timeout=120):
        return subprocess.run([HEADROOM, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, cwd=self.folder)

    def run_program(self, program, *options):
        """The report of a run, whose record is written, too."""
        self.headroom("run", "--json", self.record, "--report", "report.txt", *options, "--", PROGRAMS / program)
        return (self.folder / "report.txt").read_text()

    def assert_same(self, program, *options, kernel=WHOLE, machine=()):
        report = self.run_program(program, *kernel, *options)
        again = self.headroom("explain", self.record, *kernel, *machine)
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        self.assertEqual(again.stdout, report)
        return report

    def test_a_run(self):
        self.assertIn("saxpy", self.assert_same("golden_saxpy"))
        self.assertIn("Occupancy", self.assert_same("golden_saxpy", kernel=ALL_KERNELS))

    def test_what_changes_a_report(self):
        for options in (["--engine", "ptx"], ["--no-model"], ["--machine", "gtx480"], ["--scheduling", "lockstep"],
                        ["--events", "predicted"]):
            for kernel in (WHOLE, ALL_KERNELS):
                with self.subTest(options=options, kernel=kernel):
                    self.assert_same("golden_saxpy", *options, kernel=kernel)

    def test_counts_by_source_line(self):
        self.assertIn("LDG", self.assert_same("golden_saxpy", "--source", kernel=["--kernel", "saxpy"]))

    def test_stalls_by_source_line_are_those_of_the_kernel(self):
        report = self.assert_same("golden_saxpy", "--source", kernel=["--kernel", "saxpy"])
        self.assertRegex(report, r"saxpy\.cu:6 [^\n]*\n?[^\n]*· memory latency")
        launch = json.loads(self.record.read_text())["launches"][0]
        instructions = [each for line in launch["source"] for each in line["instructions"]]
        for name, cycles in launch["prediction"]["stalls"].items():
            summed = sum(each.get("stalls", {}).get(name, 0) for each in instructions)
            self.assertAlmostEqual(summed / launch["counters"]["warp_instructions"], cycles, delta=.01, msg=name)
        self.assertNotIn("stalls", self.assert_same("golden_saxpy", "--source", "--no-model", kernel=["--kernel", "saxpy"]).split("Source")[1])

    def test_what_went_wrong(self):
        for program in ("golden_past_the_end", "golden_killed", "golden_refused", "golden_shapes"):
            with self.subTest(program=program):
                self.assert_same(program)

    def test_a_program_without_cuda(self):
        script = self.folder / "script"
        script.write_text("#!/bin/sh\nexit 3\n")
        script.chmod(0o755)
        self.assertIn("exit code 3, before any CUDA call", self.assert_same(script))

    def test_a_machine_of_ones_own(self):
        mine = json.loads(self.headroom("machine", "show", "a100", "--json").stdout)
        mine["name"] = "mine"
        (self.folder / "mine.json").write_text(json.dumps(mine))
        self.assert_same("golden_saxpy", "--machine", "mine.json", machine=("--machine", "mine.json"))
        for options, said in (((), "name that file"), (("--machine", "h200"), "imitated mine, not h200")):
            refused = self.headroom("explain", self.record, *options)
            self.assertEqual(refused.returncode, 125)
            self.assertIn(said, refused.stderr)

    def test_a_page(self):
        self.run_program("golden_saxpy")
        self.assertEqual(self.headroom("explain", self.record, "--report", "page.html").returncode, 0)
        self.assertIn("<td", (self.folder / "page.html").read_text())
        refused = self.headroom("explain", self.record, "--report", self.record)
        self.assertEqual(refused.returncode, 125)
        self.assertIn("is the record that is read", refused.stderr)

    def assert_refused(self, what):
        process = self.headroom("explain", self.record)
        self.assertEqual(process.returncode, 125, f"{what}: {process.stdout}{process.stderr}")
        self.assertRegex(process.stderr, r"^headroom: .*run\.json: .*\n  hint: .*\n$", what)

    def test_a_record_that_is_hurt(self):
        self.run_program("golden_saxpy", "--source", "--kernel", "saxpy")
        text = self.record.read_text()
        for length in (0, 1, len(text) // 2, len(text) - 3):
            self.record.write_text(text[:length])
            self.assert_refused(f"cut off behind {length}")
        for other in ("[]", "7", '"x"', '{"schema": 1}', '{"schema": "headroom-run/1"}'):
            self.record.write_text(other)
            self.assert_refused(other)
        whole = json.loads(text)
        for line in (-1, 1.5, "x", None):
            hurt = copy.deepcopy(whole)
            hurt["launches"][0]["source"][0]["line"] = line
            self.record.write_text(json.dumps(hurt))
            self.assert_refused(f"line {line}")
        self.record.write_text(text.replace('"schema"', '"more": ' + 100000 * "[" + 100000 * "]" + ', "schema"', 1))
        self.assert_refused("a hundred thousand brackets")
        needed = ["kernel", "mangled", "grid", "block", "process", "counters", "resources", "floor_seconds", "executor_seconds", "engine"]
        for key in needed:
            for value in (None, "x", [], {}):
                hurt = copy.deepcopy(whole)
                if value is None:
                    del hurt["launches"][0][key]
                else:
                    hurt["launches"][0][key] = value
                self.record.write_text(json.dumps(hurt))
                if (key, value) not in (("kernel", "x"), ("mangled", "x"), ("engine", None)):
                    self.assert_refused(f"{key} is {value}")


if __name__ == "__main__":
    unittest.main()
