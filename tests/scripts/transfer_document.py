#!/usr/bin/env python3
"""The page and the figures on transfers are what the committed results say; a comparison with nvbandwidth is honest."""
import copy
import pathlib
import statistics
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results" / "h200"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "scripts" / folder) for folder in ("docs", "measure")]
import compare_nvbandwidth  # noqa: E402  (the path has to be there first)
import plot_transfer  # noqa: E402
import transfer_document  # noqa: E402
from results_file import results  # noqa: E402


def nvbandwidth(rate, status="Passed"):
    cases = [{"name": name, "status": status, "bandwidth_matrix": [[str(rate)]]}
             for name in compare_nvbandwidth.TESTCASES.values()]
    return {"nvbandwidth": {"Driver Version": "580", "git_version": "v0.8", "testcases": cases}}


def ours(rate, size=512 << 20, wrong=0):
    return {"gpu": "G", "runtime": "13.0", "date": "2026-11-22", "steady": [
        {"what": what, "bytes": size, "wrong": wrong, "median": size / rate * 1e-9} for what in compare_nvbandwidth.TESTCASES]}


class Document(unittest.TestCase):
    def test_the_committed_page_is_what_the_committed_results_say(self):
        self.assertEqual(transfer_document.DOCUMENT.read_text(), transfer_document.committed(),
                         "run scripts/docs/transfer_document.py")

    def test_the_committed_figures_are_what_the_committed_results_say(self):
        for name, drawing in plot_transfer.figures(results("transfer")).items():
            self.assertEqual((RESULTS / name).read_text(), drawing, "run scripts/docs/plot_transfer.py")

    def test_every_committed_transfer_was_measured_and_right(self):
        for name in ("transfer", "transfer_two_gpus"):
            run = results(name)
            self.assertTrue(run["measured"] and run["complete"])
            for part in ("rows", "pinning", "overlap", "steady"):
                self.assertTrue(run[part])
                self.assertEqual([row for row in run[part] if row["wrong"]], [])
            self.assertEqual({row["bytes"] for row in run["rows"]}, {4 << k for k in range(29)})
        self.assertTrue(all(row["right"] for row in results("blas")["rows"]))

    def test_a_wrong_word_shows_on_the_page(self):
        run = results("transfer")
        run["rows"][0]["wrong"] = 3
        page = transfer_document.document(run, results("transfer_two_gpus"), results("transfers_vs_nvbandwidth"), results("blas"))
        self.assertIn("3 words wrong", page)

    def test_the_fitted_lines_belong_to_the_times(self):
        for name in ("transfer", "transfer_two_gpus"):
            run = results(name)
            for line in run["lines"]:
                rows = [row for row in run["rows"] if row["pattern"] == line["pattern"] and row["api"] == line["api"]
                        and row.get("memory") == line.get("memory")]
                self.assertEqual(len(rows), line["points"])
                apart = sorted(abs((line["a"] + row["copied"] / line["b"]) / row["median"] - 1) for row in rows)
                self.assertAlmostEqual(statistics.median(apart), line["typical_residual"], delta=1e-4)
                self.assertAlmostEqual(apart[-1], line["worst_residual"], delta=1e-4)

    def test_a_win_by_less_than_the_error_is_no_certain_one(self):
        def first_win(cpu, gpu, **error):
            row = {"routine": "sgemm", "n": 64, "cpu": {"median": cpu, **error}, "pinned": {"median": gpu, **error}}
            return transfer_document.first_win({"rows": [row], "wins_from": {"sgemm": {"pinned": 64}}}, "sgemm", "pinned")
        self.assertEqual(first_win(1.1, 1.0, relative_error=0.01), 64)
        self.assertIn("by less than the error", first_win(1.01, 1.0, relative_error=0.01))
        self.assertIn("by less than the error", first_win(2.0, 1.0))
        self.assertEqual(transfer_document.first_win({"rows": [], "wins_from": {"sgemm": {}}}, "sgemm", "pinned"), "–")

    def test_link_and_sizes_are_spelled_right(self):
        self.assertAlmostEqual(transfer_document.link_peak("32.0 GT/s PCIe x16"), 63.015, 2)
        self.assertEqual([transfer_document.size(n) for n in (4, 1536, 1 << 20, 1 << 30)], ["4 B", "1.5 KiB", "1 MiB", "1 GiB"])


class Comparison(unittest.TestCase):
    def test_ours_lies_within_two_percent_of_nvbandwidth(self):
        rows = results("transfers_vs_nvbandwidth")["rows"]
        self.assertEqual([row["what"] for row in rows], list(compare_nvbandwidth.TESTCASES))
        for row in rows:
            self.assertLess(abs(row["difference"]), 0.02, row)
            mean = [sum(row[side]) / len(row[side]) for side in ("ours", "theirs")]
            self.assertAlmostEqual(mean[0] / mean[1] - 1, row["difference"], delta=2e-4)

    def test_the_difference_is_that_of_the_means(self):
        rows = compare_nvbandwidth.compare([ours(55), ours(57)], [nvbandwidth(50), nvbandwidth(62)])["rows"]
        self.assertEqual(len(rows), 5)
        self.assertEqual((rows[0]["ours"], rows[0]["theirs"], rows[0]["difference"]), ([55, 57], [50, 62], 0))
        self.assertAlmostEqual(compare_nvbandwidth.compare([ours(45)], [nvbandwidth(50)])["rows"][0]["difference"], -0.1)

    def test_what_nvbandwidth_did_not_pass_is_left_out(self):
        self.assertEqual(compare_nvbandwidth.compare([ours(55)], [nvbandwidth(55, "Waived")])["rows"], [])

    def test_other_sizes_and_wrong_bytes_are_refused(self):
        for run in (ours(55, size=1 << 20), ours(55, wrong=1)):
            with self.assertRaises(SystemExit):
                compare_nvbandwidth.compare([run], [nvbandwidth(55)])


class Plot(unittest.TestCase):
    def test_a_faster_row_is_drawn_higher(self):
        run = results("transfer")
        faster = copy.deepcopy(run)
        for row in faster["rows"]:
            if row.get("memory") == "pageable":
                row["median"] /= 2
        name = "transfer_throughput.svg"
        self.assertNotEqual(plot_transfer.figures(run)[name], plot_transfer.figures(faster)[name])

    def test_every_memory_has_its_line_in_every_panel(self):
        drawing = plot_transfer.figures(results("transfer"))["transfer_latency.svg"]
        for colour in plot_transfer.COLOURS.values():
            self.assertEqual(drawing.count(f'stroke="{colour}" stroke-width="1.8"'), 4)


if __name__ == "__main__":
    unittest.main()
