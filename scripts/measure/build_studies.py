#!/usr/bin/env python3
"""Builds the studies, and peers that run their rungs, with nvcc alone for the GPU of this machine.

    scripts/measure/build_studies.py build/measure/bin                       all of them
    scripts/measure/build_studies.py build/measure/bin copy sgemm --arch sm_90a
    scripts/measure/build_studies.py build/measure/bin --moderngpu FOLDER    the headers of https://github.com/moderngpu/moderngpu: FOLDER/src
    build/release/bin/headroom-lab measure --bin build/measure/bin

FOLDER/<name> are the programs, FOLDER/built_with.json says with what: {"toolkit": "13.0.88", "flags": "-O3 …"}. A program that
is newer than its sources stays. Exit code: 0 all are there, 1 nvcc failed, 127 there is no nvcc, or no GPU to build for.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOST_OPTIONS = dict.fromkeys(("barnes_hut", "nbody"), ("-Xcompiler", "-fopenmp,-fno-math-errno"))  # for loops on the host
# Programs that are no study: their folder, the study whose rungs they run, and libraries of the toolkit.
PEERS = {"sgemm_vs_cublas": ("peers/sgemm", "studies/sgemm", ("-lcublas",)), "fft_vs_cufft": ("peers/fft", "studies/fft", ("-lcufft",)),
         "merge_sort_vs_cub": ("peers/merge_sort", "studies/merge_sort", ()),
         "interval_move_vs_moderngpu": ("peers/interval_move", "studies/interval_move", ())}
# Those that run moderngpu, too, whose headers --moderngpu names; the last one is not built without.
WITH_MODERNGPU = ("merge_sort_vs_cub", "interval_move_vs_moderngpu")
STUDIES = ("barnes_hut", "copy", "fft", "interval_move", "latency", "merge_sort", "nbody", "registers", "sgemm", "spills", "transfer")


def fail(code, text):
    print(f"build_studies.py: {text}", file=sys.stderr)
    sys.exit(code)


def architecture():
    try:
        capability = subprocess.run(["nvidia-smi", "--id=0", "--query-gpu=compute_cap", "--format=csv,noheader"],
                                    capture_output=True, text=True, check=True).stdout.strip()
    except (FileNotFoundError, subprocess.CalledProcessError):
        fail(127, "nvidia-smi finds no GPU here: name an architecture with --arch")
    # From Hopper on with what only this architecture has: warp-group products.
    return "sm_" + capability.replace(".", "") + ("a" if float(capability) >= 9 else "")


def sources_of(name):
    folder, of_study, libraries = PEERS.get(name, (f"studies/{name}", "", ()))
    sources = sorted((ROOT / folder).rglob("*.cu"))
    if of_study:
        sources += sorted(path for path in (ROOT / of_study).glob("*.cu") if path.name != "main.cu")
    return sources, libraries


def build(nvcc, name, folder, flags, moderngpu):
    sources, libraries = sources_of(name)
    program = folder / name
    if program.exists() and all(path.stat().st_mtime < program.stat().st_mtime for path in sources):
        return
    options = [*flags, *HOST_OPTIONS.get(name, [])]
    if moderngpu and name in WITH_MODERNGPU:
        options += ["--extended-lambda", "-DMODERNGPU", f"-I{moderngpu / 'src'}"]
    objects, compilers = [], []
    for source in sources:
        objects.append(folder / f"{name}.{'.'.join(source.relative_to(ROOT).with_suffix('').parts)}.o")
        compilers.append(subprocess.Popen([nvcc, "-c", "-std=c++20", *options, f"-I{ROOT}", f"-I{ROOT}/include", str(source), "-o", str(objects[-1])],
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    said = [compiler.communicate()[0] for compiler in compilers]
    if any(compiler.returncode for compiler in compilers):
        fail(1, f"nvcc cannot build {name}: {' '.join(said).strip()[-400:]}")
    link = [nvcc, "-cudart", "static", *options, *map(str, objects), *libraries, "-ldl", "-o", str(program)]
    if subprocess.run(link).returncode:
        fail(1, f"nvcc cannot link {name}")
    for path in objects:
        path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: {', '.join((*STUDIES, *PEERS))}")
    parser.add_argument("--arch", help="default: of the first GPU here")
    parser.add_argument("--moderngpu", type=pathlib.Path, metavar="FOLDER", help="moderngpu, for the peers that run it")
    options = parser.parse_args()
    unknown = set(options.names) - {*STUDIES, *PEERS}
    if unknown:
        parser.error(f"no program {', '.join(sorted(unknown))}: there are {', '.join((*STUDIES, *PEERS))}")
    cuda = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path=str(cuda / "bin"))
    if not nvcc:
        fail(127, "no nvcc: put it on PATH, or set CUDA_HOME")
    flags = ["-O3", "-lineinfo", f"-arch={options.arch or architecture()}"]
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or (*STUDIES, *PEERS):
        if name == WITH_MODERNGPU[-1] and not options.moderngpu:
            print(f"build_studies.py: {name} is not built: it needs --moderngpu", file=sys.stderr)
            continue
        build(nvcc, name, options.folder, flags, options.moderngpu)
    toolkit = re.search(r"V([\d.]+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout)[1]
    (options.folder / "built_with.json").write_text(json.dumps({"toolkit": toolkit, "flags": " ".join(flags)}) + "\n")


if __name__ == "__main__":
    main()
