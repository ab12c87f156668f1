#!/usr/bin/env python3
"""Compares what programs did on the executor with what they did on a GPU: the registers of their kernels, their output.

    scripts/prove/prove_compare.py EXECUTOR GPU --visit visit.json --registers results/h200/register_counts.json
                             --outputs results/h200/outputs.json [--reasons tests/corpus/output_reasons.txt]

EXECUTOR and GPU are folders of scripts/prove/prove_runs.py, visit.json is of scripts/prove/prove_visit.sh.

register_counts.json: {…, "summary": {"kernels": 90, "equal": 90, …}, "programs": [{"program": "adamw", "kernels": 1, "equal": 1,
"different": [{"kernel": "_Z…", "executor": 25, "gpu": 24}], "not_launched": 1}]}: what cudaFuncGetAttributes says of every
kernel that the executor launched, against the registers and the static shared memory of the report.

outputs.json: {…, "summary": {"equal": 20, "times": 24, "differs": 1}, "programs": [{"program": "adamw", "output": "equal"},
{"program": "asta", "output": "times"}, {"program": "x", "output": "differs", "executor": "line", "gpu": "line", "why": …}]}

output is "equal" where all is the same, byte by byte, but for the name of the device; "times" where it is once the
numbers of lines that speak of times or rates are left out; else "differs", with the first such line of both, and the
reason that the file of reasons gives:

    PROGRAM <TAB> why

Exit code: 0 when registers agree, both sides ended alike and every difference of output has a reason.
"""
import argparse
import itertools
import json
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

SCHEMA = "headroom-proof/1"
TIMED = re.compile(r"/s|(?<![a-z])(?:timers?|times?|timing|seconds?|[mun]?s|elapsed|bandwidth|throughput|speed|speedup|rates?|clocks?"
                   r"|cycles|[gmt]?flops?|spread|latency)(?![a-z])", re.I)
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\b|\b(nan|inf)\b", re.I)


def without_times(text):
    """The output with every number of a line that speaks of times, or stands in a table below one, left out."""
    lines, in_table = [], False
    for line in text.splitlines():
        timed = TIMED.search(line) is not None
        in_table = bool(line.strip()) and (in_table or (timed and not NUMBER.search(line)))
        lines.append(re.sub(r"\s+", " ", NUMBER.sub("#", line)) if timed or in_table else line)
    return lines


def compare_output(mine, theirs):
    if mine == theirs:
        return {"output": "equal"}
    lines, others = without_times(mine), without_times(theirs)
    if lines == others:
        return {"output": "times"}
    first = next(pair for pair in itertools.zip_longest(lines, others, fillvalue="(nothing)") if pair[0] != pair[1])
    return {"output": "differs", "executor": first[0], "gpu": first[1]}


def without_hashes(name):
    """A kernel of an unnamed namespace, whose mangled name has numbers of the file's path in it."""
    return re.sub(r"_GLOBAL__N__[0-9a-f]{8}(_\d+_\w+?_cu_)[0-9a-f]{8}", r"_GLOBAL__N_\1", name)


def compare_registers(launches, attributes):
    """The kernels that were launched: equal ones by number, others in full."""
    loaded = {without_hashes(kernel["mangled"]): kernel for kernel in attributes}
    seen, different = set(), []
    for launch in launches:
        name = without_hashes(launch["mangled"])
        if name in seen:
            continue
        seen.add(name)
        if name not in loaded:
            different.append({"kernel": name, "why": "not registered by the program"})
            continue
        mine = {"registers": launch["registers"], "static_shared": launch["resources"]["static_shared"]}
        theirs = {key: loaded[name].get(key) for key in mine}
        if mine != theirs:
            different.append({"kernel": name, "executor": mine, "gpu": theirs})
    return {"kernels": len(seen), "equal": len(seen) - len(different), "different": different,
            "not_launched": len(set(loaded) - seen)}


def read_reasons(path):
    if not path or not path.exists():
        return {}
    lines = (line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#"))
    return dict(line.split("\t", 1) for line in lines)


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path, visit, method, summary, programs):
    rows = ",\n  ".join(json.dumps(row) for row in programs)
    head = json.dumps({"schema": SCHEMA} | visit | {"method": method, "summary": summary})
    path.write_text(head[:-1] + ',\n "programs": [\n  ' + rows + "\n ]}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executor", type=pathlib.Path)
    parser.add_argument("gpu", type=pathlib.Path)
    parser.add_argument("--visit", type=pathlib.Path, required=True)
    parser.add_argument("--registers", type=pathlib.Path, required=True)
    parser.add_argument("--outputs", type=pathlib.Path, required=True)
    parser.add_argument("--reasons", type=pathlib.Path)
    options = parser.parse_args()
    for path in (options.executor, options.gpu, options.visit):
        if not path.exists():
            sys.exit(f"prove_compare.py: {path}: no such file or folder")
    visit, reasons = json.loads(options.visit.read_text()), read_reasons(options.reasons)
    registers, outputs, bad = [], [], 0
    for run in sorted(options.gpu.glob("*.run")):
        name = run.stem
        if not (options.executor / run.name).exists():
            sys.exit(f"prove_compare.py: {name} was not run on the executor")
        theirs, mine = json.loads(run.read_text()), json.loads((options.executor / run.name).read_text())
        row = {"program": name, "arguments": theirs["arguments"]}
        report = run_record.read_run(options.executor / f"{name}.json")
        printed = (options.executor / f"{name}.out").read_text().replace(report["machine"]["title"], visit["gpu"])
        output = compare_output(printed, (options.gpu / f"{name}.out").read_text())
        if output["output"] == "differs" and name in reasons:
            output["why"] = reasons[name]
        if mine["exit"] != theirs["exit"] or mine["arguments"] != theirs["arguments"]:
            output |= {"exit": [mine["exit"], theirs["exit"]]}
        bad += "exit" in output or (output["output"] == "differs" and "why" not in output)
        outputs.append(row | output)
        attributes = options.gpu / f"{name}.attributes"
        compared = compare_registers(report["launches"], read_lines(attributes) if attributes.exists() else [])
        bad += len(compared["different"])
        registers.append(row | compared)

    kernels = {key: sum(row[key] for row in registers) for key in ("kernels", "equal", "not_launched")}
    kinds = {kind: sum(row["output"] == kind for row in outputs) for kind in ("equal", "times", "differs")}
    write(options.registers, visit, "cudaFuncGetAttributes of the loaded machine code, asked by a preloaded library "
          "(scripts/prove/function_attributes.cpp), against the report's registers and static shared memory", kernels, registers)
    write(options.outputs, visit, "standard output of the same program, here with headroom run, there natively", kinds, outputs)
    for row in registers:
        for kernel in row["different"]:
            print(f"{row['program']}: {kernel}")
    for row in outputs:
        if row["output"] == "differs" or "exit" in row:
            print(f"{row['program']}: {row}")
    print(f"registers: {kernels['equal']} of {kernels['kernels']} kernels equal; output of {len(outputs)} programs: "
          f"{kinds['equal']} equal, {kinds['times']} but for times, {kinds['differs']} different; {bad} without a reason")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
