#!/usr/bin/env python3
"""The corpus runner against programs and a headroom that are shell scripts: who passes, who counts, and why not."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "corpus" / "corpus.py"

# Behaves as `headroom run … -- PROGRAM ARGS` does: writes the JSON, passes the program's output and exit code through.
HEADROOM = r'''#!/usr/bin/env python3
import json, os, subprocess, sys
split = sys.argv.index("--")
options, command = sys.argv[1:split], sys.argv[split + 1:]
with open(os.environ["CALLS"], "a") as calls:
    calls.write(os.path.basename(os.getcwd()) + "\n")
if "--json" in options:
    engine = options[options.index("--engine") + 1]
    launch = {"kernel": "k", "engine": engine, "executor_seconds": 0.5 if engine == "machine" else 0.25,
              "counters": {"warp_instructions": 1000}, "caveats": []}
    with open(options[options.index("--json") + 1], "w") as file:
        json.dump({"schema": "headroom-run/1", "launches": [launch, launch], "findings": []}, file)
sys.exit(subprocess.run(command).returncode)
'''

PROGRAMS = {  # name: (success column, arguments column, shell script)
    "right": ('"PASS!!" x2', "7 8", '[ "$HEADROOM_DO_NOTHING" ] && echo FAIL && exit; echo $1 PASS; echo $2 PASS'),
    "reads_beside": ('"PASS"', "(none)", '[ "$HEADROOM_DO_NOTHING" ] && echo FAIL && exit; cat data'),
    "ratio": ('"ratio: #"', "(none)", '[ "$HEADROOM_DO_NOTHING" ] && exit 1; echo "ratio: -1.5e3"'),
    "quiet": ('"done"; no "bad value"', "(none)", '[ "$HEADROOM_DO_NOTHING" ] && echo bad value; echo done'),
    "on_stderr": ('"PASS"', "(none)", '[ "$HEADROOM_DO_NOTHING" ] && exit; echo PASS >&2'),
    "waits": ('"PASS"', "(none)", '[ "$HEADROOM_DO_NOTHING" ] && sleep 60; echo PASS'),
    "not_quiet": ('"done"; no "bad value"', "(none)", "echo done; echo bad value"),
    "vacuous": ('"PASS"', "(none)", "echo PASS"),
    "wrong": ('"PASS"', "(none)", "echo PASS; echo FAIL"),
    "too_few": ('"PASS" x3', "(none)", "echo PASS; echo PASS"),
    "too_many": ('"PASS" x1', "(none)", "echo PASS; echo PASS"),
    "exits": ('"PASS"', "(none)", "echo PASS; exit 3"),
    "refused": ('"PASS"', "(none)", "echo 'headroom: needs cuBLAS' >&2; exit 126"),
    "hangs": ('"PASS"', "(none)", "echo PASS; sleep 60"),
    "hoards": ('"PASS"', "(none)", "python3 -c 'import time; held = bytes(1) * (300 << 20); time.sleep(60)'; echo PASS"),
}


class Corpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.home.name)
        lines = ["# a comment"]
        for name, (success, arguments, script) in PROGRAMS.items():
            path = cls.root / "built" / f"{name}-cuda" / "main"
            path.parent.mkdir(parents=True)
            path.write_text("#!/bin/bash\n" + script + "\n")
            path.chmod(0o755)
            lines.append(f"{name}\tgroup\t1 2 3\t{arguments}\t{success}\tmore")
        lines.append('missing\tgroup\t1\t1\t"PASS"')
        (cls.root / "built" / "reads_beside-cuda" / "data").write_text("PASS\n")
        (cls.root / "list").write_text("\n".join(lines) + "\n")
        (cls.root / "headroom").write_text(HEADROOM)
        (cls.root / "headroom").chmod(0o755)
        cls.process = cls.run_corpus()
        cls.results = json.loads((cls.root / "results.json").read_text())
        cls.entries = {entry["name"]: entry for entry in cls.results["programs"]}

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    @classmethod
    def run_corpus(cls, *more):
        return subprocess.run(
            [sys.executable, str(SCRIPT), str(cls.root / "list"), str(cls.root / "built"), "--headroom",
             str(cls.root / "headroom"), "--results", str(cls.root / "results.json"), "--work",
             str(cls.root / "work"), "--timeout", "4", "--memory", "0.2", "-j", "4", *more],
            capture_output=True, text=True, env=os.environ | {"CALLS": str(cls.root / "calls")})

    def calls(self):
        return len((self.root / "calls").read_text().splitlines())

    def test_a_program_that_passes_and_whose_control_fails_counts(self):
        for name in ("right", "reads_beside", "ratio", "quiet", "on_stderr", "waits"):
            self.assertTrue(self.entries[name]["counts"], self.entries[name])
            self.assertIsNone(self.entries[name]["cause"])

    def test_a_program_that_passes_without_its_kernels_does_not_count(self):
        self.assertTrue(self.entries["vacuous"]["pass"])
        self.assertFalse(self.entries["vacuous"]["counts"])
        self.assertEqual(self.entries["vacuous"]["control"], "PASS")

    def test_every_other_way_to_fail_is_told_in_words(self):
        causes = {"wrong": "says FAIL", "too_few": "on 2 lines, not 3", "too_many": "on 2 lines, not 1",
                  "not_quiet": '"bad value" on 1 lines, not 0',
                  "exits": "exit code 3", "refused": "needs cuBLAS", "hangs": "time limit", "hoards": "memory limit",
                  "missing": "not built"}
        for name, words in causes.items():
            self.assertFalse(self.entries[name]["pass"], name)
            self.assertFalse(self.entries[name]["counts"], name)
            self.assertIn(words, self.entries[name]["cause"])

    def test_figures_come_from_the_report_of_the_run(self):
        entry = self.entries["right"]
        self.assertEqual((entry["launches"], entry["warp_instructions"]), (2, 2000))
        self.assertEqual(entry["warp_instructions_per_second"], 2000)

    def test_the_results_keep_the_order_of_the_list_and_the_exit_code_tells(self):
        self.assertEqual(list(self.entries), list(PROGRAMS) + ["missing"])
        self.assertEqual(self.results["summary"], {"programs": 16, "pass": 7, "count": 6, "pass_by_ptx": 7, "same_verdict": 15,
                                                   "launches": 30, "by_machine_code": 30, "machine_to_ptx_seconds": 2.0})
        self.assertEqual(self.process.returncode, 1)

    def test_a_second_run_does_only_what_changed(self):
        before = self.calls()
        self.run_corpus("--only", "^(right|ratio)$")
        self.assertEqual(self.calls(), before)
        with open(self.root / "built" / "ratio-cuda" / "main", "a") as file:
            file.write("# rebuilt\n")
        self.assertEqual(self.run_corpus("--only", "^(right|ratio)$").returncode, 0)
        self.assertEqual(self.calls(), before + 3)

    def test_a_line_without_a_success_text_is_named(self):
        (self.root / "bad_list").write_text("name\tgroup\t1\t1\tPASS\n")
        process = subprocess.run([sys.executable, str(SCRIPT), str(self.root / "bad_list"), str(self.root),
                                  "--headroom", str(self.root / "headroom")], capture_output=True, text=True)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("bad_list:1:", process.stderr)


if __name__ == "__main__":
    unittest.main()
