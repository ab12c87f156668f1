#!/usr/bin/env python3
"""The search among tunings (scripts/measure/search.py), on a cost that is known: it finds the best, passes over what fails, and goes on
where it ended.

    tests/scripts/search.py
"""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "measure"))
from search import best, by_groups, every, search, some, ties  # noqa: E402  (the path has to be there first)
from tune import launch_box_rows  # noqa: E402

SPACE = {"NT": [128, 256], "VT": [7, 9, 11, 13]}


def cost(tunings):
    for tuning in reversed(tunings):
        yield tuning | ({"why": "is wrong"} if tuning["VT"] == 13 else {"cost": abs(tuning["VT"] - 10.6) + tuning["NT"] / 1000})


class Search(unittest.TestCase):
    def test_the_best_of_all_and_what_is_as_good(self):
        rows = search(SPACE, every, cost)
        self.assertEqual(len(rows), 8)
        self.assertEqual((best(rows)["NT"], best(rows)["VT"]), (128, 11))
        self.assertEqual([row["NT"] for row in ties(rows, 0.25)], [128, 256])
        self.assertEqual(len(ties(rows, 0.24)), 1)

    def test_failures_are_rows_and_never_the_best(self):
        rows = search({"NT": [128], "VT": [13]}, every, cost)
        self.assertEqual(rows, [{"NT": 128, "VT": 13, "why": "is wrong"}])
        self.assertIsNone(best(rows))
        self.assertEqual(ties(rows, 1), [])

    def test_what_was_found_is_not_asked_for_again(self):
        kept = []
        first = search(SPACE, some(3, seed=1), cost, keep=kept.append)
        self.assertEqual(first, kept)
        asked = []
        rows = search(SPACE, every, lambda tunings: cost(asked.extend(tunings) or tunings), found=first)
        self.assertEqual((len(asked), len(rows)), (5, 8))

    def test_the_winner_is_written_as_rows_of_a_launch_box_table(self):
        winner = {"SORT_NT": 512, "SORT_VT": 23, "SORT_OCC": 0, "MERGE_NT": 256, "MERGE_VT": 31, "MERGE_OCC": 2, "cost": 5.913e-4}
        self.assertEqual(launch_box_rows(winner, 90, "an H100"),
                         ["headroom::Row<90, 512, 23>  // SORT: an H100: 591.3 us", "headroom::Row<90, 256, 31, 2>  // MERGE: an H100: 591.3 us"])

    def test_groups_begin_with_the_best_of_those_before(self):
        rows = search(SPACE, by_groups({"NT": 256, "VT": 7}, ("VT",), ("NT",)), cost)
        self.assertEqual([(row["NT"], row["VT"]) for row in rows], [(256, 13), (256, 11), (256, 9), (256, 7), (128, 11)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
