#!/usr/bin/env python3
"""How many cycles the registers of a loop's FMAs take: counted in machine code, without a GPU.

    nvcc -std=c++20 -O3 -arch=sm_90a -cubin -I. -Iinclude -o stream_k.cubin studies/sgemm/stream_k.cu
    scripts/measure/register_banks.py [--json results/register_banks.json] stream_k.cubin …          needs cuobjdump and nvdisasm of the toolkit

    kernel                 FMAs  in two cycles  other instructions  cycles an FMA  of the peak, %
    stream_k_kernel<true>  1024             78                 117          1.190              84

The loop is the one with the most FMAs among other instructions. Of a register file's two banks, the even registers and the odd ones,
each gives one register a cycle; an FMA takes as many cycles as it reads registers of one bank. A source that bears `.reuse` stays in a
cache with a place for every position among the sources and every bank, until an instruction reads another register there. Every other
instruction counts as one cycle. What is not counted: waiting for operands, and what another warp in between does to the cache.

Sources: on an H200 a = a b + c with a and b in one bank runs at half of the peak, and at two thirds of it where every second FMA finds two
operands kept; R. Huerta et al., "Analyzing Modern NVIDIA GPU cores", arXiv:2503.20481, for the cache.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass


@dataclass
class Loop:
    fmas: int = 0
    cycles: int = 0      # of the FMAs, for their registers
    conflicts: int = 0   # FMAs that take more than one
    others: int = 0

    def cycles_an_fma(self):
        return (self.cycles + self.others) / self.fmas


def functions(listing):
    """{name: [(address, instruction)]} of what cuobjdump -sass prints."""
    found, name = {}, None
    for line in listing.splitlines():
        if head := re.search(r"Function : (\S+)", line):
            name = head[1]
            found[name] = []
        elif name and (instruction := re.match(r"\s+/\*([0-9a-f]+)\*/\s+(.*?)\s*;", line)):
            found[name].append((int(instruction[1], 16), instruction[2]))
    return found


def main_loop(instructions):
    """What lies between a branch backwards and its target; of several loops the one with the largest share of FMAs."""
    best, best_share = [], 0
    for address, text in instructions:
        target = re.search(r"\bBRA\b.*?(0x[0-9a-f]+)", text)
        if not target or int(target[1], 16) >= address:
            continue
        body = [one for at, one in instructions if int(target[1], 16) <= at <= address]
        share = sum("FFMA" in one for one in body) / len(body)
        if share > best_share:
            best, best_share = body, share
    return best


def count(body):
    loop, kept = Loop(), {}
    for text in body:
        operation, _, operands = re.sub(r"^@!?U?P\w+ ", "", text).partition(" ")
        if not operation.startswith("FFMA"):
            loop.others += 1
            continue
        reads = [0, 0]
        for position, source in enumerate(operands.split(",")[1:4]):
            if not (register := re.match(r"\s*[-|]*R(\d+)(\.reuse)?", source)):
                continue
            number = int(register[1])
            bank = number % 2
            reads[bank] += kept.get((position, bank)) != number
            kept[position, bank] = number if register[2] else None
        loop.fmas += 1
        loop.cycles += max(1, *reads)
        loop.conflicts += max(reads) > 1
    return loop


def listing_of(cubin):
    for tool in ("cuobjdump", "nvdisasm"):
        if not shutil.which(tool):
            sys.exit(f"register_banks.py: there is no {tool}: it comes with the CUDA toolkit")
    process = subprocess.run(["cuobjdump", "-sass", cubin], capture_output=True, text=True)
    if process.returncode:
        sys.exit(f"register_banks.py: {cubin}: {process.stderr.strip()}")
    return process.stdout


def readable(name):
    """stream_k_kernel<true> of a mangled name; the mangled name where nothing says more."""
    if not shutil.which("c++filt"):
        return name
    text = subprocess.run(["c++filt", "-p", name], capture_output=True, text=True).stdout.strip()
    return re.sub(r"\w+::|\(bool\)", "", text).replace("<1>", "<true>").replace("<0>", "<false>")


def made_by(cubin):
    """{"toolkit": "13.0.88", "target": "sm_90a"}, as ptxas leaves it in what it makes."""
    text = pathlib.Path(cubin).read_bytes().decode("latin-1")
    found = {"toolkit": re.search(r"Cuda compilation tools, release [\d.]+, V([\d.]+)", text), "target": re.search(r"-arch (sm_\w+)", text)}
    return {key: match[1] for key, match in found.items() if match}


def rows_of(cubin):
    """A row for every kernel with FMAs in a loop."""
    rows = []
    for name, instructions in functions(listing_of(cubin)).items():
        loop = count(main_loop(instructions))
        if loop.fmas:
            rows.append({"kernel": readable(name), "FMAs": loop.fmas, "in two cycles": loop.conflicts, "other instructions": loop.others,
                         "cycles an FMA": round(loop.cycles_an_fma(), 3), "of the peak, %": round(100 / loop.cycles_an_fma())})
    return rows


def table(rows):
    lines = [list(rows[0])] + [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in lines)


def results(cubins, rows):
    """The text of a file of results: what was counted, of what, and how."""
    head = {"what": "FMAs of the main loops and the cycles that their registers take", **made_by(cubins[0]),
            "command": "scripts/measure/register_banks.py of cubins by nvcc -std=c++20 -O3 -cubin"}
    lines = [f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items()]
    return "{\n" + "".join(lines) + ' "rows": [\n' + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cubins", nargs="+", metavar="CUBIN")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the rows there too")
    options = parser.parse_args()
    rows = [row for cubin in options.cubins for row in rows_of(cubin)]
    if not rows:
        sys.exit("register_banks.py: no loop with FMAs")
    print(table(rows))
    if options.json:
        options.json.write_text(results(options.cubins, rows))


if __name__ == "__main__":
    main()
