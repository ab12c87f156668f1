#!/usr/bin/env python3
"""Builds NVIDIA's CUDA samples (github.com/NVIDIA/cuda-samples) as the executor can run them, with nvcc alone.

    scripts/corpus/build_samples.py SAMPLES FOLDER [--list tests/samples.txt] [--only REGEX] [--arch sm_80] [--cudart static] [--strip]
    scripts/corpus/build_samples.py SAMPLES FOLDER --list tests/driver_samples.txt --driver

What a sample consists of is read from its CMakeLists.txt: sources, include folders, whether device code is linked
across its files (CUDA_SEPARABLE_COMPILATION: -rdc=true), and which libraries it links. Every sample that needs no
graphics, no mathematical library, no run-time compiler and no driver API becomes FOLDER/<name>-cuda/main with its data
files beside it, built for one architecture with -cudart shared. FOLDER/samples.json says what became of each:

--driver builds those that want the driver API or the run-time compiler instead, with the kernels that they load (fat binary, PTX or
source) beside them.

    [{"name": "vectorAdd", "category": "0_Introduction", "separable": true, "left_out": null, "built": true}, …]

A sample counts as needing a library if it links it and calls it; a few link what they never call. Constants of the
list's last column replace those of the sources (`#define NAME value`, `int NAME = value;`), in copies of them.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

CUDA_LIBRARIES = {  # as CMake calls it: (why the sample is left out, what a call of it looks like)
    "cublas": ("mathematical library", r"\bcublas(Xt|Lt)?[A-Z]\w*\s*\("),
    "cufft": ("mathematical library", r"\bcufft(Xt)?[A-Z]\w*\s*\("),
    "curand": ("mathematical library", r"\bcurand[A-Z]\w*\s*\("),
    "cusolver": ("mathematical library", r"\bcusolver\w+\s*\("),
    "cusparse": ("mathematical library", r"\bcusparse[A-Z]\w*\s*\("),
    "npp": ("image library", r"\bnppi?[A-Z]\w*\s*\("),
    "nvjpeg": ("image library", r"\bnvjpeg[A-Z]\w*\s*\("),
    "nvrtc": ("run-time compiler", r"."),
    "cuda_driver": ("driver API", r"\bcu[A-Z]\w*\s*\("),
}
PLATFORM = [(r"OPENGL|OpenGL|GLUT|EGL_|Vulkan|d3d11|d3d12", "graphics"), (r"NVSCI|CUDLA", "Tegra"), (r"MPI_C", "MPI"),
            (r"NVVM_LIB", "libNVVM"), (r"nvJitLink|NVJITLINK", "run-time compiler"), (r"FreeImage", "image library")]


def without_comments(text):
    return re.sub(r"#[^\n]*", "", text)


def words_of(cmake, command):
    """Every argument that any call of the command has, but for its target and keywords."""
    found = []
    for arguments in re.findall(rf"\b{command}\s*\(([^)]*)\)", cmake):
        found += [word for word in arguments.split() if word not in ("PUBLIC", "PRIVATE", "WIN32")]
    return found


def read_sample(path):
    cmake = without_comments(path.read_text())
    executable = words_of(cmake, "add_executable")
    if not executable:
        return None
    name = executable[0]
    sources = [str((path.parent / word).resolve()) if word.startswith("..") else word for word in executable[1:]]
    libraries = " ".join(words_of(cmake, "target_link_libraries"))
    code = "".join((path.parent / source).read_text(errors="replace") for source in sources
                   if (path.parent / source).is_file())
    left_out = next((why for pattern, why in PLATFORM if re.search(pattern, libraries)), None)
    for library, (why, call) in CUDA_LIBRARIES.items():
        if not left_out and re.search(rf"CUDA::{library}", libraries) and re.search(call, code):
            left_out = why
    if not left_out and any("<boost/" in header.read_text(errors="replace") for header in path.parent.rglob("*.h")):
        left_out = "Boost"
    if not left_out and path.parts[-3] == "7_libNVVM":
        left_out = "libNVVM"
    includes = [word for word in words_of(cmake, r"(?:target_)?include_directories")
                if re.match(r"\w+$", word) and (path.parent / word).is_dir()]
    return {"name": name, "category": path.relative_to(path.parents[2]).parts[0], "folder": path.parent,
            "common": path.parents[3] / "Common", "sources": sources, "includes": includes, "openmp": "OpenMP" in libraries,
            "separable": bool(re.search(r"CUDA_SEPARABLE_COMPILATION\s+ON", cmake)), "left_out": left_out, "cmake": cmake}


def read_constants(path):
    """{sample: {constant: value}} from the list's last column."""
    constants = {}
    for line in path.read_text().splitlines():
        columns = line.split("\t")
        if not line.startswith("#") and len(columns) >= 7 and columns[6] != "-":
            constants[columns[0]] = dict(word.split("=") for word in columns[6].split())
    return constants


def with_constants(text, constants):
    for name, value in constants.items():
        text = re.sub(rf"(#define[ \t]+{name}[ \t]+)[^\n]*", rf"\g<1>{value}", text)
        text = re.sub(rf"(\b(?:u?int|unsigned(?: int)?|u?size_t|float)\s+{name}\s*=\s*)[^;,]+", rf"\g<1>{value}", text)
    return text


