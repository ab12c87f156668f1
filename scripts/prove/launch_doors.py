#!/usr/bin/env python3
"""What a launch costs the program by each way into the emulator: both runtimes, the driver API, and three frameworks of Python.

    scripts/prove/launch_doors.py build/release/bin/headroom [--python V/bin/python]… -o results/launch_doors.json
    scripts/prove/launch_doors.py --show results/launch_doors.json

Each program launches one block of 32 threads, which add 1 to 32 words, 100 times a round and waits for the last; 50 rounds, of which it prints
microseconds a launch, by the clock and of processor time. All of them run by turns, --turns times. Of the clock the least counts: the rest is the
machine's other work, which rounds of a few milliseconds may escape. Under Python the framework's own work for a launch is in it. Two Pythons may be given, one with Numba and cuda.core and one with Triton and PyTorch: each framework
is timed by the first that has it.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LOOP = """
#include <chrono>
#include <cstdio>
#include <ctime>
template <class Launch, class Wait> void time_launches(const Launch& launch, const Wait& wait) {
  launch();
  wait();
  for (int round = 0; round < 50; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    for (int i = 0; i < 100; ++i) launch();
    wait();
    std::printf("us %.3f %.3f\\n", std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / 100,
                1e6 * double(std::clock() - used) / CLOCKS_PER_SEC / 100);
  }
}
extern "C" __global__ void add_one(int* p) { p[threadIdx.x] += 1; }
"""
RUNTIME = LOOP + """
int main() {
  int* p;
  cudaMalloc(&p, 128);
  time_launches([&] { add_one<<<1, 32>>>(p); }, [] { cudaDeviceSynchronize(); });
}
"""
DRIVER = LOOP + """
#include <cuda.h>
int main(int, char** words) {
  CUcontext context; CUmodule module; CUfunction function; CUdeviceptr p;
  cuInit(0); cuCtxCreate(&context, nullptr, 0, 0); cuMemAlloc(&p, 128);
  if (cuModuleLoad(&module, words[1]) || cuModuleGetFunction(&function, module, "add_one")) return 1;
  void* parameters[] = {&p};
  time_launches([&] { cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr); }, [] { cuCtxSynchronize(); });
}
"""
PYTHON_LOOP = """
import time
def time_launches(launch, wait):
    launch(); wait()
    for _ in range(50):
        begin, used = time.perf_counter(), time.process_time()
        for _ in range(100): launch()
        wait()
        print("us %.3f %.3f" % ((time.perf_counter() - begin) * 1e4, (time.process_time() - used) * 1e4), flush=True)
"""
NUMBA = PYTHON_LOOP + """
from numba import cuda
import numpy
@cuda.jit
def add_one(p):
    p[cuda.threadIdx.x] += 1
p = cuda.to_device(numpy.zeros(32, numpy.int32))
configured = add_one[1, 32]
time_launches(lambda: configured(p), cuda.synchronize)
"""
CUDA_CORE = PYTHON_LOOP + """
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
device = Device(); device.set_current(); stream = device.create_stream()
code = 'extern "C" __global__ void add_one(int* p) { p[threadIdx.x] += 1; }'
kernel = Program(code, "c++", ProgramOptions(arch="sm_" + device.arch)).compile("cubin").get_kernel("add_one")
p = device.allocate(128, stream=stream)
config = LaunchConfig(grid=1, block=32)
time_launches(lambda: launch(stream, config, kernel, p), stream.sync)
"""
TRITON = PYTHON_LOOP + """
import torch, triton, triton.language as tl
@triton.jit
def add_one(p, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(p + i, tl.load(p + i) + 1)
p = torch.zeros(32, dtype=torch.int32, device="cuda")
time_launches(lambda: add_one[(1,)](p, 32, num_warps=1), torch.cuda.synchronize)
"""
FRAMEWORKS = {"Numba": ("numba.cuda", NUMBA), "cuda.core": ("cuda.core", CUDA_CORE), "Triton": ("triton, torch", TRITON)}


def programs_in(folder, pythons):
    """{door: command}"""
    runtime, driver, code = folder / "runtime.cu", folder / "driver.cu", folder / "driver.cubin"
    runtime.write_text(RUNTIME)
    driver.write_text(DRIVER)
    nvcc = ["nvcc", "-arch=sm_90", "-O2"]
    for kind in "shared", "static":
        subprocess.run([*nvcc, "-cudart", kind, str(runtime), "-o", str(folder / kind)], check=True)
    subprocess.run([*nvcc, "-cubin", str(driver), "-o", str(code)], check=True)
    stubs = pathlib.Path(subprocess.run(["sh", "-c", "readlink -f $(command -v nvcc)"], check=True, capture_output=True,
                                        text=True).stdout.strip()).parents[1] / "lib64/stubs"
    subprocess.run([*nvcc, "-cudart", "shared", str(driver), f"-L{stubs}", "-lcuda", "-o", str(folder / "driver")], check=True)
    doors = {"runtime, shared": [str(folder / "shared")], "runtime, static": [str(folder / "static")],
             "driver API": [str(folder / "driver"), str(code)]}
    for name, (modules, text) in FRAMEWORKS.items():
        script = folder / f"{name}.py"
        script.write_text(text)
        for python in pythons:
            if subprocess.run([python, "-c", f"import {modules}"], capture_output=True).returncode == 0:
                doors[name] = [python, str(script)]
                break
        else:
            print(f"{name}: no Python that was given has it", flush=True)
    return doors


def rounds_of(headroom, command):
    done = subprocess.run([headroom, "run", "--machine", "h200", "--no-model", "--report", os.devnull, "--", *command], capture_output=True, text=True)
    rounds = [tuple(map(float, line.split()[1:])) for line in done.stdout.splitlines() if line.startswith("us ")]
    if done.returncode or len(rounds) != 50:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return rounds


def show(result):
    for row in result["doors"]:
        print(f"{row['door']:<18}{row['least']:>8.1f} µs, median {row['median']:.1f} of {row['rounds']}; of the processor {row['processor']:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headroom", nargs="?")
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.show:
        return show(json.loads(arguments.show.read_text()))
    if not arguments.headroom or not arguments.output:
        parser.error("HEADROOM and -o FILE are needed")
    with tempfile.TemporaryDirectory() as folder:
        doors = programs_in(pathlib.Path(folder), arguments.python)
        times = {door: [] for door in doors}
        for turn in range(arguments.turns):
            for door, command in doors.items():
                times[door] += rounds_of(arguments.headroom, command)
            print(f"turn {turn + 1}: " + ", ".join(f"{door} {min(all_of)[0]:.1f}" for door, all_of in times.items()), flush=True)
    rows = [{"door": door, "least": min(all_of)[0], "median": round(statistics.median(wall for wall, _ in all_of), 3),
             "processor": round(statistics.median(used for _, used in all_of), 3), "rounds": len(all_of)} for door, all_of in times.items()]
    result = {"title": "A launch by each way into the emulator", "about": "microseconds of the program for a launch of one block of 32 threads, of rounds of "
              "100; by the clock, where the machine had other work, the least and the median round, and the median of processor time", "command": "headroom run --no-model --machine h200 -- … "
              "(scripts/prove/launch_doors.py)", "date": time.strftime("%Y-%m-%d"), "turns": arguments.turns,
              "load": [round(value, 1) for value in os.getloadavg()], "doors": rows}
    arguments.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    show(result)


if __name__ == "__main__":
    sys.exit(main())
