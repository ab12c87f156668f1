"""The visits of a machine with a GPU, with programs that do nothing in place of the studies: a step that fails is counted."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class IntervalMove(unittest.TestCase):
    def visit(self, random_pieces):
        """Exit code and output of the visit whose program random_pieces is that text of sh; and what it kept of its output."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "bin").mkdir()
            for program in ("interval_move", "interval_move_vs_moderngpu", "python3", "random_pieces"):
                path = folder / "bin" / program
                path.write_text("#!/bin/sh\n" + (random_pieces if program == "random_pieces" else "exit 0") + "\n")
                path.chmod(0o755)
            done = subprocess.run([ROOT / "scripts/measure/interval_move_visit.sh", folder, folder], stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"})
            kept = folder / "random_pieces.jsonl"
            return done.returncode, done.stdout, kept.read_text() if kept.exists() else None

    def test_random_pieces_that_fail_are_a_failure_and_leave_no_rows(self):
        code, said, kept = self.visit("echo half a row; exit 3")
        self.assertEqual((code, kept), (1, None), said)
        self.assertRegex(said, r"random_pieces: failed after \d+ s\nhalf a row\n")
        self.assertIn(" 1 failures", said)

    def test_random_pieces_that_succeed_leave_their_rows(self):
        code, said, kept = self.visit("echo '{}'")
        self.assertEqual((code, kept), (0, "{}\n"), said)


if __name__ == "__main__":
    unittest.main()
