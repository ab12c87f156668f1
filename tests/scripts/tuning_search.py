#!/usr/bin/env python3
"""What the search's script writes: cubins that are whole, and the file of results as it was but for the figures."""
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts/prove"))
import tuning_search  # noqa: E402


class Written(unittest.TestCase):
    def test_a_cubin_that_is_not_whole_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            cubin = pathlib.Path(folder, "000.cubin")
            with unittest.mock.patch.object(pathlib.Path, "replace", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
                tuning_search.write_whole(cubin, b"ELF")
            self.assertFalse(cubin.exists())
            tuning_search.write_whole(cubin, b"ELF")
            self.assertEqual(cubin.read_bytes(), b"ELF")

    def test_the_file_stays_as_it_is_where_nothing_is_predicted(self):
        text = (ROOT / "results/tuning_ranks.json").read_text(encoding="utf-8")
        self.assertEqual(tuning_search.written(json.loads(text)), text)


if __name__ == "__main__":
    unittest.main()
