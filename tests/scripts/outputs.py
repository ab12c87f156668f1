#!/usr/bin/env python3
"""headroom run --trace and --csv: a timeline that a viewer takes, and a table that says what the JSON says; of a run on the
executor, and of one on a GPU (a recorded one, played back).

    tests/scripts/outputs.py HEADROOM PROGRAMS SGEMM
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

HEADROOM, PROGRAMS, SGEMM = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
RECORDED = pathlib.Path(__file__).parents[1] / "gpu/recorded/kinds.activity"


def end_of(event):
    return event["ts"] + event.get("dur", 0)


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def read(self, command, **more):
        """A run's JSON, table and events; the last are checked as any viewer would."""
        files = [self.folder / name for name in ("run.json", "run.csv", "run.trace")]
        run = subprocess.run(command(["--json", files[0], "--csv", files[1], "--trace", files[2], "--report", self.folder / "report"]),
                             capture_output=True, text=True, timeout=120, **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(files[1], newline="") as file:
            rows = list(csv.DictReader(file))
        trace = json.loads(files[2].read_text())
        return run_record.read_run(files[0]), rows, self.checked(trace)

    def checked(self, trace):
        named, events = set(), []
        for event in trace["traceEvents"]:
            self.assertIn(event["ph"], "MXi")
            if event["ph"] == "M":
                named.add((event["name"], event["pid"], event.get("tid")))
                continue
            self.assertIn(("process_name", event["pid"], None), named)
            self.assertIn(("thread_name", event["pid"], event["tid"]), named)
            self.assertGreaterEqual(event["ts"], 0)
            self.assertEqual("dur" in event, event["ph"] == "X")
            events.append(event)
        rows = {}
        for event in sorted(events, key=lambda each: each["ts"]):
            row = (event["pid"], event["tid"])
            self.assertGreaterEqual(event["ts"] + 1e-3, rows.get(row, 0), "events of a stream do not overlap")
            rows[row] = event["ts"] + event.get("dur", 0)
        return trace["otherData"], events

    def test_a_run_on_the_executor(self):
        run, rows, (about, events) = self.read(lambda files: [HEADROOM, "run", "--engine", "ptx", *files, "--", SGEMM, "--size", "64", "--seed", "1"])
        launches = run["launches"]
        self.assertEqual(len(rows), len(launches))
        for row, launch in zip(rows, launches):
            self.assertEqual(row["kernel"], launch["kernel"])
            self.assertEqual([int(row["grid_" + axis]) for axis in "xyz"], launch["grid"])
            self.assertEqual(row["predicted_ns"] != "", launch["prediction"] is not None)
            if launch["prediction"]:
                self.assertAlmostEqual(float(row["predicted_ns"]) / launch["prediction"]["time_ns"], 1, 4)
            self.assertAlmostEqual(float(row["floor_ns"]) / (1e9 * launch["floor_seconds"]), 1, 4)
            for name in run["totals"]["counters"]:
                value = launch["counters"].get(name)
                self.assertEqual(row[name], "" if value is None else str(value), name)
        self.assertIn("ptx", {row["engine"] for row in rows}, "they have no counters by pipe")
        self.assertIn("", {row["pipe_alu"] for row in rows})
        self.assertIn("not measured", about["times"])
        events = [event for event in events if event["cat"] == "kernel"]
        self.assertEqual(len(events), len(launches))
        for event, launch in zip(events, launches):
            self.assertEqual(event["args"]["kernel"], launch["kernel"])
            seconds = launch["prediction"]["time_ns"] / 1e9 if launch["prediction"] else launch["floor_seconds"]
            self.assertAlmostEqual(event["dur"] / (1e6 * seconds), 1, 6)
            self.assertEqual(event["args"]["time"], "predicted" if launch["prediction"] else "largest floor")

    def test_copies_and_waits_stand_between_the_launches(self):
        run, _, (about, events) = self.read(lambda files: [HEADROOM, "run", *files, "--", SGEMM, "--size", "64", "--rung", "naive", "--seed", "1"])
        copies = [event for event in events if event["cat"] == "copy"]
        for told in run["transfers"]:
            drawn = [event for event in copies if event["name"] == told["direction"].replace("_", " ")]
            self.assertEqual((len(drawn), sum(event["args"]["bytes"] for event in drawn)), (told["calls"], told["bytes"]))
        launch = next(event for event in events if event["cat"] == "kernel")
        self.assertLess(copies[0]["ts"], launch["ts"], "what the kernel reads comes before it")
        self.assertGreaterEqual(copies[-1]["ts"], end_of(launch), "its result is copied after it")
        self.assertTrue(any(event["ts"] <= launch["ts"] and end_of(event) >= end_of(launch) for event in events if event["cat"] == "wait"),
                        "the host waits for the launch")
        self.assertIn("55.5 GB/s", about["copies"])

    def test_a_wait_ends_with_what_it_waits_for(self):
        """By the program's own order: an event after the first launch, then a launch and a copy to memory that is not pinned, and their stream."""
        _, _, (_, events) = self.read(lambda files: [HEADROOM, "run", *files, "--", PROGRAMS / "runtime_events"])
        waits = [event for event in events if event["cat"] == "wait"]
        self.assertEqual([each["name"] for each in waits], [f"wait for {what}" for what in ("event", "event", "copy", "stream")])
        unrecorded, event, copied, stream = waits
        first, second = [event for event in events if event["cat"] == "kernel"][:2]
        copy = next(event for event in events if event["cat"] == "copy")
        self.assertEqual(unrecorded["dur"], 0)
        self.assertAlmostEqual(end_of(event), end_of(first))
        self.assertAlmostEqual(end_of(copied), end_of(copy))
        self.assertGreater(copied["dur"], copy["dur"], "the launch before it, too")
        self.assertAlmostEqual(end_of(stream), end_of(copy), msg="which was over already")
        self.assertEqual(copy["tid"], second["tid"], "the row of their stream")
        self.assertEqual(len({first["tid"], second["tid"], stream["tid"]}), 3)

    def test_page_faults_of_managed_memory_are_named_where_it_is_touched_first(self):
        run, _, _ = self.read(lambda files: [HEADROOM, "run", "--machine", "h200", *files, "--", PROGRAMS / "golden_managed"])
        told = [launch["kernel"].split("(")[0] for launch in run["launches"]
                if any("page faults of managed memory" in caveat["what"] for caveat in launch["caveats"])]
        self.assertEqual(told, ["first_touch", "anew"])

    def test_launches_that_did_not_run_have_no_time(self):
        _, rows, (_, events) = self.read(lambda files: [HEADROOM, "run", *files, "--", PROGRAMS / "golden_refused"])
        self.assertIn("refused", {row["state"] for row in rows})
        events = [event for event in events if event["cat"] == "kernel"]
        for row, event in zip(rows, events):
            self.assertEqual(row["state"], event["args"]["state"])
            if row["state"] == "refused":
                self.assertEqual((row["floor_ns"], row["predicted_ns"], row["warp_instructions"], event["ph"]), ("", "", "", "i"))

    def test_the_table_on_standard_output_is_alone_there(self):
        run = subprocess.run([HEADROOM, "run", "--csv", "-", "--", PROGRAMS / "golden_saxpy"], capture_output=True, text=True, cwd=self.folder)
        rows = list(csv.DictReader(run.stdout.splitlines()))
        self.assertEqual({row["kernel"] for row in rows}, {"saxpy(int, float, float const*, float*)"})
        self.assertIn("no error", run.stderr)

    if (PROGRAMS / "with_fake_gpu").exists():
        def test_a_run_on_a_gpu(self):
            path = f"{PROGRAMS}:{pathlib.Path(HEADROOM).parent}:{os.environ['PATH']}"
            run, rows, (about, events) = self.read(
                lambda files: ["with_fake_gpu", "headroom", "run", "--gpu", "0", *files, "--", "gpu_program", "cuda", "launch=100"],
                env={**os.environ, "PATH": path, "FAKE_CUPTI_TRACE": str(RECORDED)})
            self.assertEqual(about["times"], "measured")
            self.assertEqual([row["kernel"] for row in rows], [launch["kernel"] for launch in run["launches"]])
            for row, launch in zip(rows, run["launches"]):
                self.assertAlmostEqual(float(row["measured_ns"]) / (1e9 * launch["seconds"]), 1, 4)
                self.assertAlmostEqual(float(row["start_ns"]), 1e9 * launch["start"], delta=1)
            copies = [event for event in events if event["cat"] == "copy"]
            self.assertEqual([event["args"]["bytes"] for event in copies], [copy["bytes"] for copy in run["copies"]])
            self.assertEqual(len(events), len(run["launches"]) + len(run["copies"]))


if __name__ == "__main__":
    unittest.main()
