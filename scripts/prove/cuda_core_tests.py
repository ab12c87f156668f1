#!/usr/bin/env python3
"""cuda.core's own tests on the emulator, file by file.

    python3 -m venv V && V/bin/pip install 'cuda-core[cu13]' cuda-bindings[all] pytest pytest-timeout cffi numpy
    scripts/prove/cuda_core_tests.py build/release/bin/headroom V/bin/python CUDA_PYTHON -o results/cuda_core.json [FILE …]
    scripts/prove/cuda_core_tests.py --show results/cuda_core.json

CUDA_PYTHON is a checkout of github.com/NVIDIA/cuda-python. Each of FILES (those of launches, programs, linking and what they stand on), or
of those named on the command line, which replace their rows, runs in a process of its own: `headroom run -- python -m pytest FILE`. A GPU may
be wanted where a test asks for two of them or for a later architecture: these are skipped by cuda.core itself.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

FILES = ["test_launcher", "test_program", "test_linker", "test_module", "test_context", "test_device", "test_stream", "test_event"]
# Why a test does not pass that needs more than its own message, by file and test.
CAUSES = {
    "test_program::test_nvvm_program_options_as_bytes_numba_debug": "the test is of another commit than the package, which writes -numba-debug",
    "test_device::test_to_system_device": "the test is of another commit than cuda-bindings, which has no such module",
    "test_module::test_object_code_load_ltoir": "wants the driver to take LTO-IR as a library, which is refused by name",
    "test_module::test_object_code_load_rdc[library-from_library]": "wants the driver to take an archive of objects as a library, which is refused by name",
    "test_event::test_timing_success": "wants a kernel that sleeps 20 ms to take them: a launch takes as long as its instructions",
    "test_event::test_error_timing_incomplete": "wants a kernel that is still running when its launch has returned: kernels run when they are launched",
    "test_event::test_event_is_done_false": "wants a kernel that is still running when its launch has returned: kernels run when they are launched",
}


def verdict_of(case):
    for kind, verdict in ("failure", "failed"), ("error", "error"), ("skipped", "skipped"):
        found = case.find(kind)
        if found is not None:
            text = (found.get("message") or "").strip().split("\n")[0]
            return ("passed", "") if found.get("type") == "pytest.xfail" else (verdict, text)
    return "passed", ""


def run(headroom, python, checkout, name, limit):
    tests = checkout / "cuda_core/tests"
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "rows.xml"
        command = [headroom, "run", "--no-model", "--report", os.devnull, "--", python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                   "--timeout", "300", "--junitxml", str(out), f"{name}.py"]
        environment = dict(os.environ, PYTHONPATH=str(checkout / "cuda_python_test_helpers"))
        begin = time.monotonic()
        try:
            done = subprocess.run(command, cwd=tests, env=environment, capture_output=True, text=True, timeout=limit)
            ended, text = f"exit code {done.returncode}", done.stderr
        except subprocess.TimeoutExpired:
            ended, text = f"more than {limit} s", ""
        cases = list(xml.parse(out).iter("testcase")) if out.exists() else []
    rows = {case.get("name"): verdict_of(case) for case in cases}
    counts = collections.Counter(verdict for verdict, _ in rows.values())
    made = {"file": name, "tests": len(rows) - counts["skipped"], "passed": counts["passed"], "failed": counts["failed"] + counts["error"],
            "skipped": counts["skipped"], "seconds": round(time.monotonic() - begin, 1)}
    if not rows:
        made["ended"] = ended
    bad = [[test, CAUSES.get(f"{name}::{test}", why[:200])] for test, (verdict, why) in rows.items() if verdict in ("failed", "error")]
    if bad:
        made["bad"] = bad
    said = sorted({line.removeprefix("headroom: ") for line in text.splitlines() if line.startswith("headroom: ") and "exit code" not in line})
    if said:
        made["headroom said"] = said
    skips = collections.Counter(why for verdict, why in rows.values() if verdict == "skipped")
    if skips:
        made["skips"] = dict(skips)
    return made


def show(result):
    total = {key: sum(row[key] for row in result["files"]) for key in ("tests", "passed", "failed", "skipped")}
    print(f"{total['passed']} of {total['tests']} tests pass, {total['skipped']} are skipped")
    for row in result["files"]:
        print(f"{row['file']:<16}{row['passed']:>4} of {row['tests']}" + (f": {row['ended']}" if "ended" in row else ""))
        for test, why in row.get("bad", []):
            print(f"    {test}: {why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="HEADROOM PYTHON CUDA_PYTHON [FILE …]")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    parser.add_argument("--commit", default="", help="of the checkout")
    parser.add_argument("--limit", type=int, default=900, help="seconds a file may take")
    arguments = parser.parse_intermixed_args()
    if arguments.show:
        return show(json.loads(arguments.show.read_text()))
    if len(arguments.words) < 3 or not arguments.output:
        parser.error("HEADROOM, PYTHON, CUDA_PYTHON and -o FILE are needed")
    headroom, python, checkout, *wanted = arguments.words
    packages = dict(line.split("==") for line in subprocess.run([python, "-m", "pip", "freeze"], check=True, text=True,
                                                                capture_output=True).stdout.splitlines() if "==" in line)
    files = json.loads(arguments.output.read_text())["files"] if arguments.output.exists() else []
    result = {"title": "cuda.core's tests", "about": "each file in a process of its own on the emulator, h200; tests without those skipped, by "
              "cuda.core itself", "command": "headroom run --no-model -- python -m pytest FILE (scripts/prove/cuda_core_tests.py)",
              "date": time.strftime("%Y-%m-%d"), "tests of": f"github.com/NVIDIA/cuda-python {arguments.commit}".strip(),
              "packages": {name: packages[name] for name in ["cuda-core", "cuda-bindings"] if name in packages}, "files": files}
    for name in wanted or FILES:
        row = run(str(pathlib.Path(headroom).resolve()), python, pathlib.Path(checkout).resolve(), name, arguments.limit)
        print(json.dumps(row), flush=True)
        result["files"] = sorted([each for each in result["files"] if each["file"] != name] + [row],
                                 key=lambda each: FILES.index(each["file"]) if each["file"] in FILES else len(FILES))
        arguments.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    show(result)


if __name__ == "__main__":
    sys.exit(main())
