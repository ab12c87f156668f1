#!/usr/bin/env python3
"""Runs NVIDIA's CUDA samples, as scripts/corpus/build_samples.py has built them, and says by cause what came of each.

    scripts/corpus/samples.py FOLDER [--list tests/samples.txt] [--results results/samples.json] [--page docs/samples.md]

The list is one of scripts/corpus/corpus.py with two more columns: options of `headroom run`, and constants that the build made
smaller. Every sample runs twice, the second time with kernels that do nothing. What can come of it:

    PASS       exit code 0 and the text that shows success; with kernels that do nothing it fails
    no check   it passes, and passes too with kernels that do nothing: it verifies nothing that a kernel computes
    refused    headroom names what it does not support
    waived     the sample says itself that this machine lacks something (exit code 2)
    timeout    longer than the limit
    FAIL       anything else

The results hold each sample with its arguments, constants and cause, and those that were left out, by reason. --page
writes the table from the results file alone, which the page's test does too.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import corpus  # noqa: E402

SCHEMA = "headroom-samples/1"
VERDICTS = ["PASS", "no check", "refused", "waived", "timeout", "FAIL", "not built"]
REFUSAL = re.compile(r"not supported|not executed yet|unsupported|did not run|is refused|cannot run on the e(?:xecutor|mulator)|"
                     r"image \d+(, module \d+)?:\d+: kernel")


def read_list(path):
    columns = {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, *rest = line.split("\t")
            columns[name] = ["" if text in ("-", "(none)") else text for text in rest[4:6]] + ["", ""]
    programs = corpus.read_list(path)
    for program in programs:
        program["options"], program["constants"] = columns[program["name"]][0].split(), columns[program["name"]][1]
    return programs


def verdict(entry):
    cause = entry["cause"] or ""
    if entry["counts"]:
        return "PASS"
    if entry["pass"]:
        return "no check" if entry["control"] == "PASS" else "FAIL"
    if cause.startswith("not built"):
        return "not built"
    if cause.startswith("time limit"):
        return "timeout"
    if REFUSAL.search(cause):
        return "refused"
    return "waived" if cause.startswith("exit code 2") else "FAIL"


def examined(program, options):
    path = corpus.find_program(options.folder, program)
    entry = corpus.remembered(program, path, options)
    return {"name": entry["name"], "category": entry["category"], "verdict": verdict(entry),
            "arguments": " ".join([*program["options"], *program["arguments"]]), "constants": program["constants"],
            "control": entry["control"], "seconds": entry["seconds"], "launches": entry["launches"],
            "warp_instructions": entry["warp_instructions"],
            "cause": entry["cause"] and entry["cause"].replace(f"{options.folder.resolve()}/", "")} | {
                key: entry[key] for key in ("pass", "by_machine_code", "fallbacks", "executor_seconds", "output", "ptx") if key in entry}


def left_out(folder):
    reasons = collections.defaultdict(list)
    for row in json.loads((folder / "samples.json").read_text()):
        if row["left_out"]:
            reasons[row["left_out"]].append(row["name"])
    return {reason: sorted(names) for reason, names in sorted(reasons.items())}


def counted(rows):
    return {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in VERDICTS
            if any(row["verdict"] == verdict for row in rows)}


def driver_table(results):
    lines = ["", "## Driver API and run-time compiler", "",
             f"Samples that load their kernels themselves, for {results['machine']} by machine code ([results](../results/driver_samples.json)); "
             "left out are those that want graphics or libNVVM.", "", "| sample | verdict | |", "|---|---|---|"]
    for row in results["samples"]:
        said = "the sample itself finds the machine lacking" if row["verdict"] == "waived" else ""
        lines.append(f"| {row['name']} | {row['verdict']} | {said if said or not row['cause'] or row['control'] == 'PASS' else row['cause'].replace('|', '/')} |")
    return lines


def page(results, driver):
    """docs/samples.md from the results."""
    rows, summary = results["samples"], results["summary"]
    engines = results["engines"]
    apart = ("driver API", "run-time compiler")
    lines = ["# CUDA samples", "",
             "NVIDIA's own samples (github.com/NVIDIA/cuda-samples) on the emulator, built as their CMake files have it",
             f"(`nvcc -rdc=true -cudart shared -arch=sm_80`), for {results['machine']}. Written by `scripts/corpus/samples.py` from",
             "[results/samples.json](../results/samples.json), which has the arguments, and the constants of sources that were",
             f"made smaller. {sum(summary.values())} samples need nothing but the CUDA runtime. By both engines,",
             f"machine code and PTX, {engines['same_verdict']} have the same verdict; {engines['by_machine_code']} of {engines['launches']} launches ran by machine code,",
             f"the others launch kernels from kernels; it takes {engines['machine_to_ptx_seconds']} times as long as PTX (geometric mean, 10 ms and more).", "",
             "| verdict | samples | |", "|---|---|---|"]
    meaning = {"PASS": "exit code 0 and its own text of success; fails when kernels do nothing",
               "no check": "passes, but verifies nothing that a kernel computes", "refused": "a feature is named that is not supported",
               "waived": "the sample itself finds the machine lacking", "timeout": f"more than {results['limit']:.0f} s",
               "FAIL": "a wrong result, or none", "not built": "not built yet, or nvcc refuses it"}
    lines += [f"| {verdict} | {count} | {meaning[verdict]} |" for verdict, count in summary.items()]
    others = [row for row in rows if row["verdict"] not in ("PASS", "no check", "not built")]
    if others:
        lines += ["", "## What did not pass", "", "| sample | verdict | cause |", "|---|---|---|"]
        lines += [f"| {row['name']} | {row['verdict']} | {(row['cause'] or '').replace('|', '/')} |" for row in others]
    for verdict in ("PASS", "no check", "not built"):
        names = [row["name"] for row in rows if row["verdict"] == verdict]
        lines += ["", f"## {verdict}", "", ", ".join(names) + "."] if names else []
    lines += driver_table(driver)
    lines += ["", "## Left out", "", "| needs | samples |", "|---|---|"]
    lines += [f"| {reason} | {len(names)}: {', '.join(names)} |" for reason, names in results["left_out"].items()
              if reason not in apart]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="what build_samples.py wrote; without it only the page")
    parser.add_argument("--list", type=pathlib.Path, default="tests/samples.txt")
    parser.add_argument("--headroom", type=pathlib.Path, default="build/release/bin/headroom")
    parser.add_argument("--machine", default="h200")
    parser.add_argument("--results", type=pathlib.Path, default="results/samples.json")
    parser.add_argument("--page", type=pathlib.Path, help="where the table goes")
    parser.add_argument("--work", type=pathlib.Path, default="build/samples", help="reports of the runs, one a sample")
    parser.add_argument("--timeout", type=float, default=120, help="seconds a run (default 120)")
    parser.add_argument("--memory", type=float, default=12, help="GiB a run may occupy (default 12)")
    parser.add_argument("--only", default="", metavar="REGEX", help="samples whose name matches; the others stay as they were")
    parser.add_argument("--again", action="store_true", help="run also what has not changed")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    if options.folder:
        options.headroom, options.work = options.headroom.resolve(), options.work.resolve()
        options.work.mkdir(parents=True, exist_ok=True)
        before = {}
        if options.only and options.results.exists():
            before = {row["name"]: row for row in json.loads(options.results.read_text())["samples"]}
        programs = read_list(options.list)
        chosen = [program for program in programs if re.search(options.only, program["name"])]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for row in pool.map(lambda program: examined(program, options), chosen):
                before[row["name"]] = row
                print(f"{row['name']:<32}{row['verdict']:<10}{corpus.figure(row['seconds']):>7}  {row['cause'] or ''}", flush=True)
        rows = [before[program["name"]] for program in programs if program["name"] in before]
        results = {"schema": SCHEMA, "list": options.list.name, "machine": options.machine, "limit": options.timeout,
                   "summary": counted(rows), "engines": corpus.engines(rows), "samples": rows, "left_out": left_out(options.folder)}
        options.results.write_text(json.dumps(results, indent=1) + "\n")
    results = json.loads(options.results.read_text())
    if options.page:
        driver = options.results.with_name("driver_samples.json")
        options.page.write_text(page(results, json.loads(driver.read_text())))
    print(", ".join(f"{count} {verdict}" for verdict, count in results["summary"].items()))
    return 0 if set(results["summary"]) <= {"PASS", "no check", "refused", "waived"} else 1


if __name__ == "__main__":
    sys.exit(main())
