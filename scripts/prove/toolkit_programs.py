#!/usr/bin/env python3
"""Programs of the tests and the studies, built by another toolkit's nvcc, run by both engines with that toolkit's ptxas.

    scripts/prove/toolkit_programs.py BUILD TOOLKIT [--headroom BUILD/bin/headroom] [--results results/toolkit_programs.json]
                                      [--work build/other_toolkit] [--only REGEX] [--again]

TOOLKIT is a folder with bin/nvcc, such as site-packages/nvidia/cu13 of the packages nvidia-cuda-nvcc, nvidia-cuda-runtime,
nvidia-nvvm, nvidia-cuda-crt, nvidia-cuda-cccl and nvidia-cuda-cuobjdump. Each program is built by the commands that ninja has for it in BUILD,
with the one toolkit named in place of the other, into --work; the programs check themselves. Its output stands beside that of BUILD's own
program, which the toolkit of the build made.

{"toolkit": "13.5.37", "ptx": "9.3", "kept": "13.0.88", "programs": [{"name": "runtime_symbols", "arguments": [], "ptx": "9.3",
"machine": {"exit": 0, "launches": 4, "by_machine_code": 4, "fallbacks": {}, "output": "equal", "as_kept": true}, "ptx_engine": {…}}, …]}

fallbacks: why launches ran by PTX all the same, and how many. output: "equal" to that of the program of BUILD by the same engine, "times" where it
is but for numbers of lines that speak of times, or "differs"; as_kept: all else is as of that program. Exit code: 0 when every program was built,
ended with 0 by its machine code, and did by both engines what that of BUILD does.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import run_record  # noqa: E402
from prove_compare import compare_output  # noqa: E402

SCHEMA = "headroom-toolkit-programs/1"
TESTS = """at_exit barriers_in_memory capture clusters cooperative copy_async cub_scan cub_sort device devices driver_entry events fault graphs
host_functions kernels launch_attributes launches launches_inside limits memory occupancy parameters peers pools printing relocatable symbols
tallies tensor_copy textures thrust_sort uniform_branch virtual""".split()
STUDIES = {"copy": ["--bytes", "64K"], "latency": [], "nbody": ["--bodies", "512"], "registers": [], "sgemm": ["--size", "128"], "spills": [],
           "merge_sort": [], "interval_move": [], "fft": [], "barnes_hut": ["--bodies", "500"]}
PROGRAMS = {f"tests/programs/runtime_{name}": [] for name in TESTS} | {"tests/programs/device_runtime": []} | {
    f"bin/{name}": [*arguments, "--seed", "1", "--repeat", "1"] for name, arguments in STUDIES.items()}
TWO_DEVICES = ("runtime_devices", "runtime_peers")


def said(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def version(toolkit):
    return re.search(r"V([\d.]+)", said([toolkit / "bin" / "nvcc", "--version"]).stdout)[1]


def commands(build, target, replaced):
    """What ninja would run for a program, in its order, with every path of the other toolkit and folder."""
    for line in said(["ninja", "-C", build, "-t", "commands", target]).stdout.splitlines():
        if "/nvcc " not in line and "-include cuda_runtime.h" not in line:
            continue
        line = re.sub(r" && \S+cmake -E cmake_transform_depfile.*", "", line).replace("/usr/bin/ccache ", "")
        line = re.sub(r"-MD -MF \S+", "", line)
        for old, new in replaced:
            line = line.replace(old, new)
        yield line


def build_program(target, options, replaced):
    """None, or what the compiler said of it."""
    made = options.work / target
    if made.exists() and not options.again:
        return None
    for folder in (made.parent, options.work / "tests", options.work / "studies"):
        folder.mkdir(parents=True, exist_ok=True)
    for command in commands(options.build, target, replaced):
        process = said(["bash", "-c", command])
        if process.returncode:
            return (process.stderr + process.stdout).strip().splitlines()[-1]
    return None if made.exists() else "no command makes it"


def ptx_version(program, toolkit):
    """Of the PTX in a program: "9.3"."""
    listing = said([toolkit / "bin" / "cuobjdump", "-ptx", program]).stdout
    found = sorted(set(re.findall(r"^\.version ([\d.]+)", listing, re.MULTILINE)))
    return " ".join(found) or None


def run(program, arguments, engine, toolkit, options):
    """The facts of one run, and what it printed."""
    report = options.work / "report.json"
    report.unlink(missing_ok=True)
    environment = os.environ | {"HEADROOM_CACHE": str(options.work / "cache")} | ({"HEADROOM_TOOLKIT": str(toolkit)} if toolkit else {})
    if program.name in TWO_DEVICES:
        environment["HEADROOM_DEVICES"] = "2"
    try:
        process = said([options.headroom, "run", "--engine", engine, "--no-model", "--report", os.devnull, "--json", report, "--", program,
                        *arguments], env=environment, timeout=options.timeout, cwd=options.work)
    except subprocess.TimeoutExpired:
        return {"exit": "time limit"}, ""
    launches = run_record.read_run(report)["launches"] if report.exists() else []
    fallbacks = collections.Counter(caveat["cause"] for launch in launches for caveat in launch.get("caveats", [])
                                    if caveat["what"].startswith("its PTX ran"))
    return {"exit": process.returncode, "launches": len(launches),
            "by_machine_code": sum(launch.get("engine") == "machine" for launch in launches), "fallbacks": dict(fallbacks)}, process.stdout


def examine(target, arguments, options, replaced):
    row = {"name": target.rsplit("/", 1)[-1], "arguments": arguments}
    if error := build_program(target, options, replaced):
        return row | {"not_built": error}
    row["ptx"] = ptx_version(options.work / target, options.toolkit)
    for engine in ("machine", "ptx"):
        facts, output = run(options.work / target, arguments, engine, options.toolkit, options)
        kept, kept_output = run(options.build / target, arguments, engine, None, options)
        row[{"machine": "machine", "ptx": "ptx_engine"}[engine]] = facts | {
            "output": compare_output(output, kept_output)["output"], "as_kept": facts == kept}
    return row


def is_right(row):
    return "machine" in row and row["machine"]["exit"] == 0 and row["machine"]["as_kept"] and row["ptx_engine"]["as_kept"]


def print_row(row):
    if "not_built" in row:
        print(f"{row['name']:<30} not built: {row['not_built']}", flush=True)
        return
    engines = (f"{row[engine]['exit']} {row[engine].get('launches', '-')} launches, {row[engine].get('by_machine_code', '-')} by machine code, "
               f"{row[engine]['output']}" for engine in ("machine", "ptx_engine"))
    print(f"{row['name']:<30} {' | '.join(engines)} {row['machine'].get('fallbacks') or ''}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("toolkit", type=pathlib.Path)
    parser.add_argument("--headroom", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, default="results/toolkit_programs.json")
    parser.add_argument("--work", type=pathlib.Path, default="build/other_toolkit")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--again", action="store_true", help="build also what is there")
    parser.add_argument("--timeout", type=float, default=600, help="seconds a run (default 600)")
    options = parser.parse_args()
    options.build, options.toolkit, options.work = options.build.resolve(), options.toolkit.resolve(), options.work.resolve()
    options.headroom = (options.headroom or options.build / "bin" / "headroom").resolve()
    kept = pathlib.Path(re.search(r"^NVCC:FILEPATH=(.*)$", (options.build / "CMakeCache.txt").read_text(), re.MULTILINE)[1]).parents[1]
    options.work.mkdir(parents=True, exist_ok=True)
    link = options.work / "libcudart.so"  # the packages have no such name, which nvcc links
    link.unlink(missing_ok=True)
    link.symlink_to(next(path for path in options.toolkit.glob("lib*/libcudart.so.*")))
    replaced = [(f"-rpath={kept}/lib64", f"-rpath={link.resolve().parent} -L{options.work}"), (f"{kept}/", f"{options.toolkit}/"),
                (str(options.build), str(options.work))]
    rows = []
    for target, arguments in PROGRAMS.items():
        if re.search(options.only, target):
            rows.append(examine(target, arguments, options, replaced))
            print_row(rows[-1])
    right = sum(map(is_right, rows))
    options.results.write_text(json.dumps(
        {"schema": SCHEMA, "toolkit": version(options.toolkit), "kept": version(kept), "date": datetime.date.today().isoformat(),
         "summary": {"programs": len(rows), "right": right}, "programs": rows}, indent=1) + "\n")
    print(f"\n{right} of {len(rows)} programs end with 0, and do by both engines what those of toolkit {version(kept)} do")
    return 0 if right == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
