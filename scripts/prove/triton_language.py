#!/usr/bin/env python3
# Triton's own tests of its language, or an even sample of each function's, on the emulator. Figures go into a file of results; what was bad is listed there with its reason.
#
#   triton_language.py build/release/bin/headroom …/venv/bin/python …/triton/python/test/unit/language --machine a100 --most 6
#     test_core.py::test_dot                      6 of 584: 5 passed, 1 skipped, 0 bad
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile
import time
import xml.etree.ElementTree as xml

FILES = "annotations core conversions decorator libdevice random standard tuple tensor_descriptor".split()


def plain(tests):
    return ["-q", "-p", "no:cacheprovider", "-o", "addopts=", f"--confcutdir={tests.resolve().parents[2]}"]


def tests_of(python, folder, file):
    listed = subprocess.run([python, "-m", "pytest", "--collect-only", *plain(folder), file], cwd=folder, capture_output=True, text=True)
    tests = collections.defaultdict(list)
    for line in listed.stdout.splitlines():
        if found := re.match(r"(?:.*/)?(test_\w+\.py)::(\w+)(\[.*\])?$", line):
            tests[f"{found[1]}::{found[2]}"].append(f"{found[1]}::{found[2]}{found[3] or ''}")
    return tests


def sample(tests, most):
    if len(tests) <= most:
        return tests
    return [tests[i * len(tests) // most] for i in range(most)]


def first_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[0][:200] if lines else ""


# The tests in one process, as (test, "passed", "skipped" or the reason why it is bad).
def run(options, tests):
    with tempfile.TemporaryDirectory() as place:
        result = pathlib.Path(place, "result.xml")
        command = [options.headroom, "run", "--no-model", "--machine", options.machine, "--report", f"{place}/report", "--",
                   options.python, "-m", "pytest", *plain(options.tests), f"--junitxml={result}", *tests]
        try:
            subprocess.run(command, cwd=options.tests, capture_output=True, text=True, timeout=options.seconds * len(tests))
        except subprocess.TimeoutExpired:
            return [(tests[0], f"no result after {options.seconds * len(tests)} s")] if len(tests) == 1 else None
        if not result.exists():
            return [(tests[0], "the process ended")] if len(tests) == 1 else None
        ends = []
        for test, case in zip(tests, xml.parse(result).getroot().iter("testcase")):
            problem = case.find("failure") if case.find("failure") is not None else case.find("error")
            reason = first_line(problem.get("message", "")) if problem is not None else ""
            ends.append((test, reason or ("skipped" if case.find("skipped") is not None else "passed")))
        return ends


# After a fault the process has no device any more: what follows it runs in another one.
def run_all(options, tests):
    done = []
    while tests:
        ends = run(options, tests)
        if ends is None:  # one of them ends the process, or takes too long: each alone
            return done + [end for test in tests for end in run(options, [test])]
        fault = next((i for i, (_, end) in enumerate(ends) if "CUDA error" in end), len(ends) - 1)
        done += ends[: fault + 1]
        tests = tests[len(ends[: fault + 1]):]
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("headroom", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("python")
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("--machine", default="h200")
    parser.add_argument("--most", type=int, default=6, help="tests of a function")
    parser.add_argument("--seconds", type=int, default=60, help="for a test")
    parser.add_argument("--only", default="", help="functions whose name matches")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    rows = []
    for file in FILES:
        functions = tests_of(options.python, options.tests, f"test_{file}.py")
        functions = {name: tests for name, tests in functions.items() if re.search(options.only, name)}
        start, chosen = time.time(), [test for tests in functions.values() for test in sample(tests, options.most)]
        ends = dict(run_all(options, chosen))
        for name, tests in functions.items():
            mine = [ends[test] for test in sample(tests, options.most)]
            bad = {test: ends[test] for test in sample(tests, options.most) if ends[test] not in ("passed", "skipped")}
            rows.append({"test": name, "of": len(tests), "run": len(mine), "passed": mine.count("passed"),
                         "skipped": mine.count("skipped"), "bad": bad})
            print(f"{name:60} {len(mine)} of {len(tests)}: {mine.count('passed')} passed, {mine.count('skipped')} skipped, {len(bad)} bad")
            for test, reason in bad.items():
                print(f"    {test}: {reason}")
        print(f"test_{file}.py: {len(chosen)} tests, {time.time() - start:.0f} s", flush=True)
        if options.json:
            options.json.write_text(json.dumps({"machine": options.machine, "most": options.most, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
