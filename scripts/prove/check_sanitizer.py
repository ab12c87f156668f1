#!/usr/bin/env python3
"""Planted faults and their mended twins under each tool of compute-sanitizer, on a machine with a GPU.

    scripts/prove/check_sanitizer.py run -o results/check_sanitizer.json            builds tests/check with nvcc; no build of headroom is needed
    scripts/prove/check_sanitizer.py more -o results/check_sanitizer.json           the same for cases that the file does not have yet
    scripts/prove/check_sanitizer.py add build/release -o results/check_sanitizer.json     what headroom check finds, on any machine; --more: in cases that lack it
    scripts/prove/check_sanitizer.py show -o results/check_sanitizer.json

Every case runs in a process of its own, faulty and mended, under memcheck, racecheck, initcheck and synccheck: several at a time, so
that seconds are of a busy GPU. A tool finds a case where it reports at least one error or hazard; a run over the limit is ended, and has
found what it had reported by then.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import time

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
LIMIT = 10    # seconds of a run
BUDGET = 430  # seconds from the first run on: those that have not begun by then are left out
SANITIZER = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
ROOT = pathlib.Path(__file__).resolve().parents[2]
ABOUT = "each planted fault of tests/check and its mended twin, in a process of its own: reports of compute-sanitizer's tools and seconds of each run"


def build(folder, jobs):
    flags = ["-std=c++20", "-O3", "-lineinfo", "-gencode", "arch=compute_90a,code=sm_90a", f"-I{ROOT}", f"-I{ROOT}/include"]
    objects = []

    def compile_one(source):
        subprocess.run([NVCC, "-c", *flags, str(source), "-o", str(folder / f"{source.stem}.o")], check=True)
        return str(folder / f"{source.stem}.o")

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = list(pool.map(compile_one, sorted((ROOT / "tests/check").glob("*.cu"))))
    program = folder / "check_cases"
    subprocess.run([NVCC, *flags, *objects, "-o", str(program)], check=True)
    return program


def errors_of(text):
    """{"errors": 2, "kinds": […]} of what a tool printed."""
    summary = re.findall(r"(?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard)", text)
    count = max((int(a or b) for a, b in summary), default=0)
    kinds = sorted(set(re.findall(r"=========\s+(?:Error: |ERROR: |Warning: )?((?:Invalid|Misaligned|Uninitialized|Race|Potential|Barrier|Divergent|"
                                  r"Program hit|Illegal|Device-side|Stack|Malloc|Missing|Async|Cluster)[^.\n]{0,60})", text)))
    if not summary:  # ended before it summed up
        count = len(kinds)
    return {"errors": count, "kinds": [kind.strip()[:60] for kind in kinds[:3]]}


def run_one(program, tool, what, case, until):
    begin = time.monotonic()
    if begin > until:
        return {"errors": 0, "kinds": [], "seconds": 0, "left out": True}
    command = [SANITIZER, "--tool", tool, "--print-limit", "3", str(program), what, case]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        text, _ = process.communicate(timeout=LIMIT)
        over = False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        over = True
    return {**errors_of(text), "seconds": round(time.monotonic() - begin, 2), **({"over the limit": True} if over else {})}


def measure(jobs, known):
    """All cases but those of the result `known`, which stay as they are."""
    have = {each["case"] for each in known.get("cases", [])}
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder), jobs)
        print("built", flush=True)
        cases = [line.split("\t") for line in subprocess.run([program, "list"], check=True, text=True, capture_output=True).stdout.splitlines()]
        cases = [each for each in cases if each[0] not in have]
        gpu = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.split(" (")[0].partition(": ")[2]
        version = subprocess.run([SANITIZER, "--version"], capture_output=True, text=True).stdout
        runs = [(case, what, tool) for case, _ in cases for tool in TOOLS for what in ("faulty", "mended")]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            until = time.monotonic() + BUDGET
            done = dict(zip(runs, pool.map(lambda run: run_one(program, run[2], run[1], run[0], until), runs)))
    return {"title": "Planted faults under compute-sanitizer", "about": ABOUT, "date": time.strftime("%Y-%m-%d"), "gpu": gpu,
            "compute-sanitizer": re.search(r"[Vv]ersion (\S+)", version)[1], "at a time": jobs, "limit": LIMIT,
            "cases": known.get("cases", []) + [{"case": case, "kind": kind, **{tool: {what: done[case, what, tool] for what in ("faulty", "mended")} for tool in TOOLS}}
                      for case, kind in cases]}


def add_headroom(result, build_folder, more):
    headroom, program = build_folder / "bin/headroom", build_folder / "tests/programs/check_cases"
    for each in result["cases"]:
        if more and "headroom" in each:
            continue
        each["headroom"] = {}
        for what in ("faulty", "mended"):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "check.json")
                begin = time.monotonic()
                subprocess.run([headroom, "check", "--json", path, "--report", "/dev/null", "--", program, what, each["case"]], capture_output=True,
                               timeout=120)
                kinds = [finding["kind"] for finding in json.loads(path.read_text())["findings"]]
                each["headroom"][what] = {"errors": len(kinds), "kinds": sorted(set(kinds)), "seconds": round(time.monotonic() - begin, 2)}


def show(result):
    tools = [tool for tool in ("headroom", *TOOLS) if all(tool in each for each in result["cases"])]
    print(f"{'kind':28} planted  " + "  ".join(f"{tool:>9}" for tool in tools) + "       any")
    for kind in sorted({each["kind"] for each in result["cases"]}):
        of = [each for each in result["cases"] if each["kind"] == kind]
        found = [sum(each[tool]["faulty"]["errors"] > 0 for each in of) for tool in tools]
        anyone = sum(any(each[tool]["faulty"]["errors"] > 0 for tool in TOOLS) for each in of)
        print(f"{kind:28} {len(of):7}  " + "  ".join(f"{count:9}" for count in found) + f"  {anyone:8}")
    for tool in tools:
        accused = [each["case"] for each in result["cases"] if each[tool]["mended"]["errors"]]
        seconds = [each[tool][what]["seconds"] for each in result["cases"] for what in ("faulty", "mended")]
        left = sum("left out" in each[tool][what] for each in result["cases"] for what in ("faulty", "mended"))
        over = sum("over the limit" in each[tool]["faulty"] for each in result["cases"])
        print(f"{tool}: median {statistics.median(seconds):.2f} s a run, {over} ended at the limit, {left} left out; twins accused: {', '.join(accused) or 'none'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "more", "add", "show"])
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    parser.add_argument("-j", dest="jobs", type=int, default=min(16, os.cpu_count() or 1))
    parser.add_argument("--more", action="store_true")
    options = parser.parse_args()
    result = {} if options.what == "run" else json.loads(options.output.read_text())
    if options.what in ("run", "more"):
        result = measure(options.jobs, result)
    if options.what == "add":
        add_headroom(result, options.build.resolve(), options.more)
    if options.what != "show":
        head = json.dumps({key: value for key, value in result.items() if key != "cases"}, indent=1)
        cases = ",\n".join("  " + json.dumps(each) for each in result["cases"])  # a line each
        options.output.write_text(f'{head[:-2]},\n "cases": [\n{cases}\n ]\n}}\n')
    show(result)


if __name__ == "__main__":
    main()
