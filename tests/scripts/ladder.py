#!/usr/bin/env python3
"""The studies' rungs keep their promises: each head has its four lines, and every `expect` claim holds on the executor.

    tests/scripts/ladder.py HEADROOM BIN

    // rung    coalesced
    // idea    consecutive threads take consecutive columns: …
    // expect  global_load_sectors / 6.6, global_store_sectors / 8 against naive
    // next    shared_tile: read each element of A and B once per block, not once per warp

A claim is a counter of `headroom run --json`, the factor by which it falls, and the rung that it is compared with; words
around the claims are for the reader.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

STUDIES = pathlib.Path(__file__).resolve().parents[2] / "studies"
CHOICE = {"copy": ["--occupancy", "25", "--bytes", "256K", "--variant"], "sgemm": ["--size", "64", "--rung"],
          "latency": ["--threads", "64", "--variant"]}
TOLERANCE = 0.02


def head(path):
    lines = path.read_text().splitlines()[:4]
    matches = [re.fullmatch(r"// (rung|idea|expect|next) +(.+)", line) for line in lines]
    return [(match[1], match[2]) for match in matches if match]


def claims(text):
    """(counter, factor, rung) of every claim in an `expect` line."""
    for factors, rung in re.findall(r"((?:\w+ / [\d.]+,? ?)+)against (\w+)", text):
        for counter, factor in re.findall(r"(\w+) / ([\d.]+)", factors):
            yield counter, float(factor), rung


def rungs(study):
    return {path.stem: dict(head(path)) for path in sorted((STUDIES / study).glob("*.cu")) if path.stem != "main"}


class Ladder(unittest.TestCase):
    headroom = programs = None

    def counters(self, study, rung):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            process = subprocess.run([self.headroom, "run", "--report", "/dev/null", "--json", str(path), "--",
                                      f"{self.programs}/{study}", "--seed", "1", *CHOICE[study], rung],
                                     capture_output=True, text=True)
            self.assertEqual(process.returncode, 0, f"{study} {rung}: {process.stdout}{process.stderr}")
            launches = json.loads(path.read_text())["launches"]
        self.assertEqual(len(launches), 1)
        return launches[0]["counters"]

    def test_every_rung_has_the_four_lines_and_leads_to_a_rung_or_an_idea(self):
        for study in CHOICE:
            names = rungs(study)
            self.assertGreaterEqual(len(names), 3)
            for name, lines in names.items():
                self.assertEqual(list(lines), ["rung", "idea", "expect", "next"], f"{study}/{name}.cu")
                self.assertEqual(lines["rung"], name)
                follower = re.match(r"(\w+):", lines["next"])
                if follower and follower[1] != "none":
                    self.assertIn(follower[1], names)

    def test_every_expectation_holds_on_the_executor(self):
        checked = 0
        for study in CHOICE:
            measured = {}
            for name, lines in rungs(study).items():
                for counter, factor, against in claims(lines["expect"]):
                    for rung in (name, against):
                        if rung not in measured:
                            measured[rung] = self.counters(study, rung)
                    real = measured[against][counter] / max(1, measured[name][counter])
                    self.assertAlmostEqual(real, factor, delta=TOLERANCE * factor,
                                           msg=f"{study}/{name}.cu: {counter} against {against}")
                    checked += 1
        self.assertGreaterEqual(checked, 17)


if __name__ == "__main__":
    Ladder.headroom, Ladder.programs = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
