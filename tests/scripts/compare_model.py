#!/usr/bin/env python3
"""What compare_model.py says of a few launches whose figures are worked out by hand; and that results/ and documents say what it does."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/prove/compare_model.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPT.parent))
import compare_model  # noqa: E402
import ranks  # noqa: E402


def row(program, kernel, measured, predicted, half="judgement"):
    return {"program": program, "launch": 0, "kernel": kernel, "grid": [1, 1, 1], "block": [32, 1, 1], "measured_us": measured, "spread_percent": 0.1,
            "floor_us": 1.0, "predicted_us": predicted, "half": half}


ROWS = [row("copy", "a", 10.0, 11.0), row("copy", "b", 20.0, 30.0), row("copy", "b", 40.0, 20.0), row("nbody", "c", 100.0, 100.0),
        row("copy", "d", 10.0, 9.0, "calibration"), row("copy", "d", 20.0, 18.0, "calibration")]
MODEL = {"schema": "headroom-model/1", "gpu": "", "driver": "", "toolkit": "", "date": "", "commands": {}, "table": {},
         "stalls": {"launches": 0, "dominant_equal": 0}, "gains": [], "not_compared": 0, "not_predicted": 0, "rows": ROWS}


class Classes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "model.json")

    def run_on(self, data, *words):
        self.path.write_text(json.dumps(data))
        done = subprocess.run([sys.executable, "-B", SCRIPT, self.path, *words], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_a_class_is_a_program(self):
        code, shown, said = self.run_on(MODEL, "-o", self.path)
        self.assertEqual((code, said), (0, ""))
        written = json.loads(self.path.read_text())
        judged = written["classes"]["judgement"]
        self.assertEqual(judged["copy"], {"kernels": 2, "launches": 3, "mean_percent": 36.7, "worst_percent": 50.0, "within_25_percent": 33.3,
                                          "rank_correlation": 0.5})  # ranks 0 1 2 and 0 2 1: 1 - 6 * 2 / (3 * 8)
        self.assertEqual(judged["nbody"]["rank_correlation"], None)  # of one launch there is none
        self.assertEqual((judged["all"]["mean_percent"], judged["all"]["rank_correlation"]), (27.5, 0.8))  # 1 - 6 * 2 / (4 * 15)
        self.assertEqual(written["classes"]["calibration"]["copy"]["mean_percent"], 10.0)
        self.assertEqual(written["halves"], {"calibration": {"kernels": 1, "launches": 2}, "judgement": {"kernels": 3, "launches": 4}})
        self.assertRegex(shown, r"\ncopy +2 +3 +36\.7 % +50 % +33 % +0\.500\nnbody +1 +1 +0\.0 % +0 % +100 % +–\nall +3 +4 +27\.5 %")
        self.assertIn("1 kernels (2 launches) are of the calibration half; 3 kernels (4 launches) are of the judgement half", shown)

    def test_nothing_else_is_written_otherwise(self):
        self.run_on(MODEL, "-o", self.path)
        written = json.loads(self.path.read_text())
        self.assertEqual({key: written[key] for key in MODEL}, MODEL)

    def test_equal_times_share_a_rank(self):
        self.assertEqual(ranks.ranks([5, 7, 7, 9]), [0, 1.5, 1.5, 3])
        self.assertAlmostEqual(ranks.correlation([1, 2, 2, 3], [10, 20, 30, 40]), 4.5 / 22.5 ** 0.5)
        self.assertIsNone(ranks.correlation([1, 2], [3, 3]))

    def test_a_twin_that_gains_nothing_is_no_division_by_nothing(self):
        gains = [{"kernel": "k01_a", "half": "judgement", "advice": "tail", "gain_us": gain, "measured_us": 0.0} for gain in (0.0, 1.0)]
        code, shown, said = self.run_on(MODEL | {"gains": gains}, "--gains", "k")
        self.assertEqual((code, said), (0, ""))
        self.assertIn("\n1 of 2 within a factor of 1.5", shown)

    def test_a_measured_time_of_nothing_is_told(self):
        code, _, said = self.run_on(MODEL | {"rows": [row("copy", "a", 0.0, 1.0)]})
        self.assertEqual((code, said.splitlines()[0]), (125, f"compare_model.py: {self.path}: copy, launch 0: its measured time is not above 0"))


class Results(unittest.TestCase):
    def test_files_have_what_their_rows_say(self):
        for name in ("h200/model.json", "h100/model.json"):
            model = json.loads((ROOT / "results" / name).read_text())
            self.assertEqual({key: model.get(key) for key in ("classes", "halves")}, compare_model.counted(model["rows"]), name)

    def test_the_document_has_their_rank_correlations(self):
        said = re.search(r"Spearman's rank correlation of predicted and measured times: ([\d.]+) on the H200 \(judgement half\), ([\d.]+) on the H100 \(all\); "
                         r"the least of a class of kernels ([\d.]+) and ([\d.]+)", (ROOT / "docs/evidence.md").read_text())
        there = []
        for gpu, half in (("h200", "judgement"), ("h100", "all")):
            classes = json.loads((ROOT / f"results/{gpu}/model.json").read_text())["classes"][half]
            there.append((classes["all"]["rank_correlation"], min(each["rank_correlation"] for each in classes.values())))
        self.assertEqual([float(figure) for figure in said.groups()], [round(figure, 2) for pair in zip(*there) for figure in pair])


if __name__ == "__main__":
    unittest.main()
