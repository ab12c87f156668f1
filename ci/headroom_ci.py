#!/usr/bin/env python3
"""Runs CUDA programs on a machine without a GPU, and says what changed since another record of them.

    headroom_ci.py run --out new [--machine a100] [--check] 'sgemm: build/sgemm --size 256' 'build/saxpy'
        new/sgemm.json  the record      new/sgemm.txt  the report      new/sgemm.sarif  findings and advice at source lines
    headroom_ci.py compare old new --comment comment.md --fail-if 'global_load_sectors > +0 %'
        comment.md, only where something changed: a table of kernels, and the whole comparison below it

Exit codes: 0; 1: a program failed, has a finding, or a gate holds; 2: a gate could not be asked; 125: wrong options. Where
GITHUB_OUTPUT names a file, `changed=true` or `changed=false` is written there.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

MARK = "<!-- headroom -->"  # by which a later run finds its own comment
MOST_OF_A_COMMENT = 60000   # bytes: GitHub takes 65 536 characters


def refuse(problem, hint):
    print(f"headroom_ci: {problem}\n  hint: {hint}", file=sys.stderr)
    sys.exit(125)


def named(text):
    """("sgemm", ["build/sgemm", "--size", "256"]) of 'sgemm: build/sgemm --size 256'; without a name the program's own."""
    found = re.match(r"([\w.-]+):\s+(.*)", text, re.DOTALL)
    words = shlex.split(found[2] if found else text)
    if not words:
        refuse(f"no program in '{text}'", "give 'NAME: PROGRAM ARGUMENTS…'")
    return (found[1] if found else pathlib.Path(words[0]).name), words


def called(headroom, *words):
    try:
        return subprocess.run([*shlex.split(headroom), *map(str, words)], check=False).returncode
    except FileNotFoundError:
        refuse(f"there is no program '{headroom}'", "install headroom's wheel, or say where it is: --headroom FOLDER/bin/headroom")


def run(options):
    programs = [named(text) for text in options.programs]
    names = [name for name, _ in programs]
    if len(set(names)) < len(names):
        refuse("two programs have one name", "give each its own: 'NAME: PROGRAM ARGUMENTS…'")
    options.out.mkdir(parents=True, exist_ok=True)
    machine = ["--machine", options.machine] if options.machine else []
    failed = []
    for name, words in programs:
        file = {kind: options.out / f"{name}{kind}" for kind in (".json", ".txt", ".sarif", ".check.txt", ".check.sarif")}
        code = called(options.headroom, "run", *machine, "--error-exitcode", 1, "--json", file[".json"], "--sarif", file[".sarif"],
                      "--report", file[".txt"], "--", *words)
        print(file[".txt"].read_text() if file[".txt"].exists() else "", end="", flush=True)
        if code:
            failed.append(f"{name}: exit code {code}")
        if options.check:
            code = called(options.headroom, "check", *machine, "--sarif", file[".check.sarif"], "--report", file[".check.txt"], "--", *words)
            print(file[".check.txt"].read_text() if file[".check.txt"].exists() else "", end="", flush=True)
            if code:
                failed.append(f"{name}: headroom check, exit code {code}")
    for failure in failed:
        print(f"headroom_ci: {failure}")
    return 1 if failed else 0


def shown(value):
    return "–" if value is None else f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"


def change(row):
    percent = f" ({row['percent']:+.3g} %)" if row["percent"] is not None else ""
    return f"`{row['figure']}` {shown(row['old'])} → {shown(row['new'])}{percent}"


def kernel_rows(name, comparison):
    for kernel in comparison["kernels"]:
        if not kernel["changed"]:
            continue
        changes = [each for launches in kernel["launches"] for each in launches["changes"]]
        by_weight = sorted(changes, key=lambda each: -abs(each["percent"] or 0))
        times = [each for each in by_weight if each["figure"] == "predicted_ns"][:1]
        others = [each for each in by_weight if each["figure"] != "predicted_ns"][:3]
        short = kernel["kernel"].split("(")[0]
        yield f"| {name} | `{short}` | {'<br>'.join(change(each) for each in times) or '–'} | {'<br>'.join(map(change, others)) or '–'} |"


def one_sided_rows(name, comparison):
    for key, word in (("only_old", "is gone"), ("only_new", "is new")):
        for kernel in comparison[key]:
            yield f"| {name} | `{kernel['kernel'].split('(')[0]}` | {word} | – |"


def write_comment(path, rows, reports, failures):
    text = f"{MARK}\n**headroom**: {len(rows)} {'kernel' if len(rows) == 1 else 'kernels'} changed\n\n"
    if failures:
        text += "".join(f"- {line}\n" for line in failures) + "\n"
    if rows:
        text += "| program | kernel | predicted time | what changed most |\n|---|---|---|---|\n" + "\n".join(rows) + "\n\n"
    details = "\n".join(reports)
    if len(text) + len(details) > MOST_OF_A_COMMENT:
        details = details[:MOST_OF_A_COMMENT - len(text)] + "\n… cut off: the whole is in the job's files\n"
    path.write_text(f"{text}<details><summary>All figures</summary>\n\n````text\n{details}\n````\n</details>\n")


def compare(options):
    gates = [word for gate in options.fail_if for word in ("--fail-if", gate)]
    rows, reports, failures, worst = [], [], [], 0
    for new in sorted(options.new.glob("*.json")):
        old, name = options.old / new.name, new.stem
        if not old.is_file():
            print(f"headroom_ci: {name}: there is no earlier record; nothing is compared")
            continue
        file, report = options.new / f"{name}.compare", options.new / f"{name}.compare.txt"
        code = called(options.headroom, "compare", old, new, *gates, "--json", file, "--report", report)
        if code not in (0, 1, 2):
            return code
        print(report.read_text(), end="", flush=True)
        if code:
            failures.append(f"{name}: " + ("a gate holds" if code == 1 else "a gate could not be asked"))
        worst = 1 if 1 in (worst, code) else max(worst, code)
        comparison = json.loads(file.read_text())
        here = [*kernel_rows(name, comparison), *one_sided_rows(name, comparison)]
        rows += here
        if here or code:
            reports.append(report.read_text())
    changed = bool(rows or failures)
    if changed:
        write_comment(options.comment, rows, reports, failures)
    else:
        options.comment.unlink(missing_ok=True)
        print("headroom_ci: nothing changed")
    if "GITHUB_OUTPUT" in os.environ:
        with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
            file.write(f"changed={'true' if changed else 'false'}\n")
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headroom", default="headroom", help="how it is called, if not by this name")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    runs = commands.add_parser("run", help="run programs, keep their records")
    runs.add_argument("--out", type=pathlib.Path, required=True, metavar="FOLDER", help="where records and reports go")
    runs.add_argument("--machine", help="machine to imitate (headroom machine list)")
    runs.add_argument("--check", action="store_true", help="look for faults too, in a second run")
    runs.add_argument("programs", nargs="+", metavar="PROGRAM", help="'NAME: PROGRAM ARGUMENTS…'")
    runs.set_defaults(does=run)
    compares = commands.add_parser("compare", help="compare records with those of another commit")
    compares.add_argument("old", type=pathlib.Path)
    compares.add_argument("new", type=pathlib.Path)
    compares.add_argument("--fail-if", action="append", default=[], metavar="GATE", help="'registers > 0': docs/compare.md")
    compares.add_argument("--comment", type=pathlib.Path, default=pathlib.Path("headroom-comment.md"), metavar="FILE")
    compares.set_defaults(does=compare)
    options = parser.parse_args()
    return options.does(options)


if __name__ == "__main__":
    sys.exit(main())
