#!/usr/bin/env python3
"""Builds the programs of a list of scripts/corpus/corpus.py in a checkout of HeCBench, some of them made smaller.

    scripts/corpus/corpus_build.py tests/corpus/sample.txt HECBENCH/src [--only REGEX] [--arch sm_80]

Where a program's size stands in its sources instead of its arguments, the list's sixth column says what to write
instead, each text replaced wherever it stands:

    NUM_ITERATIONS 1000 => NUM_ITERATIONS 1; MAX_OPTIONS 1024 => MAX_OPTIONS 16

Such a program is built in a copy of its folder, <name>-cuda-small beside <name>-cuda, where scripts/corpus/corpus.py looks
for it. A text that no source has is an error.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

SOURCES = {".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".hpp"}


def read_replacements(path):
    """{program: [(text, what to write instead), …]} of every program of the list."""
    programs = {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            columns = line.split("\t")
            column = columns[5] if len(columns) > 5 else ""
            programs[columns[0]] = [tuple(part.strip().split(" => ")) for part in column.split(";") if " => " in part]
    return programs


def make_smaller(folder, copy, replacements):
    """The copy, with the texts replaced. Raises KeyError for a text that no source has."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.o", "main"))
    missing = {old for old, _ in replacements}
    for source in sorted(copy.rglob("*")):
        if source.suffix not in SOURCES:
            continue
        text = source.read_text(errors="surrogateescape")
        for old, new in replacements:
            if old in text:
                text = text.replace(old, new)
                missing.discard(old)
        source.write_text(text, errors="surrogateescape")
    if missing:
        raise KeyError(", ".join(sorted(missing)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("hecbench", type=pathlib.Path)
    parser.add_argument("--only", default="", metavar="REGEX", help="programs whose name matches")
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--cudart", default="shared", choices=("shared", "static"),
                        help="how CUDA's runtime is linked (nvcc itself: static)")
    options = parser.parse_args()
    failed = False
    for name, replacements in read_replacements(options.list).items():
        folder = options.hecbench / f"{name}-cuda"
        if not re.search(options.only, name):
            continue
        if replacements:
            copy = options.hecbench / f"{name}-cuda-small"
            try:
                make_smaller(folder, copy, replacements)
            except KeyError as error:
                sys.exit(f"corpus_build.py: {name}: no source has the text {error}")
            folder = copy
        done = subprocess.run(["make", "CC=nvcc", f"ARCH={options.arch}", f"EXTRA_CFLAGS=-cudart {options.cudart}"], cwd=folder,
                              capture_output=True, text=True)
        print(f"{name:<32}{'built' if done.returncode == 0 else 'not built: ' + done.stderr.strip()[-200:]}", flush=True)
        failed |= done.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
