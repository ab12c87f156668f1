#!/usr/bin/env python3
"""The pages on the studies say what their rungs, results/ and the executor say now; each rung is explained.

    tests/scripts/study_document.py HEADROOM BIN REPRODUCTION        which tests/scripts/reproduction.py wrote
"""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts" / "docs"))
import plot_studies  # noqa: E402  (the path has to be there first)
import rungs  # noqa: E402
import study_document  # noqa: E402


def made_up(*rows):
    return {"study": "copy", "gpu": "G", "date": "2026-11-22",
            "rows": [{"variant": v, "block": 64, "occupancy, %": x, "GB/s": y} for v, x, y in rows]}


class Pages(unittest.TestCase):
    headroom = programs = said = None

    def test_the_committed_pages_are_what_is_so_now(self):
        for name, now in study_document.pages(study_document.studies(), self.headroom, self.programs, self.said):
            self.assertEqual((ROOT / "docs" / "studies" / name).read_text(), now, f"{name}: run scripts/docs/study_document.py")

    def test_every_rung_tells_what_changed(self):
        for study in study_document.studies():
            for rung in rungs.rungs(study).values():
                self.assertGreater(len(rung.change.split()), 15, f"{rung.file}: a paragraph below the four lines says what changed")


class Drawings(unittest.TestCase):
    def test_a_better_figure_is_drawn_higher(self):
        curves = [plot_studies.drawings("copy", lambda name: made_up(("a", 25, 100), ("a", 50, y), ("b", 50, 900)))["copy.svg"]
                  for y in (200, 400)]
        heights = [float(one.split('<polyline points="')[1].split('"')[0].split()[1].split(",")[1]) for one in curves]
        self.assertGreater(heights[0], heights[1])

    def test_nothing_measured_is_no_drawing(self):
        self.assertEqual(plot_studies.drawings("copy", lambda name: None), {})


class Factors(unittest.TestCase):
    def test_a_factor_needs_both_figures(self):
        self.assertEqual(study_document.factor(3, 2), "× 1.50")
        self.assertEqual([study_document.factor(None, 2), study_document.factor(3, None)], ["–", "–"])


if __name__ == "__main__":
    Pages.headroom, Pages.programs, Pages.said = *sys.argv[1:3], pathlib.Path(sys.argv[3]).read_text()
    unittest.main(argv=sys.argv[:1])
