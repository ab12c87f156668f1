#!/usr/bin/env python3
"""The comparison with a profiler on made-up figures: what is a difference, what explains it, what cannot be compared."""
import contextlib
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "prove" / "compare_profiler.py"
sys.path.insert(0, str(SCRIPT.parent))
specification = importlib.util.spec_from_file_location("compare_profiler", SCRIPT)
compare_profiler = importlib.util.module_from_spec(specification)
sys.dont_write_bytecode = True
specification.loader.exec_module(compare_profiler)
METRICS = compare_profiler.METRICS

AGREED = {"global_load_requests": 8, "global_load_sectors": 32, "global_store_requests": 8, "global_store_sectors": 32,
          "shared_load_instructions": 1000, "shared_load_wavefronts": 1000, "shared_load_conflicts": 0,
          "shared_store_wavefronts": 100, "shared_store_conflicts": 0, "registers": 16, "floor_nanoseconds": 2000}


def launch(**changed):
    counters = {name: value for name, value in (AGREED | changed).items()}
    return {"kernel": changed.get("kernel", "void scale<float, 4u>(float*, int)"), "block": [256, 1, 1], "grid": [4, 1, 1],
            "registers": changed.get("registers", 9), "floor_seconds": changed.get("floor_nanoseconds", 900) * 1e-9,
            "completed": changed.get("completed", True), "counters": counters}


def compare(launches, rows, causes=()):
    """Writes the inputs down, runs the script's main, and gives back exit code, results and what was printed. What a row
    names is one of our metrics or a column of the profiler."""
    columns = sorted(set(AGREED).union(*(changed for _, changed in rows)) - {"program", "kernel"})
    with tempfile.TemporaryDirectory() as home:
        root = pathlib.Path(home)
        (root / "app.json").write_text(json.dumps({"launches": launches}))
        (root / "causes.json").write_text(json.dumps(list(causes)))
        lines = ["# measured somewhere", ",".join(["program", "launch", "kernel", "block", "grid",
                                                    *(METRICS.get(column, column) for column in columns)])]
        for index, changed in rows:
            program, kernel = changed.pop("program", "app"), changed.pop("kernel", "void scale<float, 4>")
            figures = [str((AGREED | changed).get(column, "")) for column in columns]
            lines.append(",".join([program, str(index), f'"{kernel}"', '"(256, 1, 1)"', '"(4, 1, 1)"', *figures]))
        (root / "profile.csv").write_text("\n".join(lines) + "\n")
        sys.argv = ["compare_profiler.py", str(root), str(root / "profile.csv"), "--causes", str(root / "causes.json"),
                    "--results", str(root / "out.json")]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = compare_profiler.main()
        return code, json.loads((root / "out.json").read_text()), printed.getvalue()


