#!/usr/bin/env python3
"""How studies end: what was found so far is kept when Ctrl-C, SIGTERM or a failed call comes before the end, files of results are whole or
absent, and what a machine cannot launch is a line of the table, not its end.

    tests/scripts/study_endings.py HEADROOM BIN
"""
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


class StudyEndings(unittest.TestCase):
    headroom = bin = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.json = pathlib.Path(self.folder.name) / "rows.json"

    def command(self, study, *options, machine="h200"):
        return [self.headroom, "run", "--report", f"{self.folder.name}/report", "--machine", machine, "--", f"{self.bin}/{study}",
                "--json", str(self.json), *options]

    def run_study(self, study, *options, machine="h200"):
        return subprocess.run(self.command(study, *options, machine=machine), capture_output=True, text=True, timeout=300)

    def interrupt(self, by, *command):
        """What a study says that has a row, and then a launch that would take far longer than we wait."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        report = self.folder.name + "/report"
        program = None
        for _ in range(600):  # the first row is done when its successor runs
            time.sleep(0.1)
            children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            # the other child clears the temporary folder if headroom is killed
            programs = [child for child in children if pathlib.Path(f"/proc/{child}/comm").read_text() != "headroom\n"]
            program = int(programs[0]) if programs else None
            if program and self.seconds_of(program) > 4:
                break
        os.killpg(process.pid, by)
        out, error = process.communicate(timeout=60)
        return process.returncode, out, error, report

    @staticmethod
    def seconds_of(process):
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_what_was_found_is_said_when_a_signal_comes(self):
        for by in (signal.SIGINT, signal.SIGTERM):
            self.json.unlink(missing_ok=True)
            code, out, error, _ = self.interrupt(by, *self.command("sgemm", "--rung", "coalesced", "--size", "32,2048", "--seed", "1"))
            self.assertEqual(code, 130, out + error)
            self.assertRegex(out, r"\ncoalesced +32 ")
            self.assertTrue(out.endswith("incomplete: interrupted\n"), out)
            found = json.loads(self.json.read_text())
            self.assertIs(found["complete"], False)
            self.assertEqual([row["m"] for row in found["rows"]], [32])
            self.assertEqual(os.listdir(self.folder.name).count("rows.json.unfinished"), 0)

    def test_nothing_is_written_over_what_was_there_before_a_row_is_done(self):
        self.json.write_text("before")
        code, out, error, _ = self.interrupt(signal.SIGINT, *self.command("sgemm", "--rung", "coalesced", "--size", "2048"))
        self.assertEqual(code, 130, out + error)
        self.assertEqual(self.json.read_text(), "before")

    def test_wrong_options_leave_no_file(self):
        done = self.run_study("copy", "--occupancy", "7")
        self.assertEqual(done.returncode, 2)
        self.assertFalse(self.json.exists())

    def test_a_finished_study_is_not_marked(self):
        done = self.run_study("latency", "--threads", "32", "--variant", "one_chain")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("complete", json.loads(self.json.read_text()))
        self.assertNotIn("incomplete", done.stdout)

    def test_results_may_go_where_no_file_is(self):
        done = subprocess.run([self.headroom, "run", "--report", "/dev/null", "--", f"{self.bin}/latency", "--threads", "32", "--variant",
                               "one_chain", "--json", "/dev/stdout"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"rows": [', done.stdout)

    def test_what_a_machine_cannot_launch_is_a_line_that_says_why(self):
        for machine, options, refused, why in (
                ("p100", ("sgemm", "--size", "64", "--rung", "naive,asynchronous,warp_tile"), "asynchronous",
                 r"needs \d+ bytes of shared memory a block, and the machine allows 49152"),
                ("g80", ("latency", "--variant", "one_chain"), "one_chain with 1024 threads", "more threads or shared memory"),
                ("g80", ("nbody", "--bodies", "64", "--precision", "single", "--rung", "no_test,one_thread,thread_per_body"),
                 "no_test, single, 64", "a block of more registers than an SM has")):
            done = self.run_study(*options, machine=machine)
            self.assertEqual(done.returncode, 0, f"{machine} {options}: {done.stdout}{done.stderr}")
            self.assertRegex(done.stdout, rf"\n{re.escape(refused)} +cannot be launched here: .*{why}")
            rows = json.loads(self.json.read_text())["rows"]
            self.assertTrue(rows)
            self.assertEqual({row["verified"] for row in rows}, {"PASS"})

    def test_a_ladder_of_which_nothing_can_run_did_not_pass(self):
        done = self.run_study("sgemm", "--size", "64", machine="g80")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stdout, r"\nnaive +cannot be launched here: a block of more threads")
        self.assertRegex(done.stdout, r"\nstream_k +cannot be launched here: needs")
        self.assertNotIn("PASS", done.stdout)
        self.assertIn("nothing of this can run here", done.stderr)
        self.assertFalse(self.json.exists())

    def test_a_launch_box_names_what_keeps_threads_away(self):
        done = self.run_study("nbody", "--bodies", "64", "--precision", "single", machine="g80")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"cannot be launched here: launch box: .* registers a thread, and a block has 8192")
        self.assertNotIn("launch bounds those of the same table", done.stdout)

    def test_the_report_knows_that_a_kernel_does_not_fit(self):
        self.run_study("nbody", "--bodies", "64", "--precision", "single", "--rung", "no_test,thread_per_body", machine="g80")
        report = pathlib.Path(f"{self.folder.name}/report").read_text()
        self.assertRegex(report, r"no_test.*float> .* impossible .* not run")
        self.assertNotIn("the occupancy leaves registers out", report)

    def test_without_a_gpu_it_says_what_to_do(self):
        if os.path.exists("/dev/nvidia0"):
            self.skipTest("there is a GPU")
        done = subprocess.run([f"{self.bin}/nbody", "--bodies", "64"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"hint: without a GPU: headroom run -- {self.bin}/nbody", done.stderr)

    def test_wrong_options_are_not_blamed_on_a_program_that_none_started(self):
        done = self.run_study("nbody", "--bogus")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("no CUDA call was seen", pathlib.Path(f"{self.folder.name}/report").read_text())

    def test_nbody_refuses_what_it_would_not_do(self):
        for options, words in ((["--steps", "2", "--host"], "--host has no --steps"), (["--dt", "0.5"], "--dt is of --steps"),
                               (["--steps", "2", "--dt", "nan"], "--dt must be")):
            done = self.run_study("nbody", "--bodies", "64", *options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    StudyEndings.headroom, StudyEndings.bin = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
