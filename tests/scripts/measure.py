#!/usr/bin/env python3
"""headroom-lab measure without a GPU: with an nvidia-smi and studies made of shell it keeps what is done, does only what is
missing, ends what takes too long, and says what failed or is left out."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LAB = pathlib.Path(sys.argv.pop(1)).resolve()
SMI = """#!/bin/sh
case "$*" in
  *name,driver*) echo "0, NVIDIA H200, 580.1";;
  *) echo "1980, 3201, 31, [N/A]";;
esac
"""
# Writes what it was asked for, and a line for each call, so that a test can count them.
STUDY = """#!/bin/sh
echo "$0 $*" >> "$CALLS"
[ -z "$BROKEN" ] || { echo "it is broken"; exit 1; }
[ -z "$SECOND_BROKEN" ] || case "$*" in *"--block 256"*) echo "the second is broken"; exit 1;; esac
[ -z "$SLOW" ] || sleep 60
[ -z "$SECOND_SLOW" ] || case "$*" in *"--block 256"*) sleep 60;; esac
while [ "$1" != --json ]; do shift; done
echo '{"title": "t", "rows": [{"rung": "naive", "GFLOP/s": 5, "verified": "PASS"}]}' > "$2"
"""


class Measure(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.place = pathlib.Path(self.folder.name)
        self.program("path/nvidia-smi", SMI)
        for study in ("copy", "sgemm", "latency", "registers"):
            self.program(f"bin/{study}", STUDY)
        (self.place / "bin" / "built_with.json").write_text('{"toolkit": "13.0.88", "flags": "-O3"}')

    def program(self, name, text):
        path = self.place / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def start(self, *words, **variables):
        environment = dict(os.environ, PATH=f"{self.place}/path:/usr/bin:/bin", CALLS=str(self.place / "calls"), **variables)
        return subprocess.Popen([LAB, "measure", *words, "--bin", "bin", "--kept", "kept", "--results", "results"], cwd=self.place,
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def measure(self, *words, **variables):
        process = self.start(*words, **variables)
        stdout, stderr = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def calls(self):
        path = self.place / "calls"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def test_a_step_leaves_its_result_with_where_it_is_from(self):
        done = self.measure("copy")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = json.loads((self.place / "results" / "h200" / "copy.json").read_text())
        self.assertEqual(found["schema"], "headroom-results/1")
        self.assertEqual((found["gpu"], found["machine"], found["driver"], found["toolkit"]), ("NVIDIA H200", "h200", "580.1", "13.0.88"))
        self.assertEqual([row["block"] for row in found["rows"]], [64, 256])
        self.assertEqual(len(found["command"]), 2)
        self.assertEqual(found["clocks"][0], {"what": "sm_mhz", "least": 1980.0, "median": 1980.0, "most": 1980.0})
        self.assertNotIn("watts", [clock["what"] for clock in found["clocks"]])
        self.assertRegex(done.stdout, r"copy +done +2 ")

    def test_what_is_kept_is_not_done_again(self):
        self.measure("copy")
        self.assertEqual(self.calls(), 2)
        (self.place / "results" / "h200" / "copy.json").unlink()
        again = self.measure("copy", "sgemm")
        self.assertEqual(self.calls(), 3)
        self.assertRegex(again.stdout, r"copy +kept")
        self.assertTrue((self.place / "results" / "h200" / "copy.json").exists())
        self.measure("copy", "--fresh")
        self.assertEqual(self.calls(), 5)

    def test_a_step_that_fails_is_said_and_done_again_next_time(self):
        failed = self.measure("sgemm", BROKEN="1")
        self.assertEqual(failed.returncode, 1)
        self.assertRegex(failed.stdout, r"sgemm +FAILED .*exit code 1: it is broken")
        self.assertFalse((self.place / "results" / "h200" / "sgemm.json").exists())
        self.assertEqual(self.measure("sgemm").returncode, 0)

    def test_of_a_step_that_failed_the_runs_that_ended_well_are_kept(self):
        failed = self.measure("copy", SECOND_BROKEN="1")
        self.assertRegex(failed.stdout, r"copy +FAILED .*--block 256 --seed 1: exit code 1: the second is broken")
        self.assertEqual(self.calls(), 2)
        self.measure("copy", SECOND_BROKEN="1")
        self.assertEqual(self.calls(), 3)
        self.program("bin/copy", STUDY + "# another build")
        self.assertEqual(self.measure("copy").returncode, 0)
        self.assertEqual(self.calls(), 5)
        self.assertEqual(list((self.place / "kept" / "h200").glob("*.part")), [])

    def test_what_is_not_there_is_left_out_with_the_reason(self):
        left = self.measure("transfer", "injection")
        self.assertEqual(left.returncode, 0)
        self.assertRegex(left.stdout, r"transfer +left out .*no program 'transfer'")
        self.assertRegex(left.stdout, r"injection +left out .*there is no 'scripts/measure/measure_injection.py'")

    def test_a_step_past_its_limit_is_ended(self):
        began = time.monotonic()
        failed = self.measure("sgemm", "--limit", "0.5", SLOW="1")
        self.assertRegex(failed.stdout, r"sgemm +FAILED .*ran past its limit")
        self.assertLess(time.monotonic() - began, 30)

    def test_what_is_interrupted_goes_on_where_it_was(self):
        process = self.start("copy", "sgemm", SECOND_SLOW="1")
        while self.calls() < 2:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertRegex(stdout, r"copy +interrupted")
        self.assertNotIn("sgemm", stdout)
        self.assertIn("call it again", stderr)
        self.assertEqual(self.measure("copy").returncode, 0)
        self.assertEqual(self.calls(), 3)

    def test_a_command_leaves_what_it_wrote_and_how_it_was_called(self):
        self.program("bin/transfer", STUDY)
        done = self.measure("transfer")
        self.assertEqual(done.returncode, 0, done.stdout)
        found = json.loads((self.place / "results" / "h200" / "transfer.json").read_text())
        self.assertEqual((found["title"], found["gpu"]), ("t", "NVIDIA H200"))
        self.assertEqual(found["command"], ["transfer --json transfer.json"])
        self.assertEqual(found["rows"], [{"rung": "naive", "GFLOP/s": 5, "verified": "PASS"}])

    def test_bad_words_are_refused_before_anything_is_done(self):
        for words, said in ((["nonsense"], "no step 'nonsense'"), (["copy", "--gpu", "7"], "there is no such GPU here"),
                            (["copy", "--limit", "nan"], "--limit")):
            refused = self.measure(*words)
            self.assertEqual(refused.returncode, 125, words)
            self.assertIn(said, refused.stderr)
        self.assertEqual(self.calls(), 0)

    def test_without_a_gpu_it_says_so(self):
        (self.place / "path" / "nvidia-smi").unlink()
        nothing = self.measure()
        self.assertEqual(nothing.returncode, 127)
        self.assertIn("finds no GPU", nothing.stderr)

    def test_all_limits_together_are_below_ten_minutes(self):
        listed = re.findall(r"^\w+ +(\d+) s  (.*)$", self.measure("--list").stdout, re.MULTILINE)
        self.assertGreater(len(listed), 10)
        self.assertLess(sum(int(seconds) for seconds, what in listed if not what.endswith("only when named")), 600)


if __name__ == "__main__":
    unittest.main()
