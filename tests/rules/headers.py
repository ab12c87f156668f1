"""Every header of src/ compiles alone, so that the order of includes never matters.

    python3 headers.py ROOT COMPILER [FLAG...]
"""
import concurrent.futures
import os
import subprocess

import tree


def compile_alone(root, path, compiler, flags):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-I", os.path.join(root, "src"), *flags, "-"]
    source = f'#include "{os.path.relpath(path, "src")}"\n'
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    return "" if result.returncode == 0 else f"{path}: does not compile alone:\n{result.stderr[:1500]}"


def headers(root, compiler, *flags):
    paths = [p for p in tree.files(root, (".h",)) if p.startswith("src/")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from filter(None, pool.map(lambda p: compile_alone(root, p, compiler, flags), paths))


if __name__ == "__main__":
    tree.main(headers)
