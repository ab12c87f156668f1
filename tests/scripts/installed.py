"""What `cmake --install` leaves works in any folder, without the build: the program, the runtime it preloads, probes, headers.

    installed.py BUILD
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop()).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ("libcudart.so.13", "libcuda.so.1", "libheadroom_audit.so", "libheadroom_inject.so")

MANUALS = {f"share/{name}" for name in ("man/man1/headroom.1", "bash-completion/completions/headroom", "zsh/site-functions/_headroom",
                                        "fish/vendor_completions.d/headroom.fish")}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        first = pathlib.Path(cls.home.name, "first")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
        cls.folder = first.rename(pathlib.Path(cls.home.name, "moved"))

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def headroom(self, *words):
        return subprocess.run([self.folder / "bin/headroom", *words], cwd=self.home.name, capture_output=True, text=True)

    def test_the_files_are_there_and_no_others(self):
        found = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}
        headers = {f"include/{path.relative_to(ROOT / 'include')}" for path in (ROOT / "include").rglob("*") if path.is_file()}
        probes = {f"lib/headroom/probes/{path.stem}" for path in (ROOT / "machines/probes").glob("*.cu")}
        python = {f"lib/headroom/python/{path.relative_to(ROOT / 'python')}" for path in (ROOT / "python").rglob("*.py")}
        libraries = {f"lib/headroom/{name}" for name in LIBRARIES}
        licences = {f"share/doc/headroom/{name}" for name in ("LICENSE", "NOTICE")}
        package = {f"lib/cmake/headroom/headroom{name}.cmake" for name in ("Config", "ConfigVersion")}
        self.assertEqual(found, {"bin/headroom", "bin/headroom-lab"} | libraries | probes | python | headers | licences | package | MANUALS)

    def test_they_ask_for_no_glibc_newer_than_2_35_and_for_no_other_library(self):
        programs = [*self.folder.glob("bin/*"), *self.folder.glob("lib/headroom/*.so*"), *self.folder.glob("lib/headroom/probes/*")]
        self.assertGreater(len(programs), 20)
        for path in programs:
            asked = subprocess.run(["readelf", "-dVW", path], check=True, capture_output=True, text=True).stdout
            for major, minor in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", asked):
                self.assertLessEqual((int(major), int(minor)), (2, 35), path.name)
            for library in re.findall(r"NEEDED.*\[(.*)\]", asked):
                self.assertRegex(library, r"lib[cm]\.so\.6|ld-linux-x86-64\.so\.2|libcudart\.so\.13", path.name)

    # `make demo` builds the program alone.
    def test_who_builds_the_program_builds_what_it_preloads(self):
        inputs = subprocess.run(["ninja", "-C", BUILD, "-t", "inputs", "bin/headroom"], check=True, capture_output=True, text=True).stdout
        for name in LIBRARIES:
            self.assertIn(f"lib/headroom/{name}", inputs.split())

    def test_no_file_knows_the_folder_it_was_built_in(self):
        for path in ("bin/headroom", *(f"lib/headroom/{name}" for name in LIBRARIES)):
            dynamic = subprocess.run(["readelf", "-d", self.folder / path], check=True, capture_output=True, text=True).stdout
            self.assertNotIn("RUNPATH", dynamic, path)
            self.assertNotIn("RPATH", dynamic, path)

    def test_machines_are_listed(self):
        built = subprocess.run([BUILD / "bin/headroom", "machine", "list"], capture_output=True, text=True)
        self.assertEqual(self.headroom("machine", "list").stdout, built.stdout)
        self.assertIn("h200", built.stdout)

    def test_a_program_runs_on_the_runtime_beside_it(self):
        run = self.headroom("run", "--report", "report", "--", str(BUILD / "bin/copy"), "--seed", "1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("copy", pathlib.Path(self.home.name, "report").read_text())

    def test_a_project_of_the_users_tests_its_kernels_with_it(self):
        project = pathlib.Path(self.home.name, "transpose")
        nvcc = pathlib.Path(os.environ["CUDA_HOME"], "bin/nvcc")
        for step in (["cmake", "-S", ROOT / "examples/transpose", "-B", project, f"-DCMAKE_PREFIX_PATH={self.folder}",
                      f"-DCMAKE_CUDA_COMPILER={nvcc}"], ["cmake", "--build", project]):
            done = subprocess.run(step, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        tests = subprocess.run(["ctest", "--test-dir", project, "--output-on-failure"], capture_output=True, text=True)
        self.assertIn("100% tests passed, 0 tests failed out of 3", tests.stdout)

    def test_without_the_runtime_beside_it_nothing_runs(self):
        library = self.folder / "lib/headroom/libcudart.so.13"
        aside = library.rename(library.with_suffix(".aside"))
        try:
            run = self.headroom("run", "--", str(BUILD / "bin/copy"))
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("libcudart.so.13", run.stderr)
        finally:
            aside.rename(library)


if __name__ == "__main__":
    unittest.main()
