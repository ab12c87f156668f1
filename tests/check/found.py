#!/usr/bin/env python3
"""headroom check finds every planted fault, at its lines, and accuses no mended twin.

    found.py HEADROOM CHECK_CASES SOURCES     exit code 0: as EXPECTED below says
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# What is not so: the test fails where one of these mends, too.
EXPECTED = {"not found": [], "wrong line": [], "accused": []}


def marked_lines(folder):
    """{"tree": {("shared.cu", 41), …}}"""
    lines = {}
    for path in folder.glob("*.cu"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in re.findall(r"// here: (\w+)", line):
                lines.setdefault(name, set()).add((path.name, number))
    return lines


def check(headroom, program, what):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "check.json")
        done = subprocess.run([headroom, "check", "--json", str(path), "--report", str(pathlib.Path(folder, "check.txt")), "--", program,
                               what], stdout=subprocess.PIPE, text=True)
        return json.loads(path.read_text()), done


def kernel(finding):
    """Of what the host does too early, the kernel that it does not wait for."""
    return finding["kernel"] or (finding.get("other") or {}).get("kernel", "")


def place(source):
    file, _, line = source.rpartition(":")
    return pathlib.Path(file).name, int(line)


def main():
    headroom, program, sources = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    marked = marked_lines(sources)
    cases = dict(line.split("\t") for line in subprocess.run([program, "list"], check=True, stdout=subprocess.PIPE,
                                                             text=True).stdout.splitlines())
    faulty, ended = check(headroom, program, "faulty")
    assert ended.returncode == 1, f"exit code {ended.returncode} with findings"
    mended, ended_mended = check(headroom, program, "mended")
    assert ended_mended.stdout.split() == list(cases), "a mended twin did not run"
    found = {"not found": [], "wrong line": [], "accused": []}
    for name, kind in cases.items():
        mine = [each for each in faulty["findings"] if re.search(rf"\b{name}(<|_read|_write)", kernel(each))]
        if not any(each["kind"] == kind for each in mine):
            found["not found"].append(name)
        for each in mine:
            sides = {place(side["source"]) for side in (each, each.get("other")) if side and re.search(r":\d+$", side["source"])}
            if each["kind"] != kind or not sides <= marked[name]:
                found["wrong line"].append(name)
                print(f"{name}: {each['what']} at {sorted(sides)}, planted at {sorted(marked[name])}")
    for each in mended["findings"]:
        found["accused"].append(each["kernel"])
        print(f"accused: {each['kernel']}: {each['what']} at {each['source']}")
    assert ended_mended.returncode == (1 if mended["findings"] else 0)
    print(f"{len(cases)} faults: {len(cases) - len(found['not found'])} found, {len(found['accused'])} findings in mended twins")
    if found != EXPECTED:
        sys.exit(f"found {found}, expected {EXPECTED}")


if __name__ == "__main__":
    main()
