#!/usr/bin/env python3
"""Planted faults by tool, on a machine with a GPU: headroom check beside compute-sanitizer, and how long each takes.

    scripts/prove/check_visit.py build/release -o results/h100/check.json      runs tests/check and the programs of PROGRAMS
    scripts/prove/check_visit.py --show results/h100/check.json

A case counts as found where the tool names its kernel, whatever the line. Seconds are medians of three runs: of the program alone on the
GPU, under racecheck and initcheck, under `headroom run --engine ptx --no-model`, and under `headroom check`, which uses one host thread
and no GPU.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

TOOLS = ["racecheck", "initcheck"]
ABOUT = "kernels with one planted fault each and their mended twins: what headroom check, racecheck and initcheck find, and how long they take"
PROGRAMS = {"planted faults": ["tests/programs/check_cases", "faulty"], "mended twins": ["tests/programs/check_cases", "mended"],
            "CUB sort": ["tests/programs/runtime_cub_sort"], "CUB scan": ["tests/programs/runtime_cub_scan"],
            "Thrust sort": ["tests/programs/runtime_thrust_sort"]}


def named(text):
    """Kernels of cases that a tool's text names: next_round<(bool)0>."""
    return set(re.findall(r"(\w+)<(?:\(bool\)0|false|\(bool\)1|true)>", text))


def timed(command):
    seconds, done = [], None
    for _ in range(3):
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        seconds.append(time.monotonic() - begin)
    return {"seconds": round(statistics.median(seconds), 3), "spread": round(max(seconds) - min(seconds), 3)}, done


def measure(build):
    headroom = str(build / "bin/headroom")
    cases = dict(line.split("\t") for line in subprocess.run([build / "tests/programs/check_cases", "list"], check=True, text=True,
                                                             capture_output=True).stdout.splitlines())
    gpu = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.split(" (")[0].partition(": ")[2]
    version = subprocess.run(["compute-sanitizer", "--version"], capture_output=True, text=True).stdout
    result = {"title": "Planted faults by tool", "about": ABOUT, "date": time.strftime("%Y-%m-%d"), "gpu": gpu,
              "compute-sanitizer": re.search(r"Version (\S+)", version)[1], "programs": [], "cases": []}
    told = {}
    for name, words in PROGRAMS.items():
        program = [str(build / words[0]), *words[1:]]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "check.json")
            ours, done = timed([headroom, "check", "--json", str(path), "--report", "/dev/null", "--", *program])
            findings = json.loads(path.read_text())["findings"]
        counted, _ = timed([headroom, "run", "--engine", "ptx", "--no-model", "--report", "/dev/null", "--", *program])
        alone, _ = timed(program)
        told[name] = {"headroom": named(" ".join(each["kernel"] for each in findings))}
        times = {"alone": alone, "headroom run": counted, "headroom check": ours}
        for tool in TOOLS:
            times[tool], theirs = timed(["compute-sanitizer", "--tool", tool, "--print-limit", "100000", *program])
            told[name][tool] = named(theirs.stdout)
        print(name, flush=True)
        result["programs"].append({"name": name, "command": words, **times, "findings": len(findings)})
    for case, kind in cases.items():
        result["cases"].append({"case": case, "kind": kind, **{f"{tool} {what}": case in told[of][tool]
                                                              for what, of in (("finds", "planted faults"), ("accuses", "mended twins"))
                                                              for tool in ("headroom", *TOOLS)}})
    return result


def show(result):
    cases = result["cases"]
    for kind in sorted({each["kind"] for each in cases}):
        of = [each for each in cases if each["kind"] == kind]
        counts = [f"{tool} {sum(each[f'{tool} finds'] for each in of)}" for tool in ("headroom", *TOOLS)]
        print(f"{kind}: {len(of)} planted; found by {', '.join(counts)}")
    for tool in ("headroom", *TOOLS):
        print(f"{tool} accuses twins:", [each["case"] for each in cases if each[f"{tool} accuses"]])
    print("only theirs:", [each["case"] for each in cases if not each["headroom finds"] and any(each[f"{tool} finds"] for tool in TOOLS)])
    for each in result["programs"]:
        times = [f"{key} {each[key]['seconds']}" for key in ("alone", *TOOLS, "headroom run", "headroom check")]
        print(f"{each['name']:14} {', '.join(times)}; {each['findings']} findings")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    options = parser.parse_args()
    result = json.loads(options.show.read_text()) if options.show else measure(options.build.resolve())
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n")
    show(result)


if __name__ == "__main__":
    main()
