#!/usr/bin/env python3
"""Compiles the last rung of a study with every tuning of a range, many at a time, and measures one after the other on a GPU.

    scripts/measure/tune.py merge_sort FOLDER --keys int32 --size 2^25
    scripts/measure/tune.py interval_move FOLDER --average 4,64 --size 2^27
    scripts/measure/tune.py merge_sort FOLDER --keys int64 --records pairs --size 2^24 --only MERGE_NT=256 --only MERGE_VT=13,15

FOLDER/bin/ has the study's objects (made if they are not there), FOLDER/tune_<study>_<keys or lengths>.jsonl a row for each tuning: its numbers and
"cost" in seconds, registers and spilled bytes; or "why" it has none: it does not compile, is wrong, crashes, takes too long. A second
call goes on where the first one ended. The best ones are printed last, and the winner as rows of a LaunchBox table, with where they are from:

    headroom::Row<90, 256, 31>  // MERGE: NVIDIA H100 80GB HBM3, driver 580.159.04, CUDA 13.0.88, 2026-11-25, --keys int32 --size 2^24: 591.3 us

Without a GPU every row says why.
Exit code: 0 when some tuning was measured.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from build_studies import ROOT, architecture
from search import best, by_groups, search, ties

NOISE = 0.01
# The file that is compiled anew; the numbers, of which the first value of each is where the search begins; and the groups in which it goes.
STUDIES = {
    "merge_sort": {
        "rung": "even_passes",
        "space": {"SORT_NT": [512, 256, 1024], "SORT_VT": [23, 9, 11, 13, 15, 17, 19, 21], "SORT_OCC": [0],
                  "MERGE_NT": [256, 512], "MERGE_VT": [25, 11, 13, 15, 17, 19, 21, 23, 27, 31], "MERGE_OCC": [0]},
        "groups": (("MERGE_NT", "MERGE_VT", "MERGE_OCC"), ("SORT_NT", "SORT_VT", "SORT_OCC")),
    },
    "interval_move": {
        "rung": "whole_lines",
        "space": {"TUNED_NT": [128, 256, 512], "TUNED_VT": [16, 8, 12, 20, 24, 28], "TUNED_OCC": [0]},
        "groups": (("TUNED_NT", "TUNED_VT", "TUNED_OCC"),),
    },
}


def launch_box_rows(winner, architecture, origin):
    """A line for each kernel that the tuning is of: SORT_NT, SORT_VT and SORT_OCC are one."""
    lines = []
    for name in [key.removesuffix("_NT") for key in winner if key.endswith("_NT")]:
        numbers = [architecture, winner[f"{name}_NT"], winner[f"{name}_VT"], winner.get(f"{name}_OCC", 0)]
        shown = numbers if numbers[-1] else numbers[:-1]
        lines.append(f"headroom::Row<{', '.join(map(str, shown))}>  // {name}: {origin}: {winner['cost'] * 1e6:.1f} us")
    return lines


def gpu_here():
    """Its name and driver; empty where there is none."""
    try:
        said = subprocess.run(["nvidia-smi", "--id=0", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return ", driver ".join(said.stdout.strip().split(", ")) if said.returncode == 0 else ""


class Tuner:
    def __init__(self, study, folder, options, arguments):
        self.study, self.rung, self.bin = study, STUDIES[study]["rung"], folder / "bin"
        self.arguments = arguments
        self.bin.mkdir(parents=True, exist_ok=True)
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        self.compiler = [nvcc, "-std=c++20", "-O3", f"-arch={options.arch or architecture()}", f"-I{ROOT}", f"-I{ROOT}/include"]
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        self.others = list(self.pool.map(self.object_of, [path for path in sorted((ROOT / "studies" / study).glob("*.cu"))
                                                          if path.stem != self.rung]))

    def object_of(self, source):
        target = self.bin / f"{self.study}.{source.stem}.o"
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            subprocess.run([*self.compiler, "-c", str(source), "-o", str(target)], check=True, capture_output=True)
        return target

    def built(self, tuning):
        """(tuning, program or None, what the compiler said)"""
        name = self.bin / f"{self.study}_{'_'.join(map(str, tuning.values()))}"
        numbers = [f"-D{name}={value}" for name, value in tuning.items()]
        source = ROOT / "studies" / self.study / f"{self.rung}.cu"
        done = subprocess.run([*self.compiler, "-Xptxas", "-v", *numbers, str(source), *map(str, self.others), "-o", str(name)],
                              capture_output=True, text=True)
        return tuning, None if done.returncode else name, done.stderr

    def measured(self, tuning, program, said):
        """The row of a tuning."""
        if not program:
            return tuning | {"why": "does not compile: " + next((line for line in said.splitlines() if "error" in line), "")[:200]}
        row = tuning | {"registers": max(map(int, re.findall(r"Used (\d+) registers", said)), default=0),
                        "spilled, B": sum(map(int, re.findall(r"(\d+) bytes spill stores", said)))}
        result = program.with_suffix(".json")
        try:
            done = subprocess.run([str(program), "--rung", self.rung, "--seed", "1", "--json", str(result), *self.arguments],
                                  capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return row | {"why": "takes more than a minute"}
        rows = json.loads(result.read_text())["rows"] if result.exists() and done.returncode in (0, 1) else []
        program.unlink()
        if any(one["verified"] != "PASS" for one in rows):
            return row | {"why": "is wrong"}
        if done.returncode or not rows:
            return row | {"why": f"exit code {done.returncode}: {(done.stderr.strip() or done.stdout.strip())[-200:]}"}
        return row | {"cost": sum(one["time by events, us"] for one in rows) * 1e-6, "spread, %": max(one["spread, %"] for one in rows)}

    def cost(self, tunings):
        """Compiled many at a time, measured alone, in the order in which they are ready."""
        for built in concurrent.futures.as_completed([self.pool.submit(self.built, tuning) for tuning in tunings]):
            yield self.measured(*built.result())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--keys", help="of merge_sort: int32 (the default), int64")
    parser.add_argument("--records", choices=("keys", "pairs"), default="keys", help="of merge_sort (default keys)")
    parser.add_argument("--average", help="of interval_move: lengths of intervals, with commas between (default 4,16,64,1024)")
    parser.add_argument("--kind", default="move", help="of interval_move: expand, gather, scatter, move (the default)")
    parser.add_argument("--size", default="2^25")
    parser.add_argument("--only", action="append", default=[], metavar="NAME=A,B", help="these values of a number, the first to begin with")
    parser.add_argument("--arch", help="default: of the first GPU here")
    options = parser.parse_args()
    space = dict(STUDIES[options.study]["space"])
    for only in options.only:
        name, _, values = only.partition("=")
        if name not in space or not re.fullmatch(r"\d+(,\d+)*", values):
            parser.error(f"--only {only}: names are {', '.join(space)}, values are whole numbers")
        space[name] = list(map(int, values.split(",")))
    chosen = options.keys or "int32" if options.study == "merge_sort" else options.average or "4,16,64,1024"
    of_pairs = options.study == "merge_sort" and options.records == "pairs"
    of_kind = options.study == "interval_move" and options.kind != "move"
    more = ("_pairs" if of_pairs else "") + (f"_{options.kind}" if of_kind else "")
    path = options.folder / f"tune_{options.study}_{chosen}{more}.jsonl"
    options.folder.mkdir(parents=True, exist_ok=True)
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    tuner = Tuner(options.study, options.folder.resolve(), options,
                  ["--keys" if options.study == "merge_sort" else "--average", chosen, "--size", options.size,
                   *(("--records", "pairs") if of_pairs else ()), *(("--kind", options.kind) if of_kind else ())])

    def keep(row):
        with path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(" ".join(f"{name} {row[name]}" for name in space), f"{row['cost'] * 1e6:.1f} us" if "cost" in row else row["why"], flush=True)

    start = {name: values[0] for name, values in space.items()}
    rows = search(space, by_groups(start, *STUDIES[options.study]["groups"]), tuner.cost, found, keep)
    print(f"\n{len(rows)} tunings, {sum('cost' in row for row in rows)} measured; within {NOISE:.0%} of the best:")
    for row in ties(rows, NOISE):
        print(f"  {row['cost'] * 1e6:9.1f} us  " + " ".join(f"{name} {row[name]}" for name in space) + f"  {row['registers']} registers")
    winner = best(rows)
    if winner:
        toolkit = re.search(r"V([\d.]+)", subprocess.run([tuner.compiler[0], "--version"], capture_output=True, text=True).stdout)
        origin = f"{gpu_here()}, CUDA {toolkit[1] if toolkit else 'unknown'}, {datetime.date.today()}, {' '.join(tuner.arguments)}"
        print("\nas rows of a LaunchBox table:")
        for line in launch_box_rows(winner, int(re.sub(r"\D", "", options.arch or architecture())), origin):
            print(f"  {line}")
    return 0 if winner else 1


if __name__ == "__main__":
    sys.exit(main())
