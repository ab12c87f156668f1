#!/usr/bin/env python3
"""Programs made smaller: the texts of the list replace those of the sources, in a copy, and none of them in vain."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts" / "corpus"))
import corpus  # noqa: E402  (the path has to be there first)
import corpus_build  # noqa: E402


class Smaller(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.root = pathlib.Path(home.name)
        self.folder, self.copy = self.root / "sort-cuda", self.root / "sort-cuda-small"
        self.folder.mkdir()
        (self.folder / "main.cu").write_text("#define N 4096\nint n = N;\n")
        (self.folder / "main").write_text("built at full size")

    def test_the_copy_is_smaller_and_the_original_is_not(self):
        corpus_build.make_smaller(self.folder, self.copy, [("N 4096", "N 16")])
        self.assertEqual((self.copy / "main.cu").read_text(), "#define N 16\nint n = N;\n")
        self.assertIn("4096", (self.folder / "main.cu").read_text())
        self.assertFalse((self.copy / "main").exists())

    def test_a_text_that_no_source_has_is_an_error(self):
        with self.assertRaisesRegex(KeyError, "M 7"):
            corpus_build.make_smaller(self.folder, self.copy, [("N 4096", "N 16"), ("M 7", "M 1")])

    def test_the_smaller_program_runs_where_the_list_asks_for_it_and_only_there(self):
        def runs(smaller):
            return corpus.find_program(self.root, {"name": "sort", "smaller": smaller})

        self.assertEqual(runs(False), (self.folder / "main").resolve())
        self.assertIsNone(runs(True))
        corpus_build.make_smaller(self.folder, self.copy, [])
        (self.copy / "main").write_text("built smaller")
        self.assertEqual(runs(True), (self.copy / "main").resolve())
        self.assertEqual(runs(False), (self.folder / "main").resolve())

    def test_every_replacement_of_the_sample_can_be_read(self):
        replacements = corpus_build.read_replacements(ROOT / "tests" / "corpus" / "sample.txt")
        self.assertEqual(replacements["binomial"], [("NUM_ITERATIONS 1000", "NUM_ITERATIONS 1"), ("MAX_OPTIONS 1024", "MAX_OPTIONS 16")])
        self.assertEqual(replacements["goulash"], [])
        self.assertTrue(all(len(pair) == 2 for pairs in replacements.values() for pair in pairs))


if __name__ == "__main__":
    unittest.main()
