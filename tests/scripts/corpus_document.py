#!/usr/bin/env python3
"""The page about the corpora: it is what the committed results say, and every failure has its cause."""
import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "scripts" / folder) for folder in ("docs", "corpus")]
import corpus  # noqa: E402  (the path has to be there first)
import corpus_document  # noqa: E402

LISTS = ROOT / "tests" / "corpus"


def row(name, **changed):
    return {"name": name, "category": "sort", "pass": True, "control": "FAIL", "counts": True, "seconds": 2.0, "launches": 1,
            "warp_instructions": 3_000_000, "warp_instructions_per_second": 2_000_000, "cause": None, "by_machine_code": 1, "fallbacks": {},
            "executor_seconds": 1.5, "ptx": {"pass": True, "executor_seconds": 1.0}} | changed


def results(*rows):
    return {"summary": {"pass": sum(row["pass"] for row in rows), "count": sum(row["counts"] for row in rows)} |
            corpus.engines(rows), "jobs": 1, "programs": rows}


class Page(unittest.TestCase):
    def setUp(self):
        self.sample = json.loads((ROOT / "results" / "corpus_sample.json").read_text())

    def test_the_committed_page_is_what_the_committed_results_say(self):
        self.assertEqual(corpus_document.PAGE.read_text(), corpus_document.committed(), "run scripts/docs/corpus_document.py")

    def test_the_sample_is_a_hundred_programs_and_none_of_those_passed_over(self):
        listed = [program["name"] for program in corpus.read_list(LISTS / "sample.txt")]
        self.assertEqual([program["name"] for program in self.sample["programs"]], listed)
        self.assertEqual(len(set(listed)), 100)
        replaced = corpus_document.read_rows(LISTS / "replaced.txt")
        self.assertEqual(set(listed) & set(replaced), set())
        self.assertEqual({len(columns) for columns in replaced.values()}, {2})

    def test_every_program_that_does_not_count_has_a_cause_and_no_other_has(self):
        failed = {program["name"] for program in self.sample["programs"] if not (program["counts"] and program["ptx"]["pass"])}
        self.assertEqual(set(corpus_document.read_rows(LISTS / "causes.txt")), failed)

    def test_a_failure_is_shown_with_its_cause_or_as_not_known(self):
        failure = {"pass": False, "counts": False, "cause": "exit code 1"}
        text = corpus_document.page({"corpus": results(row("fine")), "sample": results(row("odd", **failure), row("new", **failure))},
                                    {"odd": ["a race of the program", "no barrier"]}, {"mute": ["no verdict", "prints times"]})
        self.assertIn("1 of 1 programs count: 1 pass, and 1 do not where kernels do nothing.", text)
        self.assertIn("1 of 1 launches ran by machine code; by PTX 1 pass, and 1 have the same verdict. Machine code takes 1.5 times", text)
        self.assertIn("0 of 2 programs count: 0 pass, and 2 do not where kernels do nothing.", text)
        self.assertIn("| a race of the program | 1 | odd (exit code 1): no barrier |", text)
        self.assertIn("| not known yet | 1 | new (exit code 1): exit code 1 |", text)
        self.assertIn("| no verdict | 1 | prints times: mute |", text)


if __name__ == "__main__":
    unittest.main()
