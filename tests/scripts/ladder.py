#!/usr/bin/env python3
"""The studies' rungs keep their promises: each head has its four lines, and every `expect` claim holds on the executor.

    tests/scripts/ladder.py HEADROOM BIN

What a claim is: scripts/docs/rungs.py.
"""
import functools
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs"))
import rungs  # noqa: E402  (the path has to be there first)

TOLERANCE = 0.02


class Ladder(unittest.TestCase):
    headroom = programs = None

    def test_every_rung_has_the_four_lines_and_leads_to_a_rung_or_an_idea(self):
        for study in rungs.CHOICE:
            found = rungs.rungs(study)
            self.assertGreaterEqual(len(found), 3)
            for name, rung in found.items():
                self.assertEqual(list(rung.lines), rungs.PARTS, f"{study}/{name}.cu")
                self.assertEqual(rung.lines["rung"], name)
                if rung.follower:
                    self.assertIn(rung.follower, found)

    def test_every_expectation_holds_on_the_executor(self):
        checked = 0
        for study in rungs.CHOICE:
            counted = functools.cache(functools.partial(rungs.counters, self.headroom, self.programs, study))
            for name, rung in rungs.rungs(study).items():
                for counter, factor, against in rung.claims():
                    real = counted(against)[counter] / max(1, counted(name)[counter])
                    self.assertAlmostEqual(real, factor, delta=TOLERANCE * factor,
                                           msg=f"{study}/{name}.cu: {counter} against {against}")
                    checked += 1
                for counter, value in rung.values():
                    self.assertEqual(counted(name)[counter], value, f"{study}/{name}.cu: {counter}")
                    checked += 1
        self.assertGreaterEqual(checked, 30)

    def test_products_of_any_size_are_right_and_no_rung_spills(self):
        """Sizes with fours that lie at multiples of 16 bytes and without: each has kernels of its own."""
        for size in ("140x68x36", "131x261x37", "3x5x1"):
            for launch in rungs.run(self.headroom, [f"{self.programs}/sgemm", "--size", size, "--alpha", "-1.5", "--beta", "0.5"]):
                spilled = {name: launch["resources"].get(name) for name in ("spill_stores", "spill_loads", "stack")}
                self.assertEqual(spilled, {"spill_stores": 0, "spill_loads": 0, "stack": 0}, launch["kernel"])


if __name__ == "__main__":
    Ladder.headroom, Ladder.programs = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
