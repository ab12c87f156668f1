#!/usr/bin/env python3
"""What scripts that show a file of results say of one that is missing, empty, cut off or another: one message, exit code 125."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = {"issue_rules": "h200/issue_rules", "model_cost": "model_cost", "plateaus": "h200/latency", "tuning_ranks": "tuning_ranks",
           "compare_model": "h200/model"}


class Given(unittest.TestCase):
    def said_by(self, script, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "file.json")
            if text is not None:
                path.write_text(text)
            done = subprocess.run([sys.executable, "-B", ROOT / f"scripts/prove/{script}.py", path], capture_output=True, text=True, cwd=folder)
            return done.returncode, done.stderr.replace(str(path), "FILE"), done.stdout

    def assert_stops(self, script, text, what):
        code, said, printed = self.said_by(script, text)
        self.assertEqual((code, printed), (125, ""), said)
        self.assertRegex(said, rf"\A{script}\.py: FILE{what}.*\n  hint: give .*\n\Z")

    def test_a_file_that_is_not_what_it_should_be(self):
        for script, name in SCRIPTS.items():
            right = json.loads((ROOT / f"results/{name}.json").read_text())
            nothing = {"kernels": {"convolution": {"rows": []}}} if script == "tuning_ranks" else {"rows": []}
            with self.subTest(script):
                self.assert_stops(script, None, ": No such file or directory")
                self.assert_stops(script, "", ": is empty")
                self.assert_stops(script, json.dumps(right)[:200], ":1: is no JSON, or not all of it: ")
                self.assert_stops(script, "{}", ": its schema is n")
                self.assert_stops(script, "[]", ": its schema is n")
                self.assert_stops(script, json.dumps({"schema": right["schema"]}), ": has no ")
                self.assert_stops(script, json.dumps(right | nothing), ": has no rows")

    def test_a_row_without_what_is_shown(self):
        for script, name in SCRIPTS.items():
            right = json.loads((ROOT / f"results/{name}.json").read_text())
            rows = next(iter(right["kernels"].values()))["rows"] if script == "tuning_ranks" else right["rows"]
            rows[0] = {}
            with self.subTest(script):
                self.assert_stops(script, json.dumps(right), ": a row has no ")

    def test_no_file_is_a_question_of_usage(self):
        for script in SCRIPTS:
            done = subprocess.run([sys.executable, "-B", ROOT / f"scripts/prove/{script}.py"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr.splitlines()[0].split(":")[0]), (2, "usage"), script)

    def test_a_run_that_was_cut_off(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "copy.json").write_text('{"schema": "headroom-run/2", "laun')
            done = subprocess.run([sys.executable, "-B", ROOT / "scripts/prove/compare_model.py", ROOT / "results/h200/model.json", folder,
                                   "--split", ROOT / "results/h200/model_split.json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 125)
        self.assertEqual(done.stderr, f"compare_model.py: {folder}/copy.json:1: is no JSON, or not all of it: Unterminated string starting at\n"
                                      "  hint: headroom run --json FILE writes one\n")


if __name__ == "__main__":
    unittest.main()
