#!/usr/bin/env python3
# Triton's own tests of its language, or an even sample of each function's, on the emulator; --json keeps what was bad, with
# its reason.
#
#   triton_language.py build/release/bin/headroom …/venv/bin/python …/triton/python/test/unit/language --machine a100 --most 6
#     test_core.py::test_dot                      6 of 584: 5 passed, 1 skipped, 0 bad
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

FILES = "annotations core conversions decorator libdevice random standard tuple tensor_descriptor".split()


def plain(tests):
    return ["-q", "-p", "no:cacheprovider", "-o", "addopts=", f"--confcutdir={tests.resolve().parents[2]}"]


def emulated(options, *words):
    return [options.headroom, "run", "--no-model", "--machine", options.machine, "--report", "/dev/null", "--",
            options.python, "-m", "pytest", *words, *plain(options.tests)]


# Some are made for the device that is there.
def tests_of(options, file):
    listed = subprocess.run(emulated(options, "--collect-only", file), cwd=options.tests, capture_output=True, text=True)
    tests = collections.defaultdict(list)
    for line in listed.stdout.splitlines():
        if found := re.match(r"(?:.*/)?(test_\w+\.py)::(\w+)(\[.*\])?$", line):
            tests[f"{found[1]}::{found[2]}"].append(f"{found[1]}::{found[2]}{found[3] or ''}")
    return tests


def sample(tests, most):
    if len(tests) <= most:
        return tests
    return [tests[i * len(tests) // most] for i in range(most)]


ENDED = "the process ended, or was ended as it took too long"
# What pytest writes while it runs, a line a test and one before it: a test may end the process.
PLUGIN = """
import json, os

def note(*words):
    with open(os.environ["RESULTS"], "a") as file:
        print(json.dumps(words), file=file)

def pytest_runtest_logstart(nodeid, location):
    note(nodeid, ENDED)

def pytest_runtest_logreport(report):
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        text = crash.message if crash else str(report.longrepr)
        note(report.nodeid, next((line for line in text.splitlines() if line.strip()), "failed")[:200])
    elif report.when == "call" or report.skipped:
        note(report.nodeid, report.outcome)
"""


# The tests in one process, each with its end: "passed", "skipped" or the reason why it is bad. Those that it did not
# come to are not there.
def run(options, tests):
    with tempfile.TemporaryDirectory() as place:
        results = pathlib.Path(place, "results")
        results.touch()
        pathlib.Path(place, "results_plugin.py").write_text(PLUGIN.replace("ENDED", repr(ENDED)))
        environment = {**os.environ, "PYTHONPATH": place, "RESULTS": str(results)}
        command = emulated(options, "-p", "results_plugin", *tests)
        nothing = subprocess.DEVNULL
        process = subprocess.Popen(command, cwd=options.tests, env=environment, stdout=nothing, stderr=nothing)
        while process.poll() is None:
            time.sleep(0.2)
            if time.time() - results.stat().st_mtime > options.seconds:
                process.terminate()
                process.wait()
        ends = dict(json.loads(line) for line in results.read_text().splitlines())
        ends = {re.sub(r"^[^:]*/", "", node): end for node, end in ends.items()}
        return [(test, ends[test]) for test in tests if test in ends] or [(tests[0], "it is not there")]


# After a fault the process has no device any more: what follows it runs in another one.
def run_all(options, tests):
    done = []
    while tests:
        ends = run(options, tests)
        fault = next((i for i, (_, end) in enumerate(ends) if "CUDA error" in end or end == ENDED), len(ends) - 1)
        done += ends[: fault + 1]
        over = {test for test, _ in done}
        tests = [test for test in tests if test not in over]
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("headroom", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("python")
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("--machine", default="h200")
    parser.add_argument("--most", type=int, default=6, help="tests of a function")
    parser.add_argument("--seconds", type=int, default=120, help="for a test")
    parser.add_argument("--only", default="", help="functions whose name matches")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    rows = []
    for file in FILES:
        functions = tests_of(options, f"test_{file}.py")
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
