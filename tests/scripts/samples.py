#!/usr/bin/env python3
"""The scripts for the CUDA samples: what a sample is built of, what came of it, and the page that tells."""
import argparse
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "corpus"))
import build_samples  # noqa: E402
import samples  # noqa: E402

CMAKE = """
include_directories(../../../Common)
include_directories(inc)   # and not this: include_directories(never)
add_executable(demo demo.cu src/demo_gold.cpp ../../../Common/helper.cpp)
target_link_libraries(demo PUBLIC CUDA::cudart {libraries})
set_target_properties(demo PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
"""


def entry(**changed):
    return {"name": "s", "category": "c", "pass": False, "counts": False, "control": "FAIL", "cause": None} | changed


class Build(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name) / "Samples" / "0_Introduction" / "demo"
        (self.home / "inc").mkdir(parents=True)

    def read(self, libraries="", code="int main() { cudaMalloc(); }"):
        (self.home / "CMakeLists.txt").write_text(CMAKE.format(libraries=libraries))
        (self.home / "demo.cu").write_text(code)
        return build_samples.read_sample(self.home / "CMakeLists.txt")

    def test_a_sample_is_what_its_cmake_file_says(self):
        sample = self.read()
        options = argparse.Namespace(arch="sm_80", cudart="shared", strip=False, driver=False)
        self.assertEqual((sample["name"], sample["category"]), ("demo", "0_Introduction"))
        self.assertEqual(sample["sources"][:2], ["demo.cu", "src/demo_gold.cpp"])
        self.assertTrue(pathlib.Path(sample["sources"][2]).is_absolute())
        self.assertEqual(sample["includes"], ["inc"])
        self.assertTrue(sample["separable"])
        self.assertIn("-rdc=true", build_samples.command_for(sample, options, "main"))
        self.assertIsNone(sample["left_out"])

    def test_a_library_leaves_a_sample_out_if_it_is_called(self):
        self.assertIsNone(self.read("CUDA::cublas", "void cublas();")["left_out"])
        self.assertEqual(self.read("CUDA::cublas", "cublasCreate(&h);")["left_out"], "mathematical library")
        self.assertEqual(self.read("CUDA::curand", "curand_init(1);")["left_out"], None)
        self.assertEqual(self.read("CUDA::cuda_driver", "cuInit(0);")["left_out"], "driver API")
        self.assertEqual(self.read("${OPENGL_LIBRARIES}")["left_out"], "graphics")

    def test_constants_replace_definitions_and_nothing_else(self):
        text = "#define N 100 // many\nconst int nIter = 300;\nuint size = 1 << 20, k = N;\nint nIterations = 5;\nnIter = 7;\n"
        self.assertEqual(build_samples.with_constants(text, {"N": "4", "nIter": "2", "size": "64"}),
                         "#define N 4\nconst int nIter = 2;\nuint size = 64, k = N;\nint nIterations = 5;\nnIter = 7;\n")


class Verdict(unittest.TestCase):
    def test_what_came_of_a_sample_has_one_word(self):
        for expected, changed in {
                "PASS": {"pass": True, "counts": True}, "no check": {"pass": True, "control": "PASS"},
                "timeout": {"cause": "time limit"}, "waived": {"cause": "exit code 2"},
                "not built": {"cause": "not built: no such program in the folder"},
                "refused": {"cause": "exit code 1; headroom: k() did not run: image 0:5: textures are not supported"},
                "FAIL": {"cause": '"Test passed" on 0 lines, not one or more'}}.items():
            self.assertEqual(samples.verdict(entry(**changed)), expected)

    def test_a_sample_that_is_not_there_is_not_built(self):
        with tempfile.TemporaryDirectory() as folder:
            home = pathlib.Path(folder)
            options = argparse.Namespace(folder=home, work=home, headroom=home / "bin" / "headroom", machine="h200",
                                         timeout=1, memory=1, again=False)
            program = samples.read_list(ROOT / "tests" / "samples.txt")[0]
            self.assertEqual(samples.examined(program, options)["verdict"], "not built")

    def test_every_line_of_the_list_can_be_read(self):
        rows = samples.read_list(ROOT / "tests" / "samples.txt")
        names = [row["name"] for row in rows]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 80)
        self.assertEqual(next(row for row in rows if row["name"] == "simpleP2P")["options"], ["--simulated-devices", "2"])
        self.assertEqual(build_samples.read_constants(ROOT / "tests" / "samples.txt")["transpose"], {"NUM_REPS": "1"})

    def test_the_page_says_what_the_results_say(self):
        results = json.loads((ROOT / "results" / "samples.json").read_text())
        driver = json.loads((ROOT / "results" / "driver_samples.json").read_text())
        self.assertEqual((ROOT / "docs" / "samples.md").read_text(), samples.page(results, driver))
        listed = {row["name"] for row in samples.read_list(ROOT / "tests" / "samples.txt")}
        self.assertEqual({row["name"] for row in results["samples"]}, listed)
        of_driver = {row["name"] for row in samples.read_list(ROOT / "tests" / "driver_samples.txt")}
        self.assertEqual({row["name"] for row in driver["samples"]}, of_driver)


if __name__ == "__main__":
    unittest.main()
