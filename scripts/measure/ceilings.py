#!/usr/bin/env python3
"""What probes measured on the H200 beside what was measured before the first line was written, results/h200/ceilings.json; and the errors
and rates of functions of a number, each over all floats, results/h200/intrinsics.json.

    scripts/measure/ceilings.py [--check]

A row: the fact, the probe's value, their difference in percent, and for more than 3 % the explanation, or that there is none
yet ("unexplained" counts those). --check compares with the files instead of writing them.
"""
import json
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LIMIT = 3  # percent

# What, fact, unit, probe, value, point of a curve, explanation of a difference above the limit.
ROWS = [
    ("DRAM read, best kernel", 4558, "GB/s", "dram", "read", None, ""),
    ("DRAM write, best kernel", 4456, "GB/s", "dram", "write", None,
     "another kernel: with one store of 16 bytes a thread and blocks of 256, writes reach 4683; with eight stores, "
     "4554, where reads are fastest"),
    ("DRAM copy, best kernel", 4245, "GB/s", "dram", "copy", None, ""),
    ("cudaMemcpy device to device", 4236, "GB/s", "dram", "memcpy", None, ""),
    ("cudaMemset", 4535, "GB/s", "dram", "memset", None, ""),
    ("L2 read, best", 8500, "GB/s", "l2", "best", None,
     "another kernel: blocks that all read different parts at a time, past L1 and with four loads in flight; the facts "
     "give 7300 to 8500 for 4 to 48 MiB, gpu-benches 10000"),
    ("FP32 multiply-adds", 65.4, "10^12 operations/s", "arithmetic", "fp32_rate", None, ""),
    ("FP64 multiply-adds", 33.4, "10^12 operations/s", "arithmetic", "fp64_rate", None, ""),
    ("rsqrt", 16, "results/clk/SM", "arithmetic", "mufu_rsq", None, ""),
    ("latency of FFMA", 4, "cycles", "latency", "ffma", None, ""),
    ("latency of FADD", 4, "cycles", "latency", "fadd", None, ""),
    ("latency of FMUL", 4, "cycles", "latency", "fmul", None, ""),
    ("latency of IMAD", 4, "cycles", "latency", "imad", None, ""),
    ("latency of DFMA", 8, "cycles", "latency", "dfma", None, ""),
    ("latency of rsqrt.approx.ftz", 17, "cycles", "latency", "mufu_rsq", None, ""),
    ("latency of a shuffle", 24, "cycles", "synchronise", "shfl_down", None, ""),
    ("shared memory, load to use", 23, "cycles", "chase", "shared", None, ""),
    ("L1, load to use", 32, "cycles", "chase", "l1", None, ""),
    ("L2, load to use (the fact says near)", 280, "cycles", "chase", "l2", None, ""),
    ("DRAM, load to use", 690, "cycles", "chase", "dram", None,
     "lines over 1 GiB; over 64 GiB, where translations miss too, 686"),
    ("__syncthreads, 1 warp", 14, "cycles", "synchronise", "syncthreads", {"warps": 1}, ""),
    ("__syncthreads, 32 warps", 76, "cycles", "synchronise", "syncthreads", {"warps": 32}, ""),
    ("null kernel and synchronise", 7.4, "us", "launch", "null_sync", None, ""),
    ("kernels back to back", 2.5, "us", "launch", "back_to_back", None, ""),
    ("kernels in a graph", 0.55, "us", "launch", "graph", None, ""),
    ("a*b+c, 1 chain, of the FP32 rate", 0.49 * 128, "results/clk/SM", "banks", "a*b+c", {"chains": 1}, ""),
    ("a*b+c, 2 chains, of the FP32 rate", 0.66 * 128, "results/clk/SM", "banks", "a*b+c", {"chains": 2}, ""),
    ("a*b+c, 3 chains, of the FP32 rate", 0.75 * 128, "results/clk/SM", "banks", "a*b+c", {"chains": 3}, ""),
    ("a*b+c, 4 chains, of the FP32 rate", 0.98 * 128, "results/clk/SM", "banks", "a*b+c", {"chains": 4}, ""),
    ("a*a+a, 1 chain, of the FP32 rate", 0.96 * 128, "results/clk/SM", "banks", "a*a+a", {"chains": 1}, ""),
    ("a+b, 1 chain, of the FP32 rate", 0.96 * 128, "results/clk/SM", "banks", "a+b", {"chains": 1}, ""),
]


def measured(probes, probe, name, point):
    for value in probes.get(probe, {}).get("values", []):
        if value["value"] == name and value.get("at") == point:
            return value
    return None


def table(file):
    rows = []
    for what, fact, unit, probe, name, point, explanation in ROWS:
        value = measured(file["probes"], probe, name, point)
        if value is None:
            continue
        assert value["unit"] == unit, (what, value["unit"])
        difference = 100 * (value["median"] / fact - 1)
        row = {"what": what, "fact": round(fact, 2), "measured": value["median"], "unit": unit,
               "difference_percent": round(difference, 1)}
        if abs(difference) > LIMIT:
            row["explanation"] = explanation or "unexplained"
        rows.append(row)
    return rows


def date(file):
    return max(probe["date"] for probe in file["probes"].values())


def written(head, rows):
    lines = [f'  {json.dumps(key)}: {json.dumps(value)}' for key, value in head.items()]
    body = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in rows)
    return "{\n" + ",\n".join(lines) + ',\n  "rows": [\n' + body + "\n  ]\n}\n"


def ceilings(file):
    rows = table(file)
    return written({"schema": "headroom-ceilings/1", "command": "headroom machine measure", "gpu": file["gpu"], "driver": file["driver"],
                    "toolkit": file["toolkit"], "date": date(file),
                    "sm_clock_mhz": file["probes"]["dram"]["sm_clock"]["median"],
                    "memory_clock_mhz": file["probes"]["dram"]["memory_clock"]["median"],
                    "compared": len(rows),
                    "above_3_percent": sum("explanation" in row for row in rows),
                    "unexplained": sum(row.get("explanation") == "unexplained" for row in rows)}, rows)


def intrinsics(file):
    """A row a function: accurate, as the language has it, or fast, as an intrinsic or an instruction has it."""
    rows = {}
    for value in file["probes"]["intrinsics"]["values"]:
        name = value["value"].replace(" absolute error", "").replace(" error", "")
        is_fast = name.startswith("__") and not name.endswith("_rn") or ".approx" in name
        row = rows.setdefault(name, {"function": name, "kind": "fast" if is_fast else "accurate"})
        column = {"ulp": "error, ulp", "1": "absolute error"}.get(value["unit"], value["unit"])
        row[column] = value["median"]
    return written({"schema": "headroom-results/1", "study": "intrinsics", "title": "errors and rates of functions, over all floats",
                    "gpu": file["gpu"], "machine": file["machine"], "driver": file["driver"], "toolkit": file["toolkit"], "date": date(file)[:10],
                    "command": ["headroom machine measure"]}, list(rows.values()))


def main():
    with open(os.path.join(ROOT, "machines/measured/h200.json"), encoding="utf-8") as stream:
        file = json.load(stream)
    for name, now in (("ceilings", ceilings(file)), ("intrinsics", intrinsics(file))):
        path = os.path.join(ROOT, f"results/h200/{name}.json")
        if sys.argv[1:] != ["--check"]:
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(now)
            continue
        with open(path, encoding="utf-8") as stream:
            if stream.read() != now:
                sys.exit(f"results/h200/{name}.json is not what scripts/measure/ceilings.py writes\n  hint: run it and read the difference")


if __name__ == "__main__":
    main()