def copy_sources(sample, folder, constants):
    """The sample's sources and headers, with the constants; where they include from stays as it was."""
    for path in [*sample["folder"].rglob("*")]:
        if path.suffix in (".cu", ".cpp", ".c", ".h", ".cuh", ".hpp", ".inl"):
            copy = folder / path.relative_to(sample["folder"])
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(with_constants(path.read_text(errors="replace"), constants), errors="replace")
    sample["folder"] = folder


def command_for(sample, options, output):
    command = ["nvcc", "-cudart", options.cudart, f"-arch={options.arch}", "-std=c++17", "-O2", "-lineinfo", "--extended-lambda",
               "-Wno-deprecated-gpu-targets", "-w", "-o", str(output)]
    if sample["separable"]:
        command.append("-rdc=true")
    if sample["openmp"]:
        command += ["-Xcompiler", "-fopenmp"]
    command += [f"-I{folder}" for folder in [sample["common"], *sample["includes"]]]
    if options.strip:
        command += ["-Xlinker", "-s"]
    return command + sample["sources"] + ["-lpthread", "-lrt"] + (["-lnvrtc", "-lnvJitLink", "-lcuda", "-ldl"] if options.driver else [])


def copy_kernels(sample, folder, options):
    """What a program of the driver API loads when it runs: CMake makes it of a kernel's source, or copies that and its headers."""
    cmake = sample["cmake"]
    source = re.search(r"CUDA_KERNEL_SOURCE \"\$\{CMAKE_CURRENT_SOURCE_DIR\}/([\w.]+)\"", cmake)
    for name, kind in re.findall(r"/(\w+)\.(fatbin|ptx|cubin)\"", cmake) if source else []:
        subprocess.run(["nvcc", f"-{kind}", f"-arch={options.arch}", "-Wno-deprecated-gpu-targets", f"-I{sample['common']}", "-o",
                        str(folder / f"{name}.{kind}"), source[1]], cwd=sample["folder"], check=True)
    for kernel in [*sample["folder"].glob("*_kernel.cu"), *sample["folder"].glob("*.cuh"), *sample["folder"].glob("*.h")]:
        shutil.copy(kernel, folder)
    include = pathlib.Path(shutil.which("nvcc")).resolve().parents[1] / "include"
    if "cooperative_groups.h" in cmake:
        shutil.copy(include / "cooperative_groups.h", folder)
        for header in include / "cooperative_groups", include / "cccl/nv", include / "cccl/cuda":
            shutil.copytree(header, folder / header.name, dirs_exist_ok=True)


def copy_data(sample, folder):
    """What the build copies beside the program, and the samples look for in ./data."""
    for data in [sample["folder"] / "data", sample["folder"]]:
        for file in data.glob("*") if data.is_dir() else []:
            if file.is_file() and file.suffix not in (".cu", ".cpp", ".c", ".h", ".cuh", ".md", ".txt"):
                shutil.copy(file, folder)
    if (sample["folder"] / "data").is_dir():
        shutil.copytree(sample["folder"] / "data", folder / "data", dirs_exist_ok=True)


def build(sample, constants, options):
    """A sample is built again when its constants have changed."""
    folder = (options.folder / f"{sample['name']}-cuda").resolve()
    program, log = folder / "main", folder / "build.log"
    head = f"architecture {options.arch}, runtime {options.cudart}{', stripped' if options.strip else ''}, constants {json.dumps(constants)}\n"
    if program.exists() and log.exists() and log.read_text().startswith(head):
        return True
    program.unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    copy_data(sample, folder)
    if constants:
        copy_sources(sample, folder / "sources", constants)
    if options.driver:
        copy_kernels(sample, folder, options)
    done = subprocess.run(command_for(sample, options, program), cwd=sample["folder"], capture_output=True, text=True)
    log.write_text(head + done.stdout + done.stderr)
    return program.exists()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=pathlib.Path, help="the repository's folder")
    parser.add_argument("folder", type=pathlib.Path, help="where the programs go")
    parser.add_argument("--list", type=pathlib.Path, default="tests/samples.txt", help="whose constants to use")
    parser.add_argument("--only", default="", metavar="REGEX", help="samples whose name matches")
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--cudart", default="shared", choices=("shared", "static"))
    parser.add_argument("--strip", action="store_true", help="without symbols")
    parser.add_argument("--driver", action="store_true", help="those of the driver API and the run-time compiler")
    options = parser.parse_args()
    wanted = ("driver API", "run-time compiler") if options.driver else (None,)
    found = sorted((options.samples / "Samples").glob("*/*/CMakeLists.txt"))
    found += sorted((options.samples / "Samples").glob("8_*/*/*/CMakeLists.txt"))
    if not found:
        sys.exit(f"build_samples.py: {options.samples}: no Samples/*/*/CMakeLists.txt in it")
    constants, rows = read_constants(options.list), []
    for path in found:
        sample = read_sample(path)
        if not sample:
            continue
        row = {key: sample[key] for key in ("name", "category", "separable", "left_out")}
        if sample["left_out"] in wanted and re.search(options.only, sample["name"]):
            row["built"] = build(sample, constants.get(sample["name"], {}), options)
            print(f"{sample['name']:<32}{'built' if row['built'] else 'not built: see its build.log'}", flush=True)
        rows.append(row)
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "samples.json").write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if all(row.get("built", True) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
