#!/usr/bin/env python3
"""Every opcode that the machine engine executes, and where its result is tested.

    scripts/prove/opcodes.py BUILD [--work build/opcodes] [--forms results/machine_forms.json] [--random results/machine_random.json]
                                   [--results results/opcodes.json]
    scripts/prove/opcodes.py BUILD --check

What golden forms and random kernels have is in the files of machine_forms and twin_random (--json): the opcodes of kernels that write what they must,
by architecture. Programs that check themselves, tests' and studies', run here by their machine code, on an H200 and an A100; of their instructions
those count that a warp executed.

{"random_kernels": {"sm_75": 1000, …}, "opcodes": {"FADD": {"forms": [75, 80, 86, 89, 90], "random": [75, …], "programs": ["nbody", …]}, "RPCMOV": {}, …}}

--check runs nothing: exit code 1 where an opcode that is executed is not in the results, one in the results is not executed, or one that nothing
tests is not named in docs/machine_code.md.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import run_record  # noqa: E402
from toolkit_programs import PROGRAMS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "machine_code.md"
SCHEMA = "headroom-opcodes/1"
MORE = {"tests/programs/micro": [], "tests/programs/runtime_texture_reads": [str(ROOT / "tests" / "golden" / "texture_reads.txt")]}
NOT_TESTED = "Executed and tested by none of these:"


def executed_opcodes(build):
    return subprocess.run([build / "bin" / "machine_forms", "--opcodes"], capture_output=True, text=True, check=True).stdout.split()


def opcodes_of_program(program, arguments, machine, options):
    """Those of its instructions that ran; none where the program fails."""
    report = options.work / "report.json"
    report.unlink(missing_ok=True)
    process = subprocess.run([options.build / "bin" / "headroom", "run", "--machine", machine, "--engine", "machine", "--no-model", "--source",
                              "--kernel", ".", "--report", os.devnull, "--json", report, "--", program, *arguments],
                             capture_output=True, text=True, cwd=options.work, timeout=600)
    if process.returncode or not report.exists():
        print(f"{program.name} on {machine}: exit code {process.returncode}", flush=True)
        return set()
    instructions = (instruction for launch in run_record.read_run(report)["launches"] for line in launch.get("source") or []
                    for instruction in line["instructions"] if instruction.get("executed"))
    return {re.sub(r"^@!?\w+ ", "", instruction["text"]).split()[0].split(".")[0] for instruction in instructions}


def by_architecture(path):
    """{opcode: [75, 80, …]} of a file of machine_forms or twin_random."""
    found = collections.defaultdict(list)
    for name, result in sorted(json.loads(path.read_text())["architectures"].items()):
        for opcode in result.get("opcodes", []):  # older results have none
            found[opcode].append(int(name.removeprefix("sm_")))
    return found


def collected(options):
    forms, random = by_architecture(options.forms), by_architecture(options.random)
    programs = collections.defaultdict(list)
    for target, arguments in (PROGRAMS | MORE).items():
        program = options.build / target
        found = set().union(*(opcodes_of_program(program, arguments, machine, options) for machine in ("h200", "a100")))
        for opcode in sorted(found):
            programs[opcode].append(program.name)
    rows = {}
    for opcode in executed_opcodes(options.build):
        where = {"forms": forms.get(opcode), "random": random.get(opcode), "programs": programs.get(opcode)}
        rows[opcode] = {name: found for name, found in where.items() if found}
    return rows


def text_of(rows, seeds):
    lines = ",\n".join(f"  {json.dumps(opcode)}: {json.dumps(where)}" for opcode, where in rows.items())
    return f'{{\n "schema": "{SCHEMA}",\n "random_kernels": {json.dumps(seeds)},\n "opcodes": {{\n{lines}\n }}\n}}\n'


def complaints(executed, rows, page):
    """What is wrong with the results, in words."""
    for opcode in executed:
        if opcode not in rows:
            yield f"{opcode} is executed, and results/opcodes.json does not say where it is tested: run scripts/prove/opcodes.py"
    named = re.search(re.escape(NOT_TESTED) + r"(.*?)\n\n", page + "\n\n", re.DOTALL)
    names = set(re.findall(r"`(\w+)`", named[1])) if named else set()
    untested = {opcode for opcode, where in rows.items() if not where}
    yield from (f"{opcode} is in results/opcodes.json and is not executed" for opcode in rows if opcode not in executed)
    yield from (f"nothing tests {opcode}, and docs/machine_code.md does not name it" for opcode in sorted(untested - names))
    yield from (f"docs/machine_code.md says that nothing tests {opcode}" for opcode in sorted(names - untested))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default="build/opcodes")
    parser.add_argument("--forms", type=pathlib.Path, default=ROOT / "results" / "machine_forms.json")
    parser.add_argument("--random", type=pathlib.Path, default=ROOT / "results" / "machine_random.json")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "results" / "opcodes.json")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    options.build, options.work = options.build.resolve(), options.work.resolve()
    if not options.check:
        options.work.mkdir(parents=True, exist_ok=True)
        seeds = {name: result["seeds"] for name, result in json.loads(options.random.read_text())["architectures"].items() if "opcodes" in result}
        options.results.write_text(text_of(collected(options), seeds))
    rows = json.loads(options.results.read_text())["opcodes"]
    wrong = list(complaints(executed_opcodes(options.build), rows, PAGE.read_text()))
    print("\n".join(wrong) or f"{len(rows)} opcodes, {sum(map(bool, rows.values()))} of them tested")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
