#!/usr/bin/env python3
"""The study transfer on the executor: every way moves the bytes, nothing claims to be measured, and it can fail.

    tests/scripts/transfer.py HEADROOM TRANSFER
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

import studies

MEMORIES = ["pageable", "pinned", "write-combined", "mapped", "managed"]
PATTERNS = ["host to device", "device to host", "both at once", "round trip"]


class Transfer(unittest.TestCase):
    headroom = program = None

    def command(self, *options, devices=1):
        return [self.headroom, "run", "--report", "/dev/null", "--simulated-devices", str(devices), "--", self.program,
                *options]

    def run_study(self, *options, devices=1, **environment):
        return studies.run_study(self.headroom, self.program, *options, on=["--simulated-devices", str(devices)],
                                 environment=environment)

    def test_every_way_brings_the_bytes_and_no_time_is_claimed(self):
        done, results = self.run_study("--quick")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIs(results["measured"], False)
        self.assertIs(results["complete"], True)
        ways = {(row.get("memory"), row["pattern"]) for row in results["rows"]}
        self.assertEqual(ways, {(memory, pattern) for memory in MEMORIES for pattern in PATTERNS}
                         | {(None, "device to device")})
        self.assertEqual({row["bytes"] for row in results["rows"]}, {4, 64, 1024, 16384, 262144, 1 << 20})
        by_driver = [row for row in results["rows"] if "driver" in row["api"]]
        self.assertEqual((len(results["rows"]) - len(by_driver), len(by_driver)), (21 * 6, 17 * 6))
        for part in ("rows", "pinning", "overlap", "steady"):
            self.assertTrue(results[part])
            for row in results[part]:
                self.assertEqual(row["wrong"], 0, row)
                self.assertFalse({"median", "pageable", "together"} & set(row), row)
        self.assertEqual(results["lines"], [])
        self.assertIn("no hardware moves these bytes", done.stdout)
        self.assertNotIn("the driver's API: this process has no driver", results["left_out"])
        self.assertTrue(done.stdout.endswith("PASS\n"))

    def test_odd_sizes_and_a_peer(self):
        done, results = self.run_study("--least", "3", "--factor", "7", "--most", "10001", devices=2)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([row["bytes"] for row in results["rows"] if row["pattern"] == "peer"],
                         2 * [3, 21, 147, 1029, 7203, 10001])  # by the runtime and by the driver
        self.assertEqual(sum(row["wrong"] for row in results["rows"]), 0)

    def test_one_size_smaller_than_a_page_is_enough(self):
        done, results = self.run_study("--least", "5", "--most", "5")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["bytes"] for row in results["rows"]}, {5})
        self.assertEqual(results["pinning"], [])

    def test_it_fails_where_kernels_do_nothing(self):
        done, results = self.run_study("--most", "64", HEADROOM_DO_NOTHING="1")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.endswith("FAIL\n"))
        wrong = {(row.get("memory"), row["pattern"]) for row in results["rows"] if row["wrong"]}
        self.assertIn(("mapped", "device to host"), wrong)
        self.assertIn("WRONG", done.stdout)

    def test_what_cannot_be_is_refused_in_one_line(self):
        for options, said in ((["--most", "1000000G"], "device memory"), (["--least", "0"], "--least must be a size"),
                              (["--least", "1M", "--most", "1K"], "--least is larger"),
                              (["--memory", "punched"], "no memory 'punched'"), (["--only", "all"], "no part 'all'"),
                              (["--factor", "1"], "--factor must be"), (["--fast"], "what is '--fast'?")):
            done = subprocess.run(self.command(*options), capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_an_unwritable_file_is_noticed_before_the_work(self):
        done = subprocess.run(self.command("--json", "/nowhere/at/all.json"), capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cannot write /nowhere/at/all.json", done.stderr)

    @staticmethod
    def watches_for_interrupts(headroom):
        children = pathlib.Path(f"/proc/{headroom.pid}/task/{headroom.pid}/children").read_text().split()
        programs = [child for child in children if "transfer" in pathlib.Path(f"/proc/{child}/comm").read_text()]
        if not programs:
            return False
        caught = re.search(r"SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{programs[0]}/status").read_text())
        return bool(caught and int(caught[1], 16) >> (signal.SIGINT - 1) & 1)

    def test_an_interrupt_leaves_what_was_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "transfer.json"
            process = subprocess.Popen(self.command("--json", str(path), "--most", "64M", "--factor", "2"), text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            while not self.watches_for_interrupts(process) and process.poll() is None:
                time.sleep(0.05)
            time.sleep(0.5)
            os.killpg(process.pid, signal.SIGINT)
            out, error = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, out + error)
            results = json.loads(path.read_text())
        self.assertIs(results["complete"], False)
        self.assertFalse(results["steady"])
        self.assertIn("left out: what an interrupt came before", out)


if __name__ == "__main__":
    Transfer.headroom, Transfer.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
