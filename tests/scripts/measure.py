#!/usr/bin/env python3
"""scripts/measure/measure without a GPU: with an nvidia-smi and studies made of shell it keeps what is done, does only what is
missing, ends what takes too long, and says what failed or is left out."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "measure" / "measure"
SMI = """#!/bin/sh
case "$*" in
  *name,driver*) echo "NVIDIA H200, 580.1, 9.0";;
  *) while :; do echo "1980, 3201, 31, [N/A]"; sleep 0.1; done;;
esac
"""
# Writes what it was asked for, and a line for each call, so that a test can count them.
STUDY = """#!/bin/sh
echo "$0 $*" >> "$CALLS"
[ -z "$BROKEN" ] || { echo "it is broken"; exit 1; }
[ -z "$SECOND_BROKEN" ] || case "$*" in *"--block 256"*) echo "the second is broken"; exit 1;; esac
[ -z "$SLOW" ] || sleep 60
while [ "$1" != --json ]; do shift; done
echo '{"title": "t", "rows": [{"rung": "naive", "GFLOP/s": 5, "verified": "PASS"}]}' > "$2"
"""


def load():
    loader = importlib.machinery.SourceFileLoader("measure", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("measure", loader))
    loader.exec_module(module)
    return module


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

    def measure(self, *words, **variables):
        environment = dict(os.environ, PATH=f"{self.place}/path:/usr/bin:/bin", CALLS=str(self.place / "calls"), CUDA_HOME="/nowhere", **variables)
        return subprocess.run([str(SCRIPT), "--bin", str(self.place / "bin"), "--kept", str(self.place / "kept"), "--results",
                               str(self.place / "results"), *words], env=environment, capture_output=True, text=True, timeout=60)

    def calls(self):
        path = self.place / "calls"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def test_a_step_leaves_its_result_with_where_it_is_from(self):
        done = self.measure("--only", "copy")
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
        self.measure("--only", "copy")
        self.assertEqual(self.calls(), 2)
        (self.place / "results" / "h200" / "copy.json").unlink()
        again = self.measure("--only", "copy", "sgemm")
        self.assertEqual(self.calls(), 3)
        self.assertRegex(again.stdout, r"copy +kept")
        self.assertTrue((self.place / "results" / "h200" / "copy.json").exists())
        self.measure("--only", "copy", "--fresh")
        self.assertEqual(self.calls(), 5)

    def test_a_step_that_fails_is_said_and_done_again_next_time(self):
        failed = self.measure("--only", "sgemm", BROKEN="1")
        self.assertEqual(failed.returncode, 1)
        self.assertRegex(failed.stdout, r"sgemm +FAILED .*exit code 1: it is broken")
        self.assertFalse((self.place / "results" / "h200" / "sgemm.json").exists())
        self.assertEqual(self.measure("--only", "sgemm").returncode, 0)

    def test_of_a_step_that_failed_the_runs_that_ended_well_are_kept(self):
        failed = self.measure("--only", "copy", SECOND_BROKEN="1")
        self.assertRegex(failed.stdout, r"copy +FAILED .*--block 256 --seed 1: exit code 1: the second is broken")
        self.assertEqual(self.calls(), 2)
        self.measure("--only", "copy", SECOND_BROKEN="1")
        self.assertEqual(self.calls(), 3)
        self.program("bin/copy", STUDY + "# another build")
        self.assertEqual(self.measure("--only", "copy").returncode, 0)
        self.assertEqual(self.calls(), 5)
        self.assertEqual(list((self.place / "kept" / "h200").glob("*.part")), [])

    def test_what_is_not_there_is_left_out_with_the_reason(self):
        left = self.measure("--only", "transfer")
        self.assertEqual(left.returncode, 0)
        self.assertRegex(left.stdout, r"transfer +left out .*no program 'transfer'")

    def test_a_step_past_its_limit_is_ended(self):
        measure = load()
        gpu = measure.Gpu.__new__(measure.Gpu)
        gpu.index = 0
        self.assertEqual(measure.run(["sleep", "60"], 1, self.place / "log", gpu), 124)

    def test_without_a_gpu_it_says_so(self):
        (self.place / "path" / "nvidia-smi").unlink()
        nothing = self.measure()
        self.assertEqual(nothing.returncode, 127)
        self.assertIn("finds no GPU", nothing.stderr)

    def test_all_limits_together_are_below_ten_minutes(self):
        self.assertLess(sum(step.seconds for step in load().STEPS if step.usual), 600)

    def test_names_of_gpus_are_those_of_our_machines(self):
        machine_of = load().machine_of
        self.assertEqual([machine_of(name) for name in ("NVIDIA H200", "NVIDIA A100-SXM4-80GB", "NVIDIA GeForce RTX 4090", "Radeon")],
                         ["h200", "a100", "rtx4090", ""])


if __name__ == "__main__":
    unittest.main()
