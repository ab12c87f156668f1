#!/usr/bin/env python3
"""The sorted tree of the study barnes_hut on the executor: all pairs with theta 0 in both precisions and for odd numbers
of bodies, errors that grow with theta and stay below what is asked, and starts that leave no tree to speak of.

    tests/scripts/barnes_hut_sorted.py HEADROOM BARNES_HUT
"""
import pathlib
import random
import sys
import tempfile
import unittest

import studies

METHODS = ["sorted_tree", "sorted_tree_quadrupoles"]


class SortedTree(unittest.TestCase):
    headroom = program = None

    def rows(self, *options, exit_codes=(0,)):
        done, found = studies.run_study(self.headroom, self.program, "--method", ",".join(METHODS), "--repeat", "1", *options)
        self.assertIn(done.returncode, exit_codes, done.stdout + done.stderr)
        return found["rows"]

    def test_theta_0_is_all_pairs_for_any_number_of_bodies(self):
        rows = self.rows("--theta", "0", "--bodies", "1,2,17,33,1000", "--precision", "both")
        self.assertEqual(len(rows), 5 * 2 * len(METHODS))
        for row in rows:
            self.assertEqual(row["verified"], "PASS")
            self.assertLess(float(row["99 % error"]), 1e-5 if row["precision"] == "single" else 1e-14)

    def test_errors_grow_with_theta_and_not_too_far(self):
        medians = {}
        for theta, most in (("0.5", 1e-3), ("0.8", 4e-3)):
            for row in self.rows("--theta", theta, "--bodies", "3000", "--precision", "both", "--seed", "7"):
                self.assertLess(float(row["median error"]), most)
                self.assertLess(float(row["99 % error"]), 10 * most)
                medians[row["method"], row["precision"], theta] = float(row["median error"])
        for method in METHODS:
            for precision in ("single", "double"):
                self.assertLess(medians[method, precision, "0.5"], medians[method, precision, "0.8"])
                self.assertLess(1e-6, medians[method, precision, "0.5"], "were cells taken as one at all?")

    def test_any_start_is_safe(self):
        for start in ("uniform", "shell", "coincident", "pairs", "collinear", "huge", "clustered"):
            options = ["--start", start, "--bodies", "1,2,700", "--precision", "both"]
            for row in self.rows(*options, "--theta", "0"):
                self.assertEqual(row["verified"], "PASS", start)
            # On a line the pulls of both sides all but cancel: errors are large there, and numbers.
            for row in self.rows(*options, exit_codes=(0, 1) if start == "collinear" else (0,)):
                self.assertLess(float(row["median error"]), 0.02)
                self.assertLess(float(row["max error"]), 1000)

    def test_units_do_not_matter(self):
        """A scale that is a power of two changes no tree: centimetres among galaxies open as many cells as lengths about 1."""
        draw = random.Random(11)
        bodies = [[draw.gauss(0, 1) for _ in range(3)] for _ in range(900)]
        pulls = []
        for scale in (1.0, 2.0**76):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "bodies.csv"
                path.write_text("".join(f"{x * scale!r},{y * scale!r},{z * scale!r},0,0,0,{1 / 900!r}\n" for x, y, z in bodies))
                rows = self.rows("--in", str(path), "--precision", "double", "--theta", "0.8", "--softening", "1e-6")
                pulls.append([row["interactions a body"] for row in rows])
        self.assertEqual(pulls[0], pulls[1])
        self.assertLess(float(pulls[0][0]), 800)

    def test_a_tree_of_every_kind_of_cell_is_counted(self):
        def cells_and_depth(*options):
            rows = self.rows("--tree", *options)
            return [[row[column] for row in rows if row["what"] == what]
                    for what, column in (("cells", "mean"), ("depth", "most"))]
        for start in ("plummer", "coincident"):
            few = cells_and_depth("--start", start, "--bodies", "5")         # one leaf
            self.assertEqual(few, [[1] * len(METHODS), [0] * len(METHODS)])
        many = cells_and_depth("--start", "coincident", "--bodies", "100")   # one at every level
        self.assertEqual(many, [[22] * len(METHODS), [21] * len(METHODS)])


if __name__ == "__main__":
    SortedTree.headroom, SortedTree.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
