#!/usr/bin/env python3
"""Numba's own CUDA tests on the emulator, module by module.

    python3 -m venv V && V/bin/pip install 'numba-cuda[cu13]' pytest filecheck ml_dtypes
    scripts/prove/numba_tests.py build/release/bin/headroom V/bin/python -o results/numba.json [MODULE …]
    scripts/prove/numba_tests.py --show results/numba.json

Each module of numba.cuda.tests runs in a process of its own: `headroom run -- python RUNNER MODULE`. A test fails once, however many of
its subtests do. A module named on the command line replaces its row of the file. Left out are the modules of LEFT_OUT, with why.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

LEFT_OUT = {"cudadrv.test_managed_alloc": "allocates most of a device's memory, which here is the host's",
            "benchmarks.test_kernel_launch": "measures the time of a launch, and tests nothing"}
# Why a test fails that does not hang on the emulator, or that nothing can be done about; by module and test.
CAUSES = {"cudapy.test_caching: CUDAAndCPUCachingTest": "Numba 0.68 marks a source by its hash, numba-cuda 0.30 by its date: each takes the "
          "other's index for an old one, whatever runs the kernels",
          "cudapy.test_ipc: ": "memory is not shared between processes: cuIpcGetMemHandle is refused"}
SUBFOLDERS = ["core", "cudadrv", "cudapy", "doc_examples", "nocuda", "nrt"]  # cudasim is a CPU simulator of Numba's own

# Runs one module and writes {"test": [verdict, why]}.
RUNNER = """
import json, sys, unittest
class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.rows = {}
    def put(self, test, verdict, why=""):
        test = getattr(test, "test_case", test)
        if verdict == "passed" and test.id() in self.rows: return
        self.rows[test.id()] = [verdict, why]
    def last(self, err):
        return "%s: %s" % (err[0].__name__, str(err[1]).strip().split("\\n")[0])
    def addSuccess(self, test): self.put(test, "passed")
    def addError(self, test, err):  # pytest's own exception skips a test too
        if err[0].__name__ == "Skipped": return self.put(test, "skipped", str(err[1]))
        self.put(test, "error", self.last(err))
    def addFailure(self, test, err): self.put(test, "failed", self.last(err))
    def addSkip(self, test, reason): self.put(test, "skipped", reason)
    def addExpectedFailure(self, test, err): self.put(test, "passed")
    def addUnexpectedSuccess(self, test): self.put(test, "failed", "unexpected success")
    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.put(test, "failed" if issubclass(err[0], test.failureException) else "error", self.last(err))
result = Result()
unittest.defaultTestLoader.loadTestsFromName(sys.argv[1]).run(result)
json.dump(result.rows, open(sys.argv[2], "w"))
"""


def modules_of(python):
    folder = subprocess.run([python, "-c", "import numba.cuda.tests as t; print(list(t.__path__)[0])"], check=True, text=True,
                            capture_output=True).stdout.strip()
    root = pathlib.Path(folder)
    found = [path.relative_to(root).with_suffix("") for sub in SUBFOLDERS for path in sorted((root / sub).rglob("test_*.py"))]
    return [".".join(path.parts) for path in found]


def cause_of(test):
    return next((cause for name, cause in CAUSES.items() if test.startswith(name)), None)


def run(headroom, python, module, limit):
    with tempfile.TemporaryDirectory() as folder:
        runner, out = pathlib.Path(folder) / "runner.py", pathlib.Path(folder) / "rows.json"
        runner.write_text(RUNNER)
        command = [headroom, "run", "--no-model", "--", python, str(runner), "numba.cuda.tests." + module, str(out)]
        begin = time.monotonic()
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=limit)
            ended, text = f"exit code {done.returncode}", (done.stdout + done.stderr).decode(errors="replace")
        except subprocess.TimeoutExpired as late:
            ended, text = f"more than {limit} s", (late.stderr or b"").decode(errors="replace")
        rows = json.loads(out.read_text()) if out.exists() else {}
    prefix = "numba.cuda.tests." + module + "."
    counts = collections.Counter(verdict for verdict, _ in rows.values())
    made = {"module": module, "tests": len(rows) - counts["skipped"], "passed": counts["passed"], "failed": counts["failed"],
            "errors": counts["error"], "skipped": counts["skipped"], "seconds": round(time.monotonic() - begin, 1)}
    if not rows:
        made["ended"] = ended if ended != "exit code 0" else "no test in it"
    bad = [[name.removeprefix(prefix), verdict, cause_of(f"{module}: {name.removeprefix(prefix)}") or why] for name, (verdict, why) in rows.items() if verdict in ("failed", "error")]
    if bad:
        made["bad"] = bad
    said = sorted(set(line for line in re.findall(r"^headroom: (.*)$", text, re.M) if "not supported" in line or "did not run" in line))
    if said:
        made["headroom said"] = said
    skips = collections.Counter(why for verdict, why in rows.values() if verdict == "skipped")
    if skips:
        made["skips"] = dict(skips)
    return made


def show(result):
    total = {key: sum(row[key] for row in result["modules"]) for key in ["tests", "passed", "failed", "errors", "skipped"]}
    print(f"{total['passed']} of {total['tests']} tests pass ({100 * total['passed'] / max(1, total['tests']):.1f} %), {total['skipped']} are skipped")
    for row in result["modules"]:
        if "ended" in row:
            print(f"{row['module']}: no result: {row['ended']}")
        for name, verdict, why in row.get("bad", []):
            print(f"{row['module']}: {name}: {verdict}: {why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="HEADROOM PYTHON [MODULE …]")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=900, help="seconds a module may take")
    arguments = parser.parse_intermixed_args()
    if arguments.show:
        return show(json.loads(arguments.show.read_text()))
    if len(arguments.words) < 2 or not arguments.output:
        parser.error("HEADROOM, PYTHON and -o FILE are needed")
    headroom, python, *wanted = arguments.words
    packages = dict(line.split("==") for line in subprocess.run([python, "-m", "pip", "freeze"], check=True, text=True,
                                                                capture_output=True).stdout.splitlines() if "==" in line)
    result = json.loads(arguments.output.read_text()) if arguments.output.exists() else {"modules": []}
    result = {"title": "Numba's CUDA tests", "about": "each module in a process of its own on the emulator, h200; tests without those skipped, "
              "by Numba itself", "command": "headroom run --no-model -- python RUNNER MODULE (scripts/prove/numba_tests.py)",
              "date": time.strftime("%Y-%m-%d"),
              "packages": {name: packages[name] for name in ["numba", "numba-cuda", "cuda-bindings", "cuda-core"] if name in packages},
              "left out": LEFT_OUT, "modules": result["modules"]}
    for module in wanted or modules_of(python):
        if module in LEFT_OUT:
            continue
        row = run(headroom, python, module, arguments.limit)
        print({key: value for key, value in row.items() if key not in ("skips",)}, flush=True)
        result["modules"] = sorted([each for each in result["modules"] if each["module"] != module] + [row], key=lambda each: each["module"])
        arguments.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    show(result)


if __name__ == "__main__":
    sys.exit(main())
