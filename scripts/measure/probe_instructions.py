#!/usr/bin/env python3
"""The machine instructions that the probes time: machines/probes/instructions.txt, from the objects of a build.

    scripts/measure/probe_instructions.py build/release [--check]      needs the toolkit's nvdisasm, in PATH or CUDA_HOME/bin

A line for each kernel: how often each instruction stands in its sm_90 code, of those that stand there eight times or more.
asm volatile keeps a chain in the PTX; that ptxas left one machine instruction for each step shows here, and nowhere else: it
cancels a reciprocal of a reciprocal, takes loads out of loops, makes one atomic of a warp's and splits a 64-bit multiply-add.
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FILE = os.path.join(ROOT, "machines/probes/instructions.txt")
LEAST = 8
UNTIMED = ("timing::", "compare<", "evaluate<", "link", "fill")
HEAD = "# Written by scripts/measure/probe_instructions.py: instructions that stand eight times or more in a kernel's sm_90 code.\n"
INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)")


def tool(name):
    home = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
    return shutil.which(name) or shutil.which(name, path=home + "/bin")


def cubin(path):
    """The first ELF file for a GPU (machine 190) inside an object: the probes carry one."""
    with open(path, "rb") as stream:
        data = stream.read()
    for found in re.finditer(rb"\x7fELF\x02", data):
        at = found.start()
        if int.from_bytes(data[at + 18:at + 20], "little") == 190:
            return data[at:]
    return None


def kernels(text, names):
    """{kernel: {instruction: number}} of nvdisasm's output."""
    result, counts = {}, None
    for line in text.splitlines():
        if line.startswith(".text."):
            counts = result.setdefault(names(line[len(".text."):].rstrip(":")), collections.Counter())
        elif counts is not None and (match := INSTRUCTION.search(line)):
            counts[match[1]] += 1
    return result


def demangled(name):
    """"void chain<(Kind)0, 16>(float*)" -> "chain<(Kind)0, 16>"."""
    shown = subprocess.run(["c++filt", name], capture_output=True, text=True, check=True).stdout.strip()
    at, depth = len(shown), 0
    while shown.endswith(")"):
        at -= 1
        depth += {")": 1, "(": -1}.get(shown[at], 0)
        if depth == 0:
            break
    return shown[:at].removeprefix("void ").replace("probe::", "")


def lines_of(probe, path, nvdisasm):
    code = cubin(path)
    if code is None:
        sys.exit(f"{path}: holds no machine code\n  hint: are the probes compressed? compile with --compress-mode none")
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(code)
        file.flush()
        text = subprocess.run([nvdisasm, "-c", file.name], capture_output=True, text=True, check=True).stdout
    for kernel, counts in sorted(kernels(text, demangled).items()):
        shown = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()) if number >= LEAST and name != "NOP")
        if shown and not any(name in kernel for name in UNTIMED):
            yield f"{probe:12} {kernel:44} {shown}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    nvdisasm = tool("nvdisasm")
    if not nvdisasm:
        sys.exit("scripts/measure/probe_instructions.py: no nvdisasm\n  hint: it is a part of the CUDA toolkit; set CUDA_HOME")
    folder = os.path.join(sys.argv[1], "machines/probes")
    lines = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".o"):
            lines += lines_of(name[:-2], os.path.join(folder, name), nvdisasm)
    now = HEAD + "\n".join(lines) + "\n"
    if "--check" in sys.argv:
        with open(FILE, encoding="utf-8") as stream:
            if stream.read() != now:
                sys.exit("machines/probes/instructions.txt is out of date, or ptxas made other code\n  hint: run without --check, read the diff")
        return
    with open(FILE, "w", encoding="utf-8") as stream:
        stream.write(now)


if __name__ == "__main__":
    main()
