#!/usr/bin/env python3
"""The sample's draw against made-up folders: who is a candidate, who is not and why, and that a seed repeats itself."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "corpus" / "corpus_sample.py"
MAKEFILE = "LDFLAGS = {flags}\nrun: main\n\t./main {arguments}\n"

FOLDERS = {  # name: (Makefile, source, why it is no candidate)
    "plain": (MAKEFILE.format(flags="-lm", arguments="1 2"), "#include <cub/cub.cuh>", None),
    "reads": (MAKEFILE.format(flags="", arguments="../reads-cuda/main.cu"), "", None),
    "seen": (MAKEFILE.format(flags="", arguments=""), "", "seen"),
    "blas": (MAKEFILE.format(flags="-lcublas", arguments=""), "", "links cublas"),
    "boosted": (MAKEFILE.format(flags="", arguments=""), "#include <boost/any.hpp>", "includes boost/any.hpp"),
    "absent": (MAKEFILE.format(flags="", arguments="data/input.txt"), "", "data/input.txt is not there"),
    "idle": ("main:\n\tnvcc\n", "", "no target run"),
}


class Sample(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.root = pathlib.Path(home.name)
        for name, (makefile, source, _) in FOLDERS.items():
            folder = self.root / f"{name}-cuda"
            folder.mkdir()
            (folder / "Makefile").write_text(makefile)
            (folder / "main.cu").write_text(source)
        (self.root / "seen.json").write_text(json.dumps({"programs": [{"name": "seen"}]}))

    def draw(self, *more):
        return subprocess.run([sys.executable, str(SCRIPT), str(self.root), "--seen", str(self.root / "seen.json"), *more],
                              capture_output=True, text=True, check=True).stdout.splitlines()

    def test_candidates_need_the_runtime_alone_and_their_data(self):
        self.assertEqual(sorted(self.draw()), ["plain", "reads"])

    def test_each_of_the_others_has_its_reason(self):
        reasons = dict(line.split("\t") for line in self.draw("--left-out"))
        self.assertEqual(set(reasons), {f"{name}-cuda" for name, (_, _, why) in FOLDERS.items() if why})
        for name, (_, _, why) in FOLDERS.items():
            if why:
                self.assertIn(why, reasons[f"{name}-cuda"])

    def test_a_seed_draws_the_same_order_again(self):
        for number in range(20):
            folder = self.root / f"more{number}-cuda"
            folder.mkdir()
            (folder / "Makefile").write_text(MAKEFILE.format(flags="", arguments=""))
        self.assertEqual(self.draw("--seed", "5"), self.draw("--seed", "5"))
        self.assertNotEqual(self.draw("--seed", "5"), self.draw("--seed", "6"))


if __name__ == "__main__":
    unittest.main()
