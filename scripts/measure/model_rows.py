#!/usr/bin/env python3
"""What model_visit.sh left, as one file.

    scripts/measure/model_rows.py FOLDER -o FILE.json
    scripts/measure/model_rows.py --sum PROFILE.csv      launches of a profile and the sum of their times

    {"schema": "headroom-model-visit/1", "gpu": "NVIDIA H200", "driver": …, "toolkit": …, "profiler": …, "date": …,
     "commands": {"sgemm": "sgemm --size 1024 …", …},
     "launches": [{"program": "sgemm", "launch": 0, "kernel": "naive_kernel", "grid": [32, 32, 1], "block": [32, 32, 1],
                   "time_ns": [2893000, 2891000], "cycles": …, "active_cycles": …, "inst_executed": …, "ipc": …,
                   "stalls": {"long_scoreboard": 12.3, …}, …}, …],
     "probe": [{"probe": "read_dram", …}, …]}

time_ns has a time of each of two runs in which the profiler restored nothing; bytes of DRAM are of the first, all else is of a third. Stalls are warps that wait for the reason, for each instruction
issued. What the profiler did not give is left out.
"""
import argparse
import csv
import json
import pathlib
import re
import sys

SCHEMA = "headroom-model-visit/1"
NAMES = {
    "sm__cycles_elapsed.max": "cycles",
    "sm__cycles_active.avg": "active_cycles",
    "smsp__inst_executed.sum": "inst_executed",
    "smsp__inst_issued.sum": "inst_issued",
    "sm__inst_executed.avg.per_cycle_active": "ipc",
    "dram__bytes_read.sum": "dram_read_bytes",
    "dram__bytes_write.sum": "dram_write_bytes",
    "lts__t_sectors_op_read.sum": "l2_read_sectors",
    "lts__t_sectors_op_write.sum": "l2_write_sectors",
    "lts__t_sector_hit_rate.pct": "l2_hit_percent",
    "l1tex__t_sector_hit_rate.pct": "l1_hit_percent",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "occupancy_percent",
    "launch__registers_per_thread": "registers",
    "launch__occupancy_limit_blocks": "limit_blocks",
    "launch__occupancy_limit_registers": "limit_registers",
    "launch__occupancy_limit_shared_mem": "limit_shared",
    "launch__occupancy_limit_warps": "limit_warps",
}
TIME = "gpu__time_duration.sum"
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")


def rows_of(path):
    """Rows of the table that follows what the program prints; a row of units comes first, without an ID."""
    lines = path.read_text(encoding="utf-8").splitlines()
    begin = next((number for number, line in enumerate(lines) if line.startswith('"ID","Process ID"')), None)
    if begin is None:
        sys.exit(f"model_rows.py: {path}: no table of a profiler")
    table = [line for line in lines[begin:] if line.startswith('"')]
    return [row for row in csv.DictReader(table) if row["ID"]]


def number(text):
    """"1,234.5" -> 1234.5; None where there is none."""
    try:
        value = float(text.replace(",", ""))
    except (AttributeError, ValueError):
        return None
    return int(value) if value == int(value) else value


def extents(text):
    return [int(each) for each in re.findall(r"\d+", text)]


def kernel(text):
    """"void <unnamed>::load<2>(float *)" -> "load<2>"."""
    name = re.sub(r"^void ", "", text).replace("<unnamed>::", "").replace("unnamed>::", "").replace("(anonymous namespace)::", "")
    depth = 0
    for position, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            return name[:position].strip()
    return name


def launch_of(program, index, row, others):
    launch = {"program": program, "launch": index, "kernel": kernel(row["Kernel Name"]), "grid": extents(row["Grid Size"]),
              "block": extents(row["Block Size"]), "time_ns": [number(each.get(TIME)) for each in (row, *others[:1])]}
    stalls = {}
    for column, text in (others[-1] | row).items():
        value = number(text)
        if value is None or column is None:
            continue
        if column in NAMES:
            launch[NAMES[column]] = value
        elif match := STALL.fullmatch(column):
            stalls[match[1]] = value
    return launch | ({"stalls": stalls} if stalls else {})


def launches_of(program, profiles):
    tables = [rows_of(path) for path in profiles]
    shapes = [[(row["Kernel Name"], row["Grid Size"], row["Block Size"]) for row in table] for table in tables]
    if any(each != shapes[0] for each in shapes):
        sys.exit(f"model_rows.py: {program}: its profiles are not of the same launches")
    return [launch_of(program, index, rows[0], rows[1:]) for index, rows in enumerate(zip(*tables))]


def main():
    parser = argparse.ArgumentParser(description="What model_visit.sh left, as one file.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("-o", dest="file", type=pathlib.Path)
    parser.add_argument("--sum", action="store_true")
    options = parser.parse_args()
    if options.sum:
        times = [number(row[TIME]) or 0 for row in rows_of(options.folder)]
        print(f"{len(times):6} launches {sum(times) / 1e3:12.1f} us", end="")
        return
    visit = json.loads((options.folder / "visit.json").read_text(encoding="utf-8"))
    launches = []
    for program in visit["commands"]:
        profiles = [path for run in (1, 2, "all") if (path := options.folder / f"profiles/{program}.{run}.csv").exists()]
        if profiles:
            launches += launches_of(program, profiles)
    probe = options.folder / "probe.json"
    rows = json.loads(probe.read_text(encoding="utf-8")) if probe.exists() else []
    text = ",\n  ".join(json.dumps(launch) for launch in launches)
    probed = ",\n  ".join(json.dumps(row) for row in rows)
    head = json.dumps({"schema": SCHEMA} | visit)[:-1]
    written = f'{head},\n "launches": [\n  {text}],\n "probe": [\n  {probed}]}}\n'
    if options.file:
        options.file.write_text(written, encoding="utf-8")
    else:
        sys.stdout.write(written)


if __name__ == "__main__":
    main()
