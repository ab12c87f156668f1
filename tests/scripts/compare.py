#!/usr/bin/env python3
"""headroom compare: what a change of a program is said to change, gates on it, and one message for what is no record.

    tests/scripts/compare.py HEADROOM PROGRAMS        PROGRAMS: the folder with golden_saxpy and its like
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

HEADROOM, PROGRAMS = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
COUNTERS = ["warp_instructions", "global_load_sectors", "shared_load_wavefronts", "unique_sectors", "branches"]
EXACT = [*COUNTERS, "predicted_ns", "floor_ns", "occupancy", "registers", "shared", "spill", "stack", "findings", "launches"]


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.record("run.json", "golden_saxpy")
        # The second launch finds in L2 what the first one touched; here it is as the first.
        folded = json.loads((cls.folder / "run.json").read_text())
        second = folded["launches"][1]
        folded["launches"][1] = {key: second[key] for key in ("index", "process", "executor_seconds")} | {"same_as": 0}
        (cls.folder / "run.json").write_text(json.dumps(folded))
        cls.file_text = (cls.folder / "run.json").read_text()
        whole = run_record.read_run(cls.folder / "run.json")
        for launch in whole["launches"]:
            launch.pop("same_as", None)
        cls.run_text = json.dumps(whole)

    @classmethod
    def headroom(cls, *arguments):
        return subprocess.run([HEADROOM, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=cls.folder)

    @classmethod
    def record(cls, name, program, *options):
        cls.headroom("run", "--json", name, *options, "--", PROGRAMS / program)

    def changed(self, change, name="new.json"):
        record = json.loads(self.run_text)
        change(record)
        (self.folder / name).write_text(json.dumps(record))
        return name

    def compare(self, code, *arguments, old="run.json", new="new.json"):
        process = self.headroom("compare", old, new, *arguments)
        self.assertEqual(process.returncode, code, process.stdout + process.stderr)
        return process.stdout + process.stderr

    @staticmethod
    def four_times_the_sectors(record):
        for launch in record["launches"]:
            launch["counters"]["global_load_sectors"] *= 4
            launch["prediction"]["time_ns"] *= 1.3
            for floor in launch["floors"]:
                if floor["resource"] in ("l1", "l2"):
                    floor["seconds"] *= 4

    def test_launches_that_are_as_earlier_ones_are_those(self):
        self.record("plain.json", "golden_saxpy", "--no-model")  # whose time differs by what L2 holds
        folded = json.loads((self.folder / "plain.json").read_text())
        self.assertEqual([launch.get("same_as") for launch in folded["launches"]], [None, 0])
        before = json.loads(self.run_text)
        (self.folder / "old.json").write_text(json.dumps(before | {"schema": "headroom-run/1"}))
        gates = [part for name in EXACT for sign in "<>" for part in ("--fail-if", f"{name} {sign} 0 %")]
        self.compare(0, *gates, old="old.json", new="run.json")
        self.assertEqual(self.headroom("explain", "old.json").stdout, self.headroom("explain", "run.json").stdout)
        for place in (1, 7, -1, "0", None):
            folded["launches"][1]["same_as"] = place
            (self.folder / "hurt.json").write_text(json.dumps(folded))
            self.assertIn("is damaged", self.compare(125, new="hurt.json"))
            self.assertIn("is damaged", self.headroom("explain", "hurt.json").stderr)

    def profile(self, rows, units=None, name="profile.csv", lead="==PROF== Connected to process 7\n"):
        """What ncu --csv --page raw writes of launches: {column: cell}."""
        columns = ["ID", "Process ID", "Process Name", "Kernel Name", "Block Size", "Grid Size"]
        columns += [key for key in rows[0] if key not in columns]
        fixed = {"Process ID": "7", "Process Name": "app"}
        lines = [columns, [(units or {}).get(column, "") for column in columns]]
        lines += [[str({**fixed, "ID": i, **row}[column]) for column in columns] for i, row in enumerate(rows)]
        text = lead + "".join(",".join(f'"{cell}"' for cell in line) + "\n" for line in lines)
        (self.folder / name).write_text(text)
        return name

    def launches_of_profile(self, sectors=None):
        sector, register, time = ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "launch__registers_per_thread",
                                  "gpu__time_duration.sum")
        return [{"Kernel Name": "saxpy(int, float, const float *, float *)", "Block Size": "(256, 1, 1)", "Grid Size": "(256, 1, 1)",
                 sector: f"{sectors or launch['counters']['global_load_sectors']:,}", register: launch["resources"]["registers"],
                 time: f"{3 + i / 100:.2f}", "dram__bytes.sum": "1.5"} for i, launch in enumerate(json.loads(self.run_text)["launches"])], {
                     time: "us", sector: "sector", register: "register/thread", "dram__bytes.sum": "Mbyte"}

    def test_a_profile_of_nsight_compute_is_a_record(self):
        same = self.profile(*self.launches_of_profile())
        text = self.compare(0, "--fail-if", "global_load_sectors > 0", "--fail-if", "registers > 0", new=same)
        self.assertIn("1 kernel unchanged", text)
        self.assertIn("is of Nsight Compute: only the figures that it has are compared", text)
        more = self.profile(*self.launches_of_profile(sectors=70000), name="more.csv")
        text = self.compare(1, "--fail-if", "global_load_sectors > 0", new=more)
        self.assertRegex(text, r"global_load_sectors +\d[\d ]+ +70 000")
        self.assertNotIn("warp_instructions", text, "which it has not")
        self.compare(2, "--fail-if", "warp_instructions > 0", new=same)
        text = self.compare(1, "--fail-if", "global_load_sectors > +1 %", old=same, new=more)
        self.assertIn("measured, median", self.compare(0, "--json", "out.json", old=same, new=more))
        both = json.loads((self.folder / "out.json").read_text())
        self.assertAlmostEqual(both["kernels"][0]["measured"]["old"]["median_ns"], 3005, 0)
        self.assertTrue(both["old"]["profiled"])

    def test_a_profile_with_a_line_a_metric(self):
        rows, units = self.launches_of_profile()
        columns = ["ID", "Process ID", "Process Name", "Kernel Name", "Block Size", "Grid Size", "Metric Name", "Metric Unit", "Metric Value"]
        lines = [columns] + [[i, 7, "app", row["Kernel Name"], row["Block Size"], row["Grid Size"], name, units[name], row[name]]
                             for i, row in enumerate(rows) for name in units]
        (self.folder / "lines.csv").write_text("".join(",".join(f'"{cell}"' for cell in line) + "\n" for line in lines))
        self.assertIn("1 kernel unchanged", self.compare(0, "--fail-if", "global_load_sectors > 0", new="lines.csv"))

    def details(self, *, duration="3.00", name="details.csv"):
        """What ncu --csv writes of its sections (--page details), as versions 2023 to 2025 do: 20 columns, rules among the metrics."""
        columns = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC",
                   "Section Name", "Metric Name", "Metric Unit", "Metric Value", "Rule Name", "Rule Type", "Rule Description",
                   "Estimated Speedup Type", "Estimated Speedup"]
        sol, launch, occupancy = "GPU Speed Of Light Throughput", "Launch Statistics", "Occupancy"
        metrics = [(sol, "DRAM Frequency", "hz", "1,215,000,000.00"), (sol, "Memory Throughput", "%", "45.70"), (sol, "Duration", "us", duration),
                   (launch, "Registers Per Thread", "register/thread", "{registers}"), (launch, "Block Size", "", "256"),
                   (launch, "Static Shared Memory Per Block", "byte/block", "0"), (launch, "Driver Shared Memory Per Block", "Kbyte/block", "1.02"),
                   (occupancy, "Theoretical Occupancy", "%", "100")]
        rows = []
        for i, each in enumerate(json.loads(self.run_text)["launches"]):
            head = [i, 7, "app", "127.0.0.1", "saxpy(int, float, const float *, float *)", 1, 7, "(256, 1, 1)", "(256, 1, 1)", 0, "9.0"]
            rows += [head + [section, what, unit, value.format(registers=each["resources"]["registers"]), "", "", "", "", ""]
                     for section, what, unit, value in metrics]
            rows.append(head + [sol, "", "", "", "SOLBottleneck", "OPT", 'This kernel, ""says"" the rule,\nis limited by latency.', "global", "12.5"])
        text = "==PROF== Connected to process 7\nPASS\n==PROF== Disconnected from process 7\n"
        text += "".join(",".join(f'"{cell}"' for cell in line) + "\n" for line in [columns, *rows])
        (self.folder / name).write_text(text)
        return name

    def test_a_profile_of_sections_has_time_registers_and_occupancy(self):
        text = self.compare(0, "--fail-if", "registers > 0", "--fail-if", "occupancy < 0", new=self.details())
        self.assertIn("1 kernel unchanged", text)
        self.compare(0, "--json", "out.json", old=self.details(), new=self.details(duration="4.00", name="slower.csv"))
        measured = json.loads((self.folder / "out.json").read_text())["kernels"][0]["measured"]
        self.assertEqual([round(measured[side]["median_ns"]) for side in ("old", "new")], [3000, 4000])

    def test_numbers_of_another_locale_are_refused(self):
        for number in ("3,05", "27.595.520", "1.234,5", "12,3456", "1234,567,8"):
            said = self.compare(125, new=self.details(duration=number))
            self.assertIn(f"Duration is {number}: written for another locale", said)
        for number in ("1,234.5", "12", "1234.5", "1,234,567"):
            self.compare(0, new=self.details(duration=number))

    def test_a_profile_that_is_damaged_is_one_message(self):
        rows, units = self.launches_of_profile()
        whole = (self.folder / self.profile(rows, units)).read_text()
        for change, said in ((lambda text: text.replace('"register/thread"', '"register/moon"').replace('"sector"', '"Ksector"'), "unit that is not known: Ksector"),
                             (lambda text: text.replace('"(256, 1, 1)"', '"256"', 1), "'256' is no grid or block"),
                             (lambda text: text.replace(',"1.5"\n', "\n", 1), "a line has"),
                             (lambda text: text.replace("Grid Size", "Grid"), 'has no column "Grid Size"'),
                             (lambda text: text[:text.index('"0"')], "has no launch in it")):
            (self.folder / "hurt.csv").write_text(change(whole))
            self.assertIn(said, self.compare(125, new="hurt.csv"))
        only_dram = [{key: cell for key, cell in row.items() if "Name" in key or "Size" in key or "dram" in key} for row in rows]
        self.assertIn("has no metric that headroom counts", self.compare(125, new=self.profile(only_dram, units)))

    def test_a_program_again_and_again_alarms_no_gate(self):
        for program, times in (("golden_saxpy", 8), ("golden_shapes", 4)):
            gates = [part for name in EXACT if program == "golden_saxpy" or name != "predicted_ns"
                     for sign in "<>" for part in ("--fail-if", f"{name} {sign} 0 %")]
            self.record("first.json", program)
            for _ in range(times):
                self.record("again.json", program)
                said = self.compare(0, *gates, old="first.json", new="again.json")
                self.assertIn(": 0 of ", said)
                self.assertNotIn("fails", said)

    def test_what_moved_the_time(self):
        new = self.changed(self.four_times_the_sectors)
        said = self.compare(0)
        self.assertIn("1 of 1 kernel changed", said)
        self.assertRegex(said, r"predicted .* -> .* \(\+30(\.0)? %\): global_load_sectors\s+16 384 ->\s+65 536\s+\(\+300 %\)")
        for line in said.splitlines():
            self.assertLessEqual(len(line), 100)
        self.headroom("compare", "run.json", new, "--json", "said.json", "--report", "said.md")
        told = json.loads((self.folder / "said.json").read_text())
        self.assertEqual(told["kernels"][0]["launches"][0]["because"]["percent"], 300)
        self.assertIn("| global_load_sectors |", (self.folder / "said.md").read_text())

    def test_gates(self):
        self.changed(self.four_times_the_sectors)
        said = self.compare(1, "--fail-if", "global_load_sectors > +0 %", "--fail-if", "registers > 0")
        self.assertRegex(said, r"fails 'global_load_sectors > \+0 %': saxpy, 2 launches: global_load_sectors\s+16 384")
        self.assertNotIn("fails 'registers", said)
        self.compare(0, "--fail-if", "global_load_sectors > +300 %")
        self.compare(1, "--fail-if", "global_load_sectors >= +300 %")
        self.compare(0, "--fail-if", "global_load_sectors > 0", old="new.json")
        self.assertIn("cannot compare: measured_ns > 0", self.compare(2, "--fail-if", "measured_ns > 0"))
        self.assertIn("no kernel is in both", self.compare(2, "--kernel", "nothing", "--fail-if", "registers > 0"))

    def test_kernels_of_one_record(self):
        def renamed(record):
            record["launches"][1]["kernel"] = "daxpy(int)"
        self.changed(renamed)
        said = self.compare(0)
        self.assertIn("only in new.json: daxpy", said)
        self.assertIn("2 -> 1 launches", said)
        self.assertIn("only in new.json: daxpy", self.compare(0, "--kernel", "daxpy"))

    def test_runs_that_differ_in_kind(self):
        self.record("new.json", "golden_saxpy", "--engine", "ptx", "--machine", "a100")
        said = self.compare(2, "--fail-if", "global_load_sectors > 0", "--fail-if", "registers > 1000")
        self.assertIn("two machines, h200 and a100", said)
        self.assertIn("one record counted PTX", said)

    def measured(self, name, seconds):
        launch = {"index": 0, "kernel": "saxpy(int)", "mangled": "saxpy", "grid": [1, 1, 1], "block": [32, 1, 1], "cluster": None,
                  "dynamic_shared": 0, "state": "measured", "registers": 12, "static_shared": 0, "occupancy": 1.0, "floor_seconds": None}
        record = {"schema": "headroom-timing/1", "program": {"command": ["./app"]}, "gpu": {"name": "NVIDIA H200"}, "kernels": [{"n": 1}],
                  "launches": [launch | {"seconds": each} for each in seconds], "copies": [{"bytes": 1}]}
        (self.folder / name).write_text(json.dumps(record))
        return name

    def test_measured_times(self):
        old = self.measured("old_gpu.json", [12e-6, 12.1e-6, 12.2e-6, 12e-6, 12.3e-6])
        tie = self.measured("tie_gpu.json", [12.1e-6, 12.1e-6, 12.3e-6, 12e-6, 12.2e-6])
        slow = self.measured("slow_gpu.json", [15e-6, 15.1e-6, 15.2e-6, 15e-6, 15.3e-6])
        gate = "--fail-if", "measured_ns > +5 %"
        self.assertIn("0 of 1 kernel changed", self.compare(0, *gate, old=old, new=tie))
        self.assertIn("+24.8 %", self.compare(1, *gate, old=old, new=slow))
        few = self.measured("few_gpu.json", [12e-6])
        self.assertIn("fewer than 4", self.compare(2, *gate, old=old, new=few))
        self.assertIn("measured on a GPU", self.compare(125, old=old, new="run.json"))

    def assert_refused(self, what, *arguments):
        said = self.compare(125, *arguments)
        self.assertRegex(said, r"^headroom: .*\n  hint: .*\n$", what)
        return said

    def test_what_is_no_record(self):
        new = self.folder / "new.json"
        for length in (0, 1, len(self.run_text) // 2, len(self.run_text) - 3):
            new.write_text(self.run_text[:length])
            self.assert_refused(f"cut off behind {length}")
        for text in ("[]", "7", "{}", '{"schema": 1}', '{"schema": "headroom-run/1"}', '{"launches": [{}]}', "[" * 100000,
                     '{"schema": "headroom-run/99", "launches": [{}]}'):
            new.write_text(text)
            self.assert_refused(text[:40])
        for key in ("kernel", "grid", "block", "counters", "resources", "occupancy", "findings", "floors", "limiter"):
            for value in (None, [1], {"a": "x"}, "x", -1):
                if value is None:
                    self.changed(lambda record: record["launches"][0].pop(key))
                    self.assert_refused(f"{key} is missing")
                else:
                    self.changed(lambda record: record["launches"][0].update({key: value}))
                    self.assertIn(self.headroom("compare", "run.json", "new.json").returncode, (0, 125), f"{key} {value}")
        for value in (-1, "x", [], True):
            self.changed(lambda record: record["launches"][0]["counters"].update({"branches": value}))
            self.assertIn("branches", self.assert_refused(f"a counter is {value}"))
        new.unlink()
        self.assert_refused("no such file")
        endless = self.headroom("compare", "run.json", "/dev/zero")
        self.assertEqual((endless.returncode, endless.stderr.splitlines()[0]), (125, "headroom: /dev/zero: has more than 256 MiB"))

    def test_what_is_typed_wrong(self):
        self.changed(lambda record: None)
        self.assertIn("did you mean 'global_load_sectors'?", self.assert_refused("name", "--fail-if", "global_load_sector > 0"))
        for gate in ("registers", "registers > many", "registers > nan", "> 0", "registers == 0"):
            self.assert_refused(gate, "--fail-if", gate)
        self.assert_refused("pattern", "--kernel", "saxpy(")
        self.assert_refused("itself", "--json", "run.json")
        self.assert_refused("one place", "--json", "-", "--report", "-")
        self.assertEqual(self.file_text, (self.folder / "run.json").read_text())

    def test_many_launches(self):
        def many(record):
            first = record["launches"][0]
            del record["launches"][1:]
            for i in range(2000):
                launch = copy.deepcopy(first)
                launch["grid"] = [i + 1, 1, 1]
                launch["counters"]["branches"] = i
                record["launches"].append(launch)
        self.changed(many, "many.json")
        self.assertIn("0 of 2000 kernels changed", self.compare(0, "--fail-if", "branches > 0", old="many.json", new="many.json"))


if __name__ == "__main__":
    unittest.main()
