#!/usr/bin/env python3
"""The page on barnes_hut is what the study, the committed results and the executor say now; rates and drawings come from their figures.

    tests/scripts/barnes_hut_document.py HEADROOM BIN
"""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "scripts" / folder) for folder in ("docs", "measure")]
import barnes_hut_document  # noqa: E402  (the path has to be there first)
import barnes_hut_rates  # noqa: E402
import plot_barnes_hut  # noqa: E402

METRICS = [barnes_hut_rates.TIME, *barnes_hut_rates.BYTES, *barnes_hut_rates.OPERATIONS]


def profile(*launches):
    """What `ncu --csv --page raw` prints of launches: (kernel, {metric: figure})."""
    columns = ["ID", "Process ID", "Kernel Name", *METRICS]
    units = ["", "", "", "us", "Mbyte", "Mbyte", *["inst"] * len(barnes_hut_rates.OPERATIONS)]
    rows = [[str(i), "1", kernel, *(str(metrics.get(name, 0)) for name in METRICS)] for i, (kernel, metrics) in enumerate(launches)]
    return "a line of the program\n" + "\n".join(",".join(f'"{cell}"' for cell in row) for row in (columns, units, *rows))


class Page(unittest.TestCase):
    headroom = programs = None

    def test_long_tables_stand_behind_the_story_and_short_ones_in_it(self):
        rows = ["| a |", "|---|", *["| 1 |"] * 8]
        folded = barnes_hut_document.behind(["## Title", "", "What it is, ms:", "", *rows, ""])
        self.assertEqual(folded[2:6], ["<details>", "<summary>What it is, ms: 8 rows</summary>", "", "| a |"])
        self.assertEqual(barnes_hut_document.behind(["## Title", "", *rows[:4], ""]), ["## Title", "", *rows[:4], ""])

    def test_the_committed_page_is_what_is_so_now(self):
        for name, now in barnes_hut_document.pages(self.headroom, self.programs):
            self.assertEqual((ROOT / "docs" / "studies" / name).read_text(), now, f"{name}: run scripts/docs/barnes_hut_document.py")


class Rates(unittest.TestCase):
    def rows(self, *launches):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "profile.csv"
            path.write_text(profile(*launches))
            return list(barnes_hut_rates.rows(barnes_hut_rates.launches(path), "six_kernels", "single", 5))

    def test_operations_and_bytes_are_those_of_the_second_step(self):
        add, fused = (f"smsp__sass_thread_inst_executed_op_{kind}_pred_on.sum" for kind in ("fadd", "ffma"))
        step = [("void barnes_hut::six::build_kernel<1, float>(Tree)", {METRICS[0]: 10, METRICS[1]: 1, METRICS[2]: 2}),
                ("force_kernel(Tree)", {METRICS[0]: 20, add: 1_000_000, fused: 2_000_000})]
        warm_up = [(kernel, dict.fromkeys(METRICS, 77)) for kernel, _ in step[:1]]  # without the last kernel
        build, force, whole = self.rows(*warm_up, *step)
        self.assertEqual((build["kernel"], build["time, ms"], build["GB/s"]), ("build tree", 0.01, 300.0))
        self.assertNotIn("GFLOP/s", build)
        self.assertEqual((force["kernel"], force["GFLOP/s"]), ("force", 250.0))
        self.assertEqual((whole["kernel"], whole["time, ms"], whole["GFLOP/s"]), ("whole step", 0.03, 166.7))

    def test_launches_of_a_kernel_add_up(self):
        step = [("box_kernel()", {METRICS[0]: 1}), *[("sort_kernel()", {METRICS[0]: 5})] * 2]
        self.assertEqual([(row["kernel"], row["time, ms"]) for row in self.rows(*step, *step)],
                         [("box", 0.001), ("sort", 0.01), ("whole step", 0.011)])

    def test_a_file_that_is_no_profile_is_refused(self):
        with tempfile.NamedTemporaryFile(suffix=".csv") as file, self.assertRaises(SystemExit) as refused:
            list(barnes_hut_rates.launches(pathlib.Path(file.name)))
        self.assertIn("holds no profile", str(refused.exception))


class Drawings(unittest.TestCase):
    def test_a_step_of_ten_times_the_length_is_drawn_a_decade_higher(self):
        rows = [{"table": "steps", "precision": "single", "method": "a", "bodies": bodies, "step, ms": ms}
                for bodies, ms in ((10, 1), (100, 10), (1000, 100))]
        drawing = plot_barnes_hut.scaling({"rows": rows, "gpu": "G", "date": "2026-11-22"})
        points = [tuple(map(float, point.split(","))) for point in drawing.split(' points="')[1].split('"')[0].split()]
        self.assertAlmostEqual(points[0][1] - points[1][1], points[1][1] - points[2][1], 1)
        self.assertGreater(points[0][1], points[1][1])

    def test_rounds_without_work_are_not_drawn(self):
        rows = [{"table": "parallelism", "bodies": 10, "kernel": "sort", "round": r, "work items": w} for r, w in ((1, 8), (2, 3), (3, 0))]
        drawing = plot_barnes_hut.parallelism({"rows": rows})
        self.assertEqual(drawing.count("<circle"), 2)


if __name__ == "__main__":
    Page.headroom, Page.programs = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
