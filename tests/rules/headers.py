"""Every header of src/ and include/ compiles alone, so that the order of includes never matters.

    python3 headers.py ROOT COMPILER [--nvcc NVCC] [FLAG...]

Those of src/ are C++20. What users include is C++17, with all below it also C++20, or C++20 alone where it says so
(C_20); .cuh is for nvcc, if it is given.
"""
import concurrent.futures
import os
import subprocess
import tempfile

import tree

C_20 = ("include/headroom/launch_box",)


def compile_alone(root, path, standard, compiler, flags):
    folder = path.split("/")[0]
    command = [compiler, f"-std={standard}", "-fsyntax-only", "-x", "c++", "-I", os.path.join(root, folder),
               "-I", os.path.join(root, "include"), *flags, "-"]
    source = f'#include "{os.path.relpath(path, folder)}"\n'
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
    work = [(compile_alone, p, "c++20", compiler, flags) for p in tree.files(root, (".h",)) if p.startswith("src/")]
    for path in tree.files(root, (".h", ".hpp", ".cuh")):
        if not path.startswith("include/"):
            continue
        whole = path.count("/") == 2  # include/headroom/timing.cuh, which includes its parts
        for standard in ("c++20",) if path.startswith(C_20) else ("c++17", "c++20") if whole else ("c++17",):
            if not path.endswith(".cuh"):
                work.append((compile_alone, path, standard, compiler, flags))
            elif nvcc:
                work.append((compile_for_gpu, path, standard, nvcc))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from filter(None, pool.map(lambda task: task[0](root, *task[1:]), work))


if __name__ == "__main__":
    tree.main(headers)
