"""Every header of src/ and include/ compiles alone, so that the order of includes never matters.

    python3 headers.py ROOT COMPILER [--nvcc NVCC] [FLAG...]

A header that another one includes, or that what that includes does, is read before it in the same run of the compiler: what it
brings along the other would have had anyway. So a chain of them costs what its last costs; where one fails, each is read alone.

Those of src/ are C++20. What users include is C++17, with all below it also C++20, or C++20 alone where it says so
(C_20); .cuh is for nvcc, if it is given.
"""
import concurrent.futures
import os
import re
import subprocess
import tempfile

import tree

C_20 = ("include/headroom/launch_box",)


def chains(root, paths):
    """The headers in as few chains as can be, in each of which every one is included, near or far, by the next."""
    included = {}
    for path in paths:
        text = "\n".join(tree.lines(root, path))
        included[path] = {name for name in (f"src/{found}" for found in re.findall(r'^#include "([^"]+)"', text, re.M)) if name in paths}
    closures = {}

    def closure(path):
        if path not in closures:
            closures[path] = set()  # where headers include each other in a ring
            closures[path] = included[path].union(*map(closure, included[path])) - {path}
        return closures[path]

    follows = {}  # a header -> the one that is read right after it

    def extend(path, tried):
        """Finds one to be read right before this, by a matching that grows along augmenting paths."""
        for before in sorted(closure(path) - tried):
            tried.add(before)
            if before not in follows or extend(follows[before], tried):
                follows[before] = path
                return True
        return False

    for path in paths:
        extend(path, set())
    for first in sorted(set(paths) - set(follows.values())):
        chain = [first]
        while chain[-1] in follows:
            chain.append(follows[chain[-1]])
        yield chain


def compile_chain(root, chain, standard, compiler, flags):
    if len(chain) > 1 and not compile_alone(root, chain, standard, compiler, flags):
        return ""
    return "\n".join(filter(None, (compile_alone(root, [path], standard, compiler, flags) for path in chain)))


def compile_alone(root, paths, standard, compiler, flags):
    folder, path = paths[0].split("/")[0], paths[-1]
    command = [compiler, f"-std={standard}", "-fsyntax-only", "-x", "c++", "-I", os.path.join(root, folder),
               "-I", os.path.join(root, "include"), *flags, "-"]
    source = "".join(f'#include "{os.path.relpath(each, folder)}"\n' for each in paths)
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    return "" if result.returncode == 0 else f"{path}: does not compile alone ({standard}):\n{result.stderr[:1500]}"


def compile_for_gpu(root, path, standard, nvcc):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "alone.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write(f'#include <{os.path.relpath(path, "include")}>\n')
        command = [nvcc, "-ptx", f"-std={standard}", "-arch=sm_80", "-I", os.path.join(root, "include"), "-Werror",
                   "all-warnings", source, "-o", os.path.join(folder, "alone.ptx")]
        result = subprocess.run(command, capture_output=True, text=True)
    complaint = result.stdout + result.stderr
    return "" if result.returncode == 0 else f"{path}: does not compile alone (nvcc, {standard}):\n{complaint[:1500]}"


def headers(root, compiler, *flags):
    nvcc = None
    if flags[:1] == ("--nvcc",):
        nvcc, flags = flags[1], flags[2:]
    of_src = [path for path in tree.files(root, (".h",)) if path.startswith("src/")]
    work = [(compile_chain, chain, "c++20", compiler, flags) for chain in chains(root, of_src)]
    for path in tree.files(root, (".h", ".hpp", ".cuh")):
        if not path.startswith("include/"):
            continue
        whole = path.count("/") == 2  # include/headroom/timing.cuh, which includes its parts
        for standard in ("c++20",) if path.startswith(C_20) else ("c++17", "c++20") if whole else ("c++17",):
            if not path.endswith(".cuh"):
                work.append((compile_alone, [path], standard, compiler, flags))
            elif nvcc:
                work.append((compile_for_gpu, path, standard, nvcc))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from filter(None, pool.map(lambda task: task[0](root, *task[1:]), work))


if __name__ == "__main__":
    tree.main(headers)
