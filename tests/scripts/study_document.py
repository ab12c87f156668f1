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
import access  # noqa: E402  (the path has to be there first)
import hot_loop  # noqa: E402
import landscape  # noqa: E402
import plot_studies  # noqa: E402
import rung_code  # noqa: E402
import rung_drawing  # noqa: E402
import rung_section  # noqa: E402
import rungs  # noqa: E402
import study_document  # noqa: E402


def made_up(*rows):
    return {"study": "copy", "gpu": "G", "date": "2026-11-22",
            "rows": [{"variant": v, "block": 64, "occupancy, %": x, "GB/s": y} for v, x, y in rows]}


class Pages(unittest.TestCase):
    headroom = programs = said = None

    def test_the_committed_pages_are_what_is_so_now(self):
        written = dict(study_document.pages(study_document.studies(), self.headroom, self.programs, self.said))
        kept = {str(path.relative_to(ROOT / "docs" / "studies")) for study in study_document.studies()
                for path in (ROOT / "docs" / "studies" / study).glob("*.svg")}
        self.assertEqual(kept - set(written), set(), "drawings of rungs that are gone")
        for name, now in written.items():
            self.assertEqual((ROOT / "docs" / "studies" / name).read_text(), now, f"{name}: run scripts/docs/study_document.py")

    def test_every_rung_tells_what_changed(self):
        for study in study_document.studies():
            for rung in rungs.rungs(study).values():
                self.assertGreater(len(rung.change.split()), 15, f"{rung.file}: a paragraph below the four lines says what changed")


class Drawings(unittest.TestCase):
    def test_a_better_figure_is_drawn_higher(self):
        curves = [plot_studies.drawings("copy", lambda name: made_up(("a", 25, 100), ("a", 50, y), ("b", 50, 900)))["copy.svg"]
                  for y in (200, 400)]
        heights = [float(one.split(' points="')[1].split('"')[0].split()[1].split(",")[1]) for one in curves]
        self.assertGreater(heights[0], heights[1])

    def test_nothing_measured_is_no_drawing(self):
        self.assertEqual(plot_studies.drawings("copy", lambda name: None), {})


def tuning(sort, merge, rate, spilled=0):
    return {"keys": "int32", "records": "keys", "SORT_NT": sort[0], "SORT_VT": sort[1], "MERGE_NT": merge[0], "MERGE_VT": merge[1],
            "spilled, B": spilled, "Mkeys/s": rate}


class Landscapes(unittest.TestCase):
    ROWS = [tuning((512, 23), (256, 15), 100), tuning((512, 23), (256, 17), 120), tuning((512, 23), (512, 15), 110, 8),
            tuning((512, 17), (256, 17), 119.5), tuning((1024, 17), (256, 17), 90)]

    def test_a_panel_holds_what_differs_in_the_numbers_of_one_kernel(self):
        sweep = landscape.SWEEPS["merge_sort"]
        self.assertEqual([[row["Mkeys/s"] for row in landscape.of_kernel(self.ROWS, sweep, *names)] for _, *names in sweep.kernels],
                         [[120, 119.5, 90], [100, 120, 110]])

    def test_what_is_within_the_noise_of_the_best_is_as_good(self):
        found, = landscape.best(self.ROWS, landscape.SWEEPS["merge_sort"])
        self.assertEqual((found.row["Mkeys/s"], [row["Mkeys/s"] for row in found.ties]), (120, [119.5]))

    def test_a_line_for_each_number_of_threads_and_a_mark_for_what_spills(self):
        drawn = landscape.drawing("merge_sort", {"gpu": "G", "date": "2026-11-25", "rows": self.ROWS})
        self.assertEqual((drawn.count("<polyline"), drawn.count('fill="none"><title>')), (4, 1))


LOAD = {"space": "global", "use": "load", "bytes": 4, "lanes": 0b111, "first": 28, "offsets": [0, 4, 128], "sectors": 3, "wavefronts": 0, "conflicts": 0}


