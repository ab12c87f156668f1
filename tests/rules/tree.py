"""What the rules look at: the files of the project, and how a rule ends.

A rule is a generator of complaints over a folder; as a program it prints them and exits with 1 if there are any:

    python3 layers.py ROOT      src/ptx/parse.cpp:3: room ptx may not include kernel/kernel.h
"""
import os
import subprocess
import sys

CODE = (".h", ".hpp", ".cpp", ".cu", ".cuh", ".inc", ".py", ".cmake", "CMakeLists.txt")


def files(root, suffixes=CODE):
    """Paths below root: those that git tracks, or all of a folder that is no checkout."""
    if os.path.exists(os.path.join(root, ".git")):  # in a worktree it is a file
        names = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True,
                               text=True).stdout.split("\0")
    else:
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, found in os.walk(root) for name in found]
    return sorted(n for n in names if n.endswith(tuple(suffixes)) and os.path.isfile(os.path.join(root, n)))


def lines(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read().splitlines()


def main(rule):
    complaints = list(rule(*sys.argv[1:]))
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaints")
    sys.exit(1 if complaints else 0)
