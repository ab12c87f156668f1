#!/usr/bin/env python3
"""Proves the decoder of machine code: every instruction of cubins, as headroom and as NVIDIA's nvdisasm write it.

    scripts/prove/machine_code.py HEADROOM FILE.cubin…
    scripts/prove/machine_code.py HEADROOM --assemble 75,80,90a FILE.ptx…     as ptxas makes them for these
                                  --json results/machine_code.json

    112 files: 208431 instructions of sm_90, 1909 spellings: all equal; 11 name a place that is relocated

Where the file leaves a place to the linker or the driver nvdisasm writes a symbol; the rest of such an instruction is compared.
Descriptors (desc[UR4]) are not compared: before sm_90 nvdisasm writes those of some files only. IMAD has other names where it only
moves, adds or shifts (IMAD.MOV, .IADD, .SHL); numbers with a fraction are compared as numbers. nvdisasm is the one that scripts/fetch_nvdisasm fetched, or on PATH, or in the CUDA toolkit. Exit code 1 if anything differs.
Control words, basic blocks and source lines are not compared: nvdisasm -json does not tell them.
"""
import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CUDA = pathlib.Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda")
OURS = re.compile(r"^  0x[0-9a-f]{4,}  [.0-5]{6}:\S:\S:\S:[ \d]\d  (.*?)(?:   *\S+:\d+)?$")
FRACTION = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?$")
NAMED = re.compile(r"[`$@(]|[ ,](?!U?R\d|SR)\.?[A-Za-z_][\w.]{2,}$")


def tool(name):
    for folder in (str(ROOT / "build/tools/bin"), None, str(CUDA / "bin")):
        found = shutil.which(name, path=folder)
        if found:
            return found
    sys.exit(f"machine_code.py: no {name}: scripts/fetch_nvdisasm brings it")


def normal(text):
    """One spelling of what may be spelt in several ways."""
    guard, opcode, operands = re.match(r"(@\S+ )?(\S*)(.*)", text.strip()).groups("")
    operands = re.sub(r"desc,\[U?R\w+\](?=\[)", ",", operands)  # a comma too late in some versions' JSON
    operands = re.sub(r"desc\[U?R\w+\](?=\[)", "", operands)
    opcode = re.sub(r"^IMAD\.(MOV|SHL|IADD)", "IMAD", opcode)
    items = [item.strip() for item in re.split(r",|(?<=\])(?=\[)", operands)]
    items = [f"{float(item):.9g}" if FRACTION.match(item) else item for item in items]
    return f"{guard}{opcode} {','.join(items)}".strip()


def theirs(nvdisasm, cubin):
    """(architecture, {function: instructions})"""
    output = subprocess.run([nvdisasm, "-json", cubin], capture_output=True, text=True, check=True).stdout
    if not output.strip():
        return 0, {}
    about, functions = json.loads(output)
    version, code = about["SM"]["version"], collections.defaultdict(list)
    for function in functions:
        for one in function["sass-instructions"]:
            words = [one.get("predicate", ""), one["opcode"], one.get("operands", "")]
            text = " ".join(word for word in words if word)
            text = re.sub(r"PR P2R(\S*) (R\w+),", r"P2R\1 \2,PR,", text.replace("INF ", "INF"))
            code[function["function-name"]].append(text)
    return version["major"] * 10 + version["minor"], code


def ours(headroom, cubin):
    output = subprocess.run([headroom, "disassemble", cubin], capture_output=True, text=True, check=True).stdout
    return [match[1] for match in map(OURS.match, output.splitlines()) if match]


def without_place(text):
    """Up to the last operand, for which nvdisasm may have a symbol."""
    return text[:text.rfind(",")] if "," in text else re.match(r"(@\S+ )?\S+", text)[0]


def is_place(their, our):
    return bool(NAMED.search(their)) and without_place(our) == without_place(their)


def compare(headroom, nvdisasm, cubin):
    architecture, functions = theirs(nvdisasm, cubin)
    expected = sorted(functions.items())
    if not expected:
        return architecture, [], 0, set()
    got = ours(headroom, cubin)
    wanted = [text for _, code in sorted(functions.items()) for text in code]
    if sorted(map(len, functions.values())) and len(got) != len(wanted):
        return architecture, [(cubin, f"{len(wanted)} instructions", f"{len(got)}")], 0, set()
    # Functions stand in one order here and in another there: both are compared as multisets.
    left = collections.Counter(map(normal, wanted))
    right = collections.Counter(map(normal, got))
    missing, extra = list((left - right).elements()), list((right - left).elements())
    places, wrong = 0, []
    for their in missing:
        match = next((our for our in extra if is_place(their, our)), None)
        if match is None:
            wrong.append((str(cubin), their, ""))
        else:
            extra.remove(match)
            places += 1
    wrong += [(str(cubin), "", our) for our in extra]
    return architecture, wrong, places, {normal(text).split(" ")[text.startswith("@")] for text in wanted}, len(wanted)


def assemble(files, architectures, folder):
    ptxas = tool("ptxas")
    made = []
    for architecture in architectures:
        for file in files:
            text = re.sub(r"^\.target.*", f".target sm_{architecture}", pathlib.Path(file).read_text(), flags=re.MULTILINE)
            cubin = folder / f"{pathlib.Path(file).stem}.sm_{architecture}.cubin"
            result = subprocess.run([ptxas, f"-arch=sm_{architecture}", "-o", cubin, "/dev/stdin"], input=text,
                                    capture_output=True, text=True)
            if result.returncode == 0:
                made.append(cubin)
            else:  # mostly a form that this architecture has not
                print(f"not assembled for sm_{architecture}: {file}: {result.stderr.splitlines()[0][:100]}")
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("headroom")
    parser.add_argument("--assemble", type=lambda text: text.split(","))
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    nvdisasm = tool("nvdisasm")
    with tempfile.TemporaryDirectory() as folder:
        cubins = assemble(options.files, options.assemble, pathlib.Path(folder)) if options.assemble else options.files
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda cubin: compare(options.headroom, nvdisasm, cubin), cubins))
    results = [result for result in results if len(result) == 5 or result[1]]
    wrong = [each for result in results for each in result[1]]
    rows = []
    for architecture in sorted({result[0] for result in results}):
        mine = [result for result in results if result[0] == architecture and len(result) == 5]
        rows.append({"architecture": f"sm_{architecture}", "files": len(mine), "instructions": sum(one[4] for one in mine),
                     "spellings": len(set().union(*(one[3] for one in mine))), "relocated": sum(one[2] for one in mine),
                     "different": sum(len(one[1]) for one in mine)})
    for _, their, our in wrong[:20]:
        print(f"nvdisasm: {their}\nheadroom: {our}")
    for row in rows:
        print("{files} files: {instructions} instructions of {architecture}, {spellings} spellings: {different} differ, {relocated} "
              "name a place that is relocated".format(**row))
    if options.json:
        version = subprocess.run([nvdisasm, "--version"], capture_output=True, text=True).stdout
        options.json.write_text(json.dumps({
            "schema": "headroom-results/1", "study": "machine_code", "nvdisasm": re.search(r"V([\d.]+)", version)[1],
            "date": str(datetime.date.today()), "command": "scripts/prove/machine_code.py", "rows": rows}, indent=1) + "\n")
    sys.exit(1 if wrong or not rows else 0)


if __name__ == "__main__":
    main()
