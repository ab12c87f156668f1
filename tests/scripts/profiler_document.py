#!/usr/bin/env python3
"""The document of differences from a profiler: it is what the committed results say, and hides nothing."""
import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts" / "docs"))
import profiler_document  # noqa: E402  (the path has to be there first)

DIFFERENCE = {"program": "app", "launch": 3, "kernel": "scale(int)", "metric": "global_load_sectors", "headroom": 4000,
              "profiler": 5000, "relative": -0.2, "kind": None, "cause": None}
ROW = {"launches": 4, "equal": 3, "machine_code": 0, "runs": 0, "figures": 0, "rule": 0, "without_cause": 1}
RESULTS = {"title": "Some", "about": "Measured somewhere.", "profiles": ["some.csv"], "launches": 5, "without_cause": 1,
           "summary": {"global_load_sectors": ROW}, "causes": [], "differences": [DIFFERENCE],
           "not_compared": [{"program": "app", "launch": 4, "kernel": "k", "why": "no such launch"}]}


class Document(unittest.TestCase):
    def test_the_committed_document_is_what_the_committed_results_say(self):
        results = [json.loads(path.read_text()) for path in profiler_document.RESULTS]
        sources = [path.relative_to(ROOT) for path in profiler_document.RESULTS]
        self.assertEqual(profiler_document.DOCUMENT.read_text(), profiler_document.document(results, sources),
                         "run scripts/docs/profiler_document.py")

    def test_every_cause_in_the_results_is_one_of_the_list(self):
        known = json.loads((ROOT / "results" / "profiler_causes.json").read_text())
        named = [cause for path in profiler_document.RESULTS for cause in json.loads(path.read_text())["causes"]]
        for cause in named:
            self.assertTrue(cause in known or cause["evidence"] == "rule", cause)
        self.assertEqual([cause for cause in known if cause not in named], [])

    def test_the_summary_counts_the_rows(self):
        for path in profiler_document.RESULTS:
            results = json.loads(path.read_text())
            for metric, row in results["summary"].items():
                kinds = [each["kind"] for each in results["differences"] if each["metric"] == metric]
                self.assertEqual((row["launches"] - row["equal"], row["machine_code"], row["runs"], row["without_cause"]),
                                 (len(kinds), kinds.count("machine code"), kinds.count("runs"), kinds.count(None)), metric)

    def test_a_cause_stands_with_its_lines_of_ptx_and_machine_code(self):
        for cause in json.loads((ROOT / "results" / "profiler_causes.json").read_text()):
            self.assertTrue(cause["ptx"] and cause["machine_code"], cause["cause"])
            for line in cause["ptx"] + cause["machine_code"]:
                self.assertIn(f"   {line}\n", profiler_document.DOCUMENT.read_text())

    def test_what_has_no_cause_or_was_not_compared_is_shown(self):
        text = profiler_document.document([RESULTS], ["some.json"])
        self.assertIn("4 of 5 launches compared; 1 figures differ, 1 without a cause.", text)
        self.assertIn("| app | 3 | `scale` | `global_load_sectors` | 4 000 | 5 000 | -20 % |",
                      text[text.index("### Without a cause"):])
        self.assertIn("Not compared: app, launch 4: no such launch.", text)


if __name__ == "__main__":
    unittest.main()