class Accesses(unittest.TestCase):
    def test_lanes_meet_words_and_sectors(self):
        self.assertEqual(access.words(LOAD), {7: [0], 8: [1], 39: [2]})
        self.assertEqual(access.sectors(LOAD), {0, 1, 4})
        self.assertEqual(access.said(LOAD), "3 lanes, 4 bytes each: 3 sectors, 12 of 96 bytes used")

    def test_a_lane_that_asks_for_four_words_stands_in_each(self):
        self.assertEqual(access.words(LOAD | {"bytes": 16, "lanes": 1, "offsets": [4]}), {8: [0], 9: [0], 10: [0], 11: [0]})

    def test_the_drawing_has_a_cell_for_every_word_asked_for(self):
        drawn = rung_drawing.drawing(None, [("a.cu:1", LOAD)])
        self.assertEqual(drawn.count('class="cell"'), 3)
        self.assertEqual(drawn.count('class="fetched"'), 3 * 8 - 3)


def launch(*code):
    return {"source": [{"file": "a.cu", "line": line, "instructions": [{"address": 16 * place, "text": text, "executed": ran}]}
                       for place, (line, text, ran) in enumerate(code)]}


class Loops(unittest.TestCase):
    def test_the_innermost_loop_that_is_most_of_a_kernel_is_hot(self):
        found = hot_loop.hot(launch((1, "MOV R1, R2", 1), (2, "LDG.E R2, [R4]", 10), (3, "FFMA R1, R2, R3, R1", 500), (3, "@P0 BRA 0x20", 500),
                                    (2, "@P1 BRA 0x10", 10), (4, "EXIT", 1)))
        self.assertEqual((found.rounds, found.instructions, [part.line for part in found.parts]), (500, 2, [3]))
        self.assertEqual(found.parts[0].opcodes, {"FFMA": 1, "BRA": 1})

    def test_without_one_the_whole_kernel_is_shown(self):
        self.assertFalse(hot_loop.hot(launch((1, "MOV R1, R2", 1), (2, "EXIT", 1))).is_loop)


class Changes(unittest.TestCase):
    def test_names_of_rungs_are_no_difference(self):
        found, whole = rung_code.changed(rungs.rungs("sgemm")["coalesced"], rungs.rungs("sgemm")["naive"], {}, ["naive", "coalesced"])
        self.assertTrue(whole)
        self.assertEqual([sum(line.startswith(mark) for line in found) for mark in "-+"], [2, 2])

    def test_a_long_difference_is_cut_to_what_ran(self):
        rung, before = rungs.rungs("sgemm")["tile_1d"], rungs.rungs("sgemm")["naive"]
        hot = next(number for number, line in rung_code.originals(rung).items() if "accumulators[i] +=" in line)
        found, whole = rung_code.changed(rung, before, {hot: 1000}, ["naive", "tile_1d"])
        self.assertFalse(whole)
        self.assertLessEqual(len(found), rung_code.WINDOW + 2)
        self.assertTrue(any("accumulators[i] +=" in line for line in found))


class Factors(unittest.TestCase):
    def test_a_claim_reads_as_it_is_meant(self):
        self.assertEqual(rung_section.claim("fp32_instructions / 0.5, barriers / 1, sectors / 1.5 against naive"),
                         "fp32_instructions × 2, barriers as many, sectors / 1.5 against naive")

    def test_a_factor_needs_both_figures(self):
        self.assertEqual(study_document.factor(3, 2), "× 1.50")
        self.assertEqual([study_document.factor(None, 2), study_document.factor(3, None)], ["–", "–"])


if __name__ == "__main__":
    Pages.headroom, Pages.programs, Pages.said = *sys.argv[1:3], pathlib.Path(sys.argv[3]).read_text()
    unittest.main(argv=sys.argv[:1])