class Comparison(unittest.TestCase):
    def test_equal_figures_are_no_difference(self):
        code, results, _ = compare([launch()], [(0, {})])
        self.assertEqual((code, results["differences"], results["not_compared"]), (0, [], []))
        self.assertEqual(results["summary"]["global_load_sectors"]["equal"], 1)

    def test_a_difference_without_a_cause_is_counted_and_printed(self):
        code, results, printed = compare([launch()], [(0, {"global_load_sectors": 64})])
        self.assertEqual((code, results["without_cause"]), (1, 1))
        self.assertEqual(results["differences"][0]["relative"], -0.5)
        self.assertIn("1 figures differ, 1 without a cause", printed)

    def test_better_columns_are_taken_where_a_profile_has_them(self):
        code, _, _ = compare([launch()], [(0, {"shared_load_instructions": 1500,
                                               "smsp__inst_executed_op_shared_ld_pred_on_any.sum": 1000})])
        self.assertEqual(code, 0)
        ldgsts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"
        self.assertEqual(compare([launch()], [(0, {"shared_store_wavefronts": 60, ldgsts: 40})])[0], 0)
        self.assertEqual(compare([launch()], [(0, {"shared_store_wavefronts": 60, ldgsts: 41})])[0], 1)

    def test_atomics_with_and_without_a_result_are_added_up(self):
        atom, red = METRICS["atomic_sectors"]
        code, results, _ = compare([launch(atomic_sectors=5)], [(0, {atom: 2, red: 3})])
        self.assertEqual((code, results["summary"]["atomic_sectors"]["equal"]), (0, 1))
        _, results, _ = compare([launch()], [(0, {})])
        self.assertNotIn("atomic_sectors", results["summary"])   # nobody measured it

    def test_wavefronts_that_the_addresses_do_not_need_are_arbitration(self):
        by_instruction = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
        much = {"shared_load_wavefronts": 1500, "shared_load_conflicts": 500}
        code, results, _ = compare([launch()], [(0, much | {by_instruction: 1000})])
        self.assertEqual((code, {each["kind"] for each in results["differences"]}), (0, {"rule"}))
        self.assertEqual(compare([launch()], [(0, much | {by_instruction: 1001})])[0], 1)

    def test_a_cause_from_the_file_explains_its_kernel_and_metric_only(self):
        cause = {"program": "^app$", "kernel": "scale", "metrics": ["global_load_sectors"], "cause": "merged",
                 "ptx": ["app.ptx:7: ld.global.f32"], "evidence": "figures"}
        code, results, _ = compare([launch()], [(0, {"global_load_sectors": 16})], [cause])
        self.assertEqual((code, results["differences"][0]["cause"], results["causes"]), (0, 1, [cause]))
        self.assertEqual(results["summary"]["global_load_sectors"]["figures"], 1)
        code, results, _ = compare([launch()], [(0, {"global_load_requests": 4, "global_load_sectors": 16})], [cause])
        self.assertEqual((code, results["without_cause"]), (1, 1))

    def test_a_cause_that_explains_nothing_is_reported(self):
        code, _, printed = compare([launch()], [(0, {})], [{"program": "app", "kernel": ".", "cause": "old",
                                                              "metrics": ["registers"]}])
        self.assertEqual(code, 1)
        self.assertIn("explains nothing", printed)

    def test_a_small_excess_of_wavefronts_and_conflicts_alike_is_arbitration(self):
        code, results, _ = compare([launch()], [(0, {"shared_load_wavefronts": 1020, "shared_load_conflicts": 20})])
        self.assertEqual((code, [each["kind"] for each in results["differences"]]), (0, ["rule", "rule"]))

    def test_an_excess_that_is_large_or_unequal_or_of_other_instructions_is_not_arbitration(self):
        for figures in ({"shared_load_wavefronts": 1300, "shared_load_conflicts": 300},
                        {"shared_load_wavefronts": 1020, "shared_load_conflicts": 10},
                        {"shared_load_wavefronts": 980, "shared_load_conflicts": -20},
                        {"shared_load_wavefronts": 1020, "shared_load_conflicts": 20, "shared_load_instructions": 1020}):
            code, results, _ = compare([launch()], [(0, figures)])
            self.assertEqual((code, results["without_cause"]), (1, len(figures)), figures)

    def test_the_profiler_shows_at_least_16_registers(self):
        self.assertEqual(compare([launch(registers=9)], [(0, {"registers": 16})])[0], 0)
        self.assertEqual(compare([launch(registers=17)], [(0, {"registers": 16})])[0], 1)

    def test_a_floor_may_lie_below_the_measured_time_but_not_above(self):
        self.assertEqual(compare([launch(floor_nanoseconds=1999)], [(0, {})])[0], 0)
        self.assertEqual(compare([launch(floor_nanoseconds=2001)], [(0, {})])[0], 1)

    def test_launches_that_do_not_pair_are_named(self):
        rows = [(0, {"kernel": "other"}), (1, {}), (0, {"program": "absent"})]
        code, results, _ = compare([launch()], rows)
        self.assertEqual(code, 1)
        self.assertEqual([each["why"].split(":")[0] for each in results["not_compared"]],
                         ["another launch stands here", "no such launch", "no report of this program"])

    def test_a_profile_as_the_profiler_prints_it_is_read_too(self):
        names = '"ID","Process ID","Process Name","Kernel Name","Block Size","Grid Size"'
        lines = ["==PROF== Connected to process 7", "PASS", f'{names},"{METRICS["global_load_sectors"]}"',
                 '"","","","","","","sector"',
                 '"0","7","app","naive(Problem)","(32, 32, 1)","(8, 8, 1)","17,301,504"',
                 '"1","7","app","void tile<float>(T1 *)","(32, 32, 1)","(8, 8, 1)","5"']
        with tempfile.TemporaryDirectory() as home:
            path = pathlib.Path(home) / "raw.csv"
            path.write_text("\n".join(lines) + "\n")
            rows = compare_profiler.read_profile(path)
        self.assertEqual([(row["program"], row["launch"], row["kernel"]) for row in rows],
                         [("app", 0, "naive(Problem)"), ("app", 1, "void tile<float>(T1 *)")])
        size = {"block": [32, 32, 1], "grid": [8, 8, 1]}
        launches = [launch(kernel="sgemm::naive(sgemm::Problem)", global_load_sectors=17301504) | size,
                    launch(kernel="void sgemm::tile<float>(float*)", global_load_sectors=4) | size]
        differences, _, compared, unpaired = compare_profiler.compare(rows, {"app": {"launches": launches}}, [])
        self.assertEqual((unpaired, compared["global_load_sectors"]), ([], 2))
        self.assertEqual([(each["headroom"], each["profiler"], each["cause"]) for each in differences], [(4, 5, None)])

    def test_both_spellings_of_a_kernel_name_meet(self):
        plain = compare_profiler.plain_name
        self.assertEqual(plain("void f<float, (unsigned short)4, (bool)1>(float*, void (*)(int))"), plain("f<float, 4, true>"))
        self.assertEqual(plain("ns::(anonymous namespace)::g(int)"), "ns::(anonymous namespace)::g")
        self.assertEqual(plain("void h<T<int, 3ul> >()"), plain("void h<T<int, 3>>"))
        self.assertNotEqual(plain("void f<4>(int)"), plain("void f<8>(int)"))


if __name__ == "__main__":
    unittest.main()
