"""ci/headroom_ci.py, which action.yml and ci/gitlab.yml call: records, comparison, comment, gates; and what those two name.

    ci.py HEADROOM SGEMM
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SGEMM = sys.argv.pop()
HEADROOM = sys.argv.pop()
ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = f"{SGEMM} --size 64 --seed 1 --rung shared_tile --beta "


class Ci(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.output = pathlib.Path(self.folder.name, "output")

    def tearDown(self):
        self.folder.cleanup()

    def ci(self, *words):
        return subprocess.run([ROOT / "ci/headroom_ci.py", "--headroom", HEADROOM, *words], cwd=self.folder.name, capture_output=True,
                              text=True, env={**os.environ, "GITHUB_OUTPUT": str(self.output)})

    def record(self, folder, *programs):
        done = self.ci("run", "--out", folder, *programs)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def compare(self, *gates):
        done = self.ci("compare", "old", "new", "--comment", "comment.md", *(word for gate in gates for word in ("--fail-if", gate)))
        comment = pathlib.Path(self.folder.name, "comment.md")
        return done, comment.read_text() if comment.exists() else None

    def test_what_did_not_change_is_not_told(self):
        self.record("old", f"product: {KERNEL}0")
        self.record("new", f"product: {KERNEL}0")
        done, comment = self.compare("global_load_sectors > +0 %")
        self.assertEqual((done.returncode, comment), (0, None), done.stderr)
        self.assertEqual(self.output.read_text(), "changed=false\n")

    def test_what_changed_is_told_and_a_gate_holds(self):
        self.record("old", f"product: {KERNEL}0")
        self.record("new", f"product: {KERNEL}1", f"other: {KERNEL}0")
        done, comment = self.compare("global_load_sectors > +0 %")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("other: there is no earlier record", done.stdout)
        self.assertEqual(self.output.read_text(), "changed=true\n")
        self.assertTrue(comment.startswith("<!-- headroom -->\n**headroom**: 1 kernel changed\n"), comment)
        self.assertIn("| product | `sgemm::shared_tile_kernel` | `predicted_ns`", comment)
        self.assertIn("product: a gate holds", comment)
        done, comment = self.compare()
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("gate", comment.split("<details>")[0])

    def test_records_have_findings_and_advice_at_lines(self):
        self.record("new", f"product: {KERNEL}0")
        results = json.loads(pathlib.Path(self.folder.name, "new/product.sarif").read_text())["runs"][0]["results"]
        self.assertTrue(results)
        for each in results:
            self.assertEqual(each["level"], "note")
            self.assertTrue(each["ruleId"].startswith("advice_"))
            self.assertGreater(each["locations"][0]["physicalLocation"]["region"]["startLine"], 0)

    def test_a_program_that_fails_is_named(self):
        done = self.ci("run", "--out", "new", "bad: false", f"good: {KERNEL}0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("headroom_ci: bad: exit code 1", done.stdout)
        self.assertTrue(pathlib.Path(self.folder.name, "new/good.json").exists())

    def test_faults_are_looked_for_where_asked(self):
        done = self.ci("run", "--out", "new", "--check", f"good: {KERNEL}0")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("headroom check: ", done.stdout)

    def test_two_programs_of_one_name_are_refused(self):
        done = self.ci("run", "--out", "new", "sgemm --size 1", "sgemm --size 2")
        self.assertIn("two programs have one name", done.stderr)


class Recipes(unittest.TestCase):
    def test_the_action_uses_what_it_declares_and_declares_what_it_uses(self):
        text = (ROOT / "action.yml").read_text()
        declared = set(re.findall(r"^  ([\w-]+):$", text.split("inputs:\n", 2)[-1].split("outputs:")[0], re.MULTILINE))
        self.assertEqual(declared, set(re.findall(r"inputs\.([\w-]+)", text)))

    def test_the_scripts_they_name_are_there(self):
        self.assertIn("ci/headroom_ci.py", (ROOT / "action.yml").read_text())
        self.assertTrue(os.access(ROOT / "ci/headroom_ci.py", os.X_OK))

    # The shell of GitLab's job, with its variables and without its server.
    def test_gitlabs_script_runs(self):
        lines = (ROOT / "ci/gitlab.yml").read_text().split("    - |\n")[1]
        script = "".join(line[6:] if line.strip() else "\n" for line in lines.splitlines(True))
        with tempfile.TemporaryDirectory() as folder:
            path = f"{pathlib.Path(HEADROOM).parent}:{os.environ['PATH']}"
            variables = {"PATH": path, "HEADROOM_CI": str(ROOT / "ci/headroom_ci.py"),
                         "HEADROOM_PROGRAMS": f"one: {KERNEL}0\n\ntwo: {KERNEL}1\n"}
            done = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, env={**os.environ, **variables})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            for name in ("one", "two"):
                self.assertTrue(pathlib.Path(folder, f"headroom/new/{name}.json").exists(), done.stdout)


if __name__ == "__main__":
    unittest.main()
