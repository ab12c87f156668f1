#!/usr/bin/env python3
"""The six kernels of the study barnes_hut on the executor: all pairs with theta 0 in both precisions and for odd numbers of
bodies, with and without each of the ten optimisations; starts that are hard on trees; trees whose cells can be counted by
hand; more cells than there was room for.

    tests/scripts/barnes_hut_six.py HEADROOM BARNES_HUT
"""
import sys
import unittest

import studies

DEEPEST = {"single": 32, "double": 60}   # the level at which bodies share a list


class SixKernels(unittest.TestCase):
    headroom = program = None

    def rows(self, *options, exit_codes=(0,)):
        method = [] if "--switches" in options else ["--method", "six_kernels"]
        done, found = studies.run_study(self.headroom, self.program, *method, "--repeat", "1", *options)
        self.assertIn(done.returncode, exit_codes, done.stdout + done.stderr)
        return found["rows"]

    def tree(self, *options):
        """{(precision, what): row}"""
        return {(row["precision"], row["what"]): row for row in self.rows("--tree", "--precision", "both", *options)}

    def test_theta_0_is_all_pairs_for_any_number_of_bodies(self):
        rows = self.rows("--theta", "0", "--bodies", "1,2,33,1000", "--precision", "both")
        self.assertEqual(len(rows), 4 * 2)
        for row in rows:
            self.assertEqual(row["verified"], "PASS")
            self.assertEqual(row["interactions a body"], row["bodies"])
            self.assertLess(row["99 % error"], 1e-5 if row["precision"] == "single" else 1e-14)

    def test_errors_grow_with_theta_and_not_too_far(self):
        medians = []
        for theta, most in (("0.3", 1e-3), ("0.5", 2e-3), ("0.8", 1e-2)):
            row, = self.rows("--theta", theta, "--bodies", "2000", "--seed", "7")
            self.assertLess(row["median error"], most)
            self.assertLess(row["interactions a body"], 2000)
            medians.append(row["median error"])
        self.assertEqual(medians, sorted(medians))

    def test_without_each_optimisation_it_is_as_right(self):
        for options in (("--theta", "0"), ("--theta", "0", "--start", "pairs"), ("--theta", "0.5", "--seed", "7")):
            rows = self.rows("--switches", "--bodies", "300", "--precision", "both", *options)
            self.assertEqual(len(rows), 10 * 2)
            for row in rows:
                self.assertEqual(row["verified"], "PASS", row)

    def test_any_start_is_safe(self):
        for start in ("uniform", "shell", "coincident", "pairs", "collinear", "huge", "clustered"):
            options = ["--start", start, "--bodies", "1,2,515", "--precision", "both"]
            for row in self.rows(*options, "--theta", "0"):
                self.assertEqual(row["verified"], "PASS", start)
            # On a line the pulls of both sides all but cancel: errors are large there, and numbers.
            for row in self.rows(*options, exit_codes=(0, 1) if start == "collinear" else (0,)):
                self.assertLess(row["median error"], 0.02)
                self.assertLess(row["max error"], 1000)

    def test_bodies_that_cannot_be_parted_share_a_list_at_the_end_of_a_chain_of_cells(self):
        tree = self.tree("--start", "coincident", "--bodies", "100")
        for precision, deepest in DEEPEST.items():
            self.assertEqual(tree[precision, "depth"]["most"], deepest)
            self.assertEqual(tree[precision, "cells"]["mean"], deepest + 1)
            self.assertEqual(tree[precision, "touched: summarise"]["most"], 2)   # a cell and its only child
            # The walk: each cell, and the bodies as one.
            self.assertEqual(tree[precision, "touched: force"]["most"], deepest + 2)

    def test_one_body_is_a_child_of_the_root(self):
        tree = self.tree("--bodies", "1")
        self.assertEqual(tree["single", "cells"]["mean"], 1)
        self.assertEqual(tree["single", "touched: build tree"]["most"], 2)
        self.assertEqual(tree["single", "touched: force"]["most"], 2)

    def test_a_step_that_runs_out_of_cells_is_done_again_with_more_room(self):
        bodies = 2000
        options = ["--start", "pairs", "--bodies", str(bodies)]
        cells = self.tree(*options)["double", "cells"]["mean"]
        self.assertGreater(cells, 8 * bodies)   # the room is for fewer cells than bodies at first
        for row in self.rows(*options, "--theta", "0", "--precision", "both"):
            self.assertEqual(row["verified"], "PASS")


if __name__ == "__main__":
    SixKernels.headroom, SixKernels.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
