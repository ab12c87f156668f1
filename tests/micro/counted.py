#!/usr/bin/env python3
"""Runs the micro-kernels on the executor and holds its counters against what tests/micro/traffic.h makes of their addresses.

    tests/micro/counted.py HEADROOM PROGRAM

By PTX and by machine code every kernel must have verified its output, every counter that the program names must be equal,
the other counters of accesses must be 0, and the registers of cudaFuncGetAttributes must be those of the report. What ptxas
adds to a kernel stands below. Exit code: 0 when all hold.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

LEAST_KERNELS = 60
ADDED = {  # to the accesses of the source, in machine code
    "histogram of float in shared memory": "shared_",  # a loop of compare-and-swap
    "histogram of 64 bits in shared memory": "shared_",
    "48 values in 32 registers": "local_",  # spills
}
ACCESSES = ("global_load_", "global_store_", "local_", "shared_", "atomic_")


def differences(launch, kernel):
    """What of one launch is not as the program says, in words."""
    for name, counted in launch["counters"].items():
        expected = kernel["counters"].get(name, 0)
        added = launch["engine"] == "machine" and name.startswith(ADDED.get(kernel["name"], "none"))
        if name.startswith(ACCESSES) and (counted < expected if added else counted != expected):
            yield f"{name}: {counted}, by its addresses {expected}"
    if launch["registers"] != kernel["registers"]:
        yield f"registers: {launch['registers']}, by cudaFuncGetAttributes {kernel['registers']}"
    if not kernel["verified"]:
        yield "wrote something else"


def check(headroom, program, engine):
    with tempfile.TemporaryDirectory() as folder:
        report, expected = pathlib.Path(folder, "report.json"), pathlib.Path(folder, "micro.json")
        run = subprocess.run([headroom, "run", "--engine", engine, "--report", pathlib.Path(folder, "report.txt"), "--json", report,
                              "--", program, "--json", expected], capture_output=True, text=True)
        if run.returncode not in (0, 1) or not expected.exists():
            print(run.stdout, run.stderr)
            return 1
        launches, kernels = run_record.read_run(report)["launches"], json.loads(expected.read_text())
    seed = run.stdout.splitlines()[0]
    if len(launches) != len(kernels) or len(kernels) < LEAST_KERNELS:
        print(f"{len(launches)} launches of {len(kernels)} kernels; at least {LEAST_KERNELS}, one launch each, were expected")
        return 1
    wrong = sum(launch["engine"] != engine for launch in launches)
    for launch, kernel in zip(launches, kernels):
        for difference in differences(launch, kernel):
            wrong += 1
            print(f"{kernel['topic']}: {kernel['name']}: {difference}")
    print(f"{engine}, {seed}: {len(kernels)} kernels, {sum(len(kernel['counters']) for kernel in kernels)} counters, {wrong} wrong")
    return wrong


def main():
    headroom, program = sys.argv[1:]
    return 1 if sum(check(headroom, program, engine) for engine in ("ptx", "machine")) else 0


if __name__ == "__main__":
    sys.exit(main())
