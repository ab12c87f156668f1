"""The wheel holds what is installed, and what pip makes of it runs: the command and a program on the emulator.

    wheel.py BUILD
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

BUILD = pathlib.Path(sys.argv.pop()).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.home.name, "packages")
        subprocess.run([ROOT / "scripts/wheel", BUILD, cls.home.name], check=True, stdout=subprocess.DEVNULL)
        cls.wheel, = pathlib.Path(cls.home.name).glob("*.whl")
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", cls.folder, cls.wheel],
                       check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def run_words(self, *words):
        return subprocess.run(words, env=os.environ | {"PYTHONPATH": str(self.folder)}, capture_output=True, text=True)

    def test_the_tag_and_the_dependency_stand_in_it(self):
        self.assertRegex(self.wheel.name, r"^headroom-\d+\.\d+\.\d+-py3-none-manylinux_2_35_x86_64\.whl$")
        with zipfile.ZipFile(self.wheel) as content:
            names = content.namelist()
            metadata, = (content.read(name).decode() for name in names if name.endswith("/METADATA"))
        self.assertIn("\nRequires-Dist: nvidia-cuda-nvcc>=13.0,<14\n", metadata)
        self.assertNotIn("@", metadata)
        for wanted in ("headroom/bin/headroom", "headroom/lib/headroom/libcudart.so.13", "headroom/include/headroom/timing.cuh"):
            self.assertIn(wanted, names)
        for part in ("ptxas", "nvdisasm", "cupti", "libcudart_static"):
            self.assertFalse([name for name in names if part in name], "nothing of NVIDIA's is inside")

    def test_the_command_and_the_module_hand_over_to_the_program(self):
        built = subprocess.run([BUILD / "bin/headroom", "--version"], capture_output=True, text=True).stdout
        for words in ((str(self.folder / "bin/headroom"), "--version"), (sys.executable, "-m", "headroom", "--version")):
            self.assertEqual(self.run_words(*words).stdout, built)

    def test_exit_codes_and_words_pass_through(self):
        run = self.run_words(sys.executable, "-m", "headroom", "run", "--wings")
        self.assertEqual((run.returncode, "no option '--wings'" in run.stderr), (125, True))

    def test_a_program_runs(self):
        run = self.run_words(str(self.folder / "bin/headroom"), "run", "--", str(BUILD / "tests/programs/golden_saxpy"))
        self.assertEqual((run.returncode, run.stdout), (0, "no error\n"), run.stderr)
        self.assertIn("2 launches of 1 kernel", run.stderr)


if __name__ == "__main__":
    unittest.main()
