#!/usr/bin/env python3
"""Draws the order in which HeCBench's CUDA programs are tried for the sample of tests/corpus/sample.txt.

    scripts/corpus/corpus_sample.py HECBENCH [--seen results/corpus.json] [--seed 3] [--left-out]

HECBENCH is a checkout of HeCBench's src folder. A program is a candidate if its folder <name>-cuda

  - is not among the programs that headroom was developed with (--seen),
  - has a Makefile with a target `run`,
  - links nothing but the CUDA runtime and the C library: no other library of NVIDIA, no MPI, Boost, GSL …,
  - has every data file that its target `run` names.

Prints the candidates, shuffled with the seed, one a line; the sample is the first hundred of them that build with
`make CC=nvcc ARCH=sm_80 EXTRA_CFLAGS="-cudart shared"` and verify what they compute. Which were passed over, and why,
stands in tests/corpus/replaced.txt. --left-out prints instead the folders that are no candidates, with the reason:

    adam-cuda <TAB> seen: among the programs that headroom was developed with
"""
import argparse
import json
import pathlib
import random
import re

SOURCES = {".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".hpp"}
OWN_LIBRARIES = {"m", "pthread", "rt", "cudart", "stdc++"}
FOREIGN = re.compile(r'#\s*include\s*[<"]((?:cublas|cusparse|cusolver|cufft|curand|cudnn|cutensor|cutlass|nccl|nvml|nvrtc|nvshmem|'
                     r'npp|nvjpeg|cuda_egl|cudaGL|mpi|boost/|gsl/|torch/|ATen/|c10/|fmt/|opencv|gdal|GL/|tbb/)[^>"]*)[>"]')


def run_arguments(makefile):
    """The words of the recipe of the target `run`."""
    recipe = re.search(r"^run\s*:.*\n((?:\t.*\n?)*)", makefile, re.MULTILINE)
    return recipe.group(1).split() if recipe else []


def why_not(folder, seen):
    """None for a candidate, else the reason in words."""
    if folder.name.removesuffix("-cuda") in seen:
        return "seen: among the programs that headroom was developed with"
    makefile = folder / "Makefile"
    if not makefile.exists():
        return "no Makefile in its folder"
    text = makefile.read_text(errors="replace")
    if not re.search(r"^run\s*:", text, re.MULTILINE):
        return "no target run"
    libraries = set(re.findall(r"(?<![\w-])-l([a-z]\w*)", text)) - OWN_LIBRARIES
    if libraries:
        return "library: links " + ", ".join(sorted(libraries))
    if re.search(r"\bmpi(cc|cxx|c\+\+|run)\b", text):
        return "library: MPI"
    for source in sorted(folder.rglob("*")):
        if source.suffix in SOURCES and source.is_file():
            foreign = FOREIGN.search(source.read_text(errors="replace"))
            if foreign:
                return f"library: {source.relative_to(folder)} includes {foreign.group(1)}"
    for word in run_arguments(text):
        word = word.strip("\"'`();")
        if re.search(r"[\w-]\.[a-zA-Z]\w*$|/.*/", word) and not word.startswith(("$", "-")) and not (folder / word).exists():
            return f"data: {word} is not there"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hecbench", type=pathlib.Path)
    parser.add_argument("--seen", type=pathlib.Path, default="results/corpus.json")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--left-out", action="store_true")
    options = parser.parse_args()
    seen = {program["name"] for program in json.loads(options.seen.read_text())["programs"]}
    reasons = {folder.name: why_not(folder, seen) for folder in sorted(options.hecbench.glob("*-cuda"))}
    if options.left_out:
        for name, reason in reasons.items():
            if reason:
                print(f"{name}\t{reason}")
        return
    order = [name.removesuffix("-cuda") for name, reason in reasons.items() if not reason]
    random.Random(options.seed).shuffle(order)
    print("\n".join(order))


if __name__ == "__main__":
    main()
