#!/usr/bin/env python3
"""Launch boxes: every image of a program launches with its own numbers, and what would launch with others does not compile.

    tests/scripts/launch_box.py HEADROOM PROGRAMS NVCC

The program compares what the device was compiled with and what the host launched; here it is seen that each image had its
own row, and that the text says whose.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# image: (machine, the launch of a table with rows for sm_75, 80, 90 and 100)
MIXED = {
    "sm_75": ("t4", "<<<5209, 64>>> with NT=64 VT=3 OCC=0"),
    "sm_80": ("a100", "<<<1117, 128>>> with NT=128 VT=7 OCC=4"),
    "sm_86": ("a6000", "<<<1117, 128>>> with NT=128 VT=7 OCC=4 (sm_86 uses the row of sm_80)"),
    "sm_89": ("l4", "<<<1117, 128>>> with NT=128 VT=7 OCC=4 (sm_89 uses the row of sm_80)"),
    "sm_90": ("h200", "<<<356, 256>>> with NT=256 VT=11 OCC=2"),
    "sm_90a": ("h200", "<<<356, 256>>> with NT=256 VT=11 OCC=2"),
    "sm_100": ("b200", "<<<391, 512>>> with NT=512 VT=5 OCC=0"),
    "sm_120": ("rtx5090", "<<<391, 512>>> with NT=512 VT=5 OCC=0 (sm_120 uses the row of sm_100)"),
}
KERNEL = """
#include <headroom/launch_box.cuh>
using Tuning = headroom::LaunchBox<headroom::Row<80, 128, 7, 4>, headroom::Row<90, 256, 11>>;
template <typename Tuning>
__global__ __launch_bounds__(Tuning::here::NT) void kernel(int* out) { *out = Tuning::here::VT; }
int main() { headroom::launch<Tuning>(kernel<Tuning>, 1, nullptr, nullptr); }
"""
# Two files with a kernel each, linked on the device; KERNEL is one of them.
FILE = """
#include <cstdio>
#include <headroom/launch_box.cuh>
using Tuning = headroom::LaunchBox<headroom::Row<80, 128, 7>, headroom::Row<90, 256, 11>>;
__global__ __launch_bounds__(Tuning::here::NT) void kernel_NAME(int* out) { *out = Tuning::here::NT; }
void launch_NAME() {
  int* seen;
  cudaMallocManaged(&seen, sizeof(int));
  try {
    const headroom::Launched launched = headroom::launch<Tuning>(kernel_NAME, 1, nullptr, seen);
    cudaDeviceSynchronize();
    std::printf("NAME: %s\\n", *seen == launched.choice.NT ? "the same row" : "ANOTHER ROW");
  } catch (const headroom::LaunchFailure& failure) {
    std::printf("NAME: %s\\n", failure.what());
  }
}
"""


class LaunchBox(unittest.TestCase):
    headroom = programs = nvcc = None

    def run_program(self, *options, program="runtime_launch_box"):
        done = subprocess.run([self.headroom, "run", "--report", "/dev/null", *options, "--", f"{self.programs}/{program}"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{options}: {done.stdout}{done.stderr}")
        return done.stdout.splitlines()

    def compile(self, source, architecture=80):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kernel.cu"
            path.write_text(source)
            done = subprocess.run([self.nvcc, "-c", "-std=c++20", "-Werror", "all-warnings", f"-arch=compute_{architecture}",
                                   f"-code=compute_{architecture}", f"-I{ROOT}/include", path, "-o", path.with_suffix(".o")],
                                  capture_output=True, text=True)
        return done.returncode == 0, done.stdout + done.stderr

    def test_every_image_launches_with_the_row_it_was_compiled_with(self):
        for image, (machine, launch) in MIXED.items():
            said = self.run_program("--image", image, "--machine", machine)
            self.assertIn(f"Launch Mixed{launch}", said)
            number = image.removeprefix("sm_").rstrip("a")
            self.assertIn("Launch Foo<<<1117, 128>>> with NT=128 VT=7 OCC=4 "
                          f"(sm_{number} uses the row of sm_20)", said)

    def test_the_code_decides_not_the_device(self):
        self.assertIn(f"Launch Mixed{MIXED['sm_80'][1]}", self.run_program("--image", "sm_80", "--machine", "h200"))

    def test_without_a_choice_the_code_is_that_which_the_machine_runs(self):
        self.assertIn(f"Launch Mixed{MIXED['sm_89'][1]}", self.run_program("--machine", "rtx4090"))
        self.assertIn(f"Launch Mixed{MIXED['sm_90a'][1]}", self.run_program("--machine", "h100"))

    def test_relocatable_code_of_two_files_has_one_row(self):
        self.assertIn(f"Launch Mixed{MIXED['sm_80'][1]}", self.run_program(program="runtime_launch_box_relocatable"))

    def test_files_linked_for_different_architectures_launch_their_own_row_or_say_so(self):
        with tempfile.TemporaryDirectory() as folder:
            place, objects = pathlib.Path(folder), []
            main = "void launch_first(); void launch_second(); int main() { launch_first(); launch_second(); }"
            for name, architecture, text in (("first", 80, FILE), ("second", 90, FILE), ("main", 90, main)):
                (place / f"{name}.cu").write_text(text.replace("NAME", name))
                objects.append(place / f"{name}.o")
                subprocess.run([self.nvcc, "-c", "-rdc=true", "-std=c++20", f"-I{ROOT}/include", "-gencode",
                                f"arch=compute_{architecture},code=[sm_90,compute_{architecture}]", place / f"{name}.cu",
                                "-o", objects[-1]], check=True)
            subprocess.run([self.nvcc, "-cudart", "shared", "-arch=sm_90", *objects, "-o", place / "mixed"], check=True)
            done = subprocess.run([self.headroom, "run", "--report", "/dev/null", "--machine", "h200", "--", place / "mixed"],
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.splitlines(),  # as on an H200
                         ["first: the same row",
                          "second: launch box: the runtime says that the kernel was compiled for sm_80, and the file that launches "
                          "it was compiled for sm_90: compile all files for the same architectures"])

    def test_code_for_an_architecture_before_the_first_row_does_not_compile(self):
        for architecture in (80, 120):
            compiles, said = self.compile(KERNEL, architecture)
            self.assertTrue(compiles, said)
        compiles, said = self.compile(KERNEL, 75)
        self.assertFalse(compiles)
        self.assertIn("the architecture is older than the first row of this launch box: add a row for it", said)

    def test_host_code_cannot_take_the_row_of_device_code(self):
        compiles, said = self.compile(KERNEL + "int threads() { return Tuning::here::NT; }\n")
        self.assertFalse(compiles)
        self.assertIn("only device code has an architecture: host code asks headroom::configure", said)

    def test_a_table_that_is_none_does_not_compile(self):
        compiles, said = self.compile("""#include <headroom/launch_box.cuh>
using namespace headroom;
auto descending = LaunchBox<Row<90, 32>, Row<80, 32>>::find(80);
auto twice = LaunchBox<Row<80, 32>, Row<80, 64>>::find(80);
auto empty = LaunchBox<>::find(80);
auto too_many_threads = LaunchBox<Row<80, 2048>>::find(80);
""")
        self.assertFalse(compiles)
        self.assertGreaterEqual(said.count("rows ascend by architecture"), 2, said)
        self.assertIn("a launch box needs a row", said)
        self.assertIn("constraint failed for \"headroom::Row<80, 2048", said)


if __name__ == "__main__":
    LaunchBox.headroom, LaunchBox.programs, LaunchBox.nvcc = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1])
