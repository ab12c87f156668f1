"""Every C++ and CUDA file is formatted as .clang-format says.

    python3 format.py ROOT      src/ptx/parse.cpp: is not formatted: clang-format -i src/ptx/parse.cpp
"""
import concurrent.futures
import os
import shutil
import subprocess

import tree

CODE = (".h", ".hpp", ".cpp", ".cu", ".cuh", ".inc", ".c")
AT_A_TIME = 32   # a process takes longer to start than to read a file


def unformatted(root, paths):
    run = subprocess.run(["clang-format", "--dry-run", *paths], cwd=root, capture_output=True, text=True, check=True)
    return {line.split(":")[0] for line in run.stderr.splitlines() if "[-Wclang-format-violations]" in line}


def format(root):
    if not shutil.which("clang-format"):
        yield "no clang-format: scripts/setup installs it"
        return
    paths = tree.files(root, CODE)
    parts = [paths[first:first + AT_A_TIME] for first in range(0, len(paths), AT_A_TIME)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda part: unformatted(root, part), parts):
            yield from (f"{path}: is not formatted: clang-format -i {path}" for path in sorted(found))


if __name__ == "__main__":
    tree.main(format)
