#!/usr/bin/env python3
"""The methods of barnes_hut on the host's cores: right from any start, by any number of threads, and wrong options refused.

    tests/scripts/barnes_hut_host.py HEADROOM BARNES_HUT
"""
import sys
import unittest

import studies

METHODS = ["openmp", "pthreads"]


class Host(unittest.TestCase):
    headroom = program = None

    def run_study(self, *options, threads=2):
        # Threads that wait without spinning: the tests of a machine run side by side.
        environment = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
        done, found = studies.run_study(self.headroom, self.program, "--repeat", "1", *options, environment=environment)
        return done, studies.rows_of(found)

    def rows(self, *options, **more):
        done, rows = self.run_study("--method", ",".join(METHODS), "--precision", "both", *options, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return rows

    def starts(self):
        return self.run_study("--start", "list")[0].stdout.split()

    def test_any_number_of_bodies_is_right(self):
        # Among a few bodies what a cell leaves out does not average: these are taken apart.
        rows = self.rows("--bodies", "1,2,3,9,17,33", "--theta", "0") + self.rows("--bodies", "515,2000", "--seed", "7")
        self.assertEqual(len(rows), 8 * 2 * len(METHODS))
        for row in rows:
            self.assertEqual(row["verified"], "PASS")
            self.assertLessEqual(row["interactions a body"], row["bodies"])

    def test_a_tree_saves_work_and_takes_bodies_apart_when_told(self):
        loose, exact = (self.rows("--bodies", "3000", "--seed", "7", "--theta", theta) for theta in ("0.7", "0"))
        for row in loose:
            self.assertLess(row["interactions a body"], 1500)
        for row in exact:
            self.assertEqual(row["interactions a body"], 3000)

    def test_no_opening_is_all_pairs_from_every_start(self):
        starts = self.starts()
        self.assertGreaterEqual(len(starts), 8)
        for start in starts:
            for row in self.rows("--bodies", "700", "--theta", "0", "--seed", "7", "--start", start):
                self.assertLess(row["90 % error"], 3e-6 if row["precision"] == "single" else 3e-14, (start, row))

    def test_every_start_is_computed_to_the_end(self):
        for start in self.starts():
            done, rows = self.run_study("--method", ",".join(METHODS), "--bodies", "1,2,1500", "--seed", "7", "--start", start)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertEqual(len(rows), 3 * len(METHODS), start)
            for row in rows:
                self.assertIsInstance(row["max error"], (int, float), (start, row))    # "none" where it is no number

    def test_openmp_does_not_depend_on_the_number_of_threads(self):
        def figures(threads):
            done, rows = self.run_study("--method", "openmp", "--precision", "both", "--bodies", "2500", "--seed", "7",
                                        threads=threads)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return [{name: value for name, value in row.items() if "error" in name or "body" in name} for row in rows]
        self.assertEqual(figures(1), figures(2))
        self.assertEqual(figures(1), figures(5))

    def test_the_tree_and_the_kernels_have_tables(self):
        done, rows = self.run_study("--method", ",".join(METHODS), "--bodies", "900", "--tree")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        named = {row["what"] for row in rows}
        self.assertLessEqual({"cells", "depth", "children of a cell", "touched: force"}, named)
        done, rows = self.run_study("--method", ",".join(METHODS), "--bodies", "900", "--kernels")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for method in METHODS:
            kernels = {row["kernel"] for row in rows if row["method"] == method}
            self.assertLessEqual({"bounding box", "build tree", "summarise", "force", "advance"}, kernels)

    def rounds(self, *options):
        done, rows = self.run_study("--parallelism", *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        items = {}
        for row in rows:
            items.setdefault(row["kernel"], []).append(row["work items"])
            self.assertEqual(row["round"], len(items[row["kernel"]]))
        return items

    def test_parallelism_of_bodies_at_one_place_is_as_worked_out_by_hand(self):
        # The first goes in; the second makes the 20 cells below the root, down to the finest; the others join its list.
        self.assertEqual(self.rounds("--bodies", "5", "--start", "coincident"), {
            "bounding box": [2, 1, 1], "build tree": [1, 1, 3], "summarise": [1] * 21, "sort": [1] * 21, "force": [5],
            "advance": [5]})

    def test_parallelism_loses_no_body_and_no_cell(self):
        items = self.rounds("--bodies", "3000", "--seed", "7")
        self.assertEqual(sum(items["bounding box"]), 2999)
        self.assertEqual(sum(items["build tree"]), 3000)
        self.assertIn(items["build tree"][0], range(2, 9))     # a place of the root each
        self.assertEqual(sum(items["summarise"]), sum(items["sort"]))
        self.assertEqual(len(items["summarise"]), len(items["sort"]))
        self.assertEqual(items["sort"][0], 1)
        self.assertEqual(items["summarise"][-1], 1)

    def test_wrong_options_are_refused(self):
        for options in (["--bodies", "0"], ["--bodies", "many"], ["--bodies", "1e3"], ["--softening", "0"],
                        ["--softening", "1e-9"], ["--softening", "nan"], ["--theta", "-1"], ["--theta", "2.5"],
                        ["--theta", "nan"], ["--method", "openmp,nothing"], ["--start", "nowhere"],
                        ["--precision", "half"], ["--masses", "none"]):
            done, _ = self.run_study(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(options[1].split(",")[-1] if options[0] in ("--method", "--start") else options[0], done.stderr)


if __name__ == "__main__":
    Host.headroom, Host.program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
