#!/usr/bin/env python3
"""Builds matrix products of CuTe and CUTLASS (github.com/NVIDIA/cutlass) as the executor can run them.

    scripts/corpus/build_cute.py CUTLASS FOLDER [--only REGEX]

Every row of the table below becomes FOLDER/<name>-cuda/main. CuTe's examples only time their gemm(), so they are built
into tests/corpus/cute_check.cu, which compares it with a plain sum; CUTLASS' own examples check themselves. Then

    scripts/corpus/corpus.py tests/corpus/cute.txt FOLDER --results results/cute.json
"""
import argparse
import pathlib
import re
import subprocess
import sys

HALF, FLOAT = "cute::half_t", "float"
TUTORIAL = "examples/cute/tutorial/"
PROGRAMS = [  # name, architecture, example, element; no element: the example has a check of its own
    ("sgemm_1", "sm_80", TUTORIAL + "sgemm_1.cu", FLOAT),
    ("sgemm_2", "sm_80", TUTORIAL + "sgemm_2.cu", FLOAT),
    ("sgemm_sm70", "sm_80", TUTORIAL + "sgemm_sm70.cu", FLOAT),
    ("sgemm_sm80", "sm_80", TUTORIAL + "sgemm_sm80.cu", FLOAT),
    ("hgemm_sm80", "sm_80", TUTORIAL + "sgemm_sm80.cu", HALF),
    ("hgemm_sm80_big", "sm_80", TUTORIAL + "sgemm_sm80.cu", HALF),
    ("wgmma_sm90", "sm_90a", TUTORIAL + "hopper/wgmma_sm90.cu", HALF),
    ("wgmma_sm90_NT", "sm_90a", TUTORIAL + "hopper/wgmma_sm90.cu", HALF),
    ("wgmma_tma_sm90", "sm_90a", TUTORIAL + "hopper/wgmma_tma_sm90.cu", HALF),
    ("wgmma_tma_sm90_NT", "sm_90a", TUTORIAL + "hopper/wgmma_tma_sm90.cu", HALF),
    ("tiled_copy", "sm_80", TUTORIAL + "tiled_copy.cu", None),
    ("warp_specialized_gemm", "sm_90a", "examples/48_hopper_warp_specialized_gemm/48_hopper_warp_specialized_gemm.cu", None),
]
CHECK = pathlib.Path(__file__).resolve().parents[2] / "tests/corpus/cute_check.cu"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cutlass", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="only programs whose name matches")
    options = parser.parse_args()
    cutlass = options.cutlass.resolve()
    if not (cutlass / "include/cute").is_dir():
        sys.exit(f"{options.cutlass}: has no include/cute\n  hint: give a checkout of github.com/NVIDIA/cutlass")
    includes = [f"-I{cutlass / each}" for each in ("include", "tools/util/include", "examples/common")]
    built = {}  # several rows may be one program with different arguments
    for name, architecture, example, element in PROGRAMS:
        if not re.search(options.only, name):
            continue
        program = options.folder / f"{name}-cuda" / "main"
        program.parent.mkdir(parents=True, exist_ok=True)
        known = built.setdefault((example, element), program)
        if known is not program:
            program.write_bytes(known.read_bytes())
            program.chmod(0o755)
            continue
        source = [str(CHECK), f'-DEXAMPLE="{cutlass / example}"', f"-DELEMENT={element}"] if element else [str(cutlass / example)]
        print(name, flush=True)
        subprocess.run(["nvcc", "-cudart", "shared", "-std=c++17", "-O3", "--expt-relaxed-constexpr", f"-arch={architecture}",
                        "-w", *includes, *source, "-o", str(program), "-lcuda"], check=True)


main()
