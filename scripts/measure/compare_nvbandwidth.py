#!/usr/bin/env python3
"""Sets the steady rates of the study transfer beside those of NVIDIA's nvbandwidth, of one visit to one GPU.

    nvbandwidth -j -t host_to_device_memcpy_ce … > nvbandwidth.json
    transfer --only steady --json transfer.json
    scripts/measure/compare_nvbandwidth.py --ours transfer.json … --theirs nvbandwidth.json … --out FILE

    {"schema": "headroom-nvbandwidth/1", …, "rows": [
      {"what": "host to device", "testcase": "host_to_device_memcpy_ce", "bytes": 536870912,
       "ours": [55.51], "theirs": [55.49], "difference": 0.0004}, …]}

GB/s (10^9). Both time sixteen copies of 512 MiB between two events behind a gate, and take a median; bytes are counted
once, also within a device; against traffic, the rate is that of one direction while copies of twice the size go the
other way. `difference` is that of the means over the runs, relative to nvbandwidth's.
"""
import argparse
import json
import pathlib
import statistics
import sys

TESTCASES = {"host to device": "host_to_device_memcpy_ce", "device to host": "device_to_host_memcpy_ce",
             "host to device against traffic": "host_to_device_bidirectional_memcpy_ce",
             "device to host against traffic": "device_to_host_bidirectional_memcpy_ce",
             "device to device": "device_local_copy"}
THEIR_BYTES = 512 << 20   # nvbandwidth's default, which its output does not name


def rate_of(run, testcase):
    """GB/s of the first device; None where the test was not run or did not pass."""
    for case in run["nvbandwidth"]["testcases"]:
        if case["name"] == testcase and case["status"] == "Passed":
            return float(case["bandwidth_matrix"][0][0])
    return None


def compare(ours, theirs):
    rows = []
    for what, testcase in TESTCASES.items():
        found = [row for run in ours for row in run["steady"] if row["what"] == what and "median" in row]
        beside = [rate for rate in (rate_of(run, testcase) for run in theirs) if rate is not None]
        if not found or not beside:
            continue
        if any(row["bytes"] != THEIR_BYTES or row["wrong"] for row in found):
            raise SystemExit(f"compare_nvbandwidth: {what}: wrong bytes, or not the {THEIR_BYTES} bytes of nvbandwidth")
        rates = [row["bytes"] / row["median"] * 1e-9 for row in found]
        rows.append({"what": what, "testcase": testcase, "bytes": THEIR_BYTES, "ours": [round(rate, 2) for rate in rates],
                     "theirs": [round(rate, 2) for rate in beside],
                     "difference": round(statistics.mean(rates) / statistics.mean(beside) - 1, 5)})
    about = theirs[0]["nvbandwidth"]
    return {"schema": "headroom-nvbandwidth/1", "gpu": ours[0]["gpu"], "driver": about["Driver Version"],
            "runtime": ours[0]["runtime"], "nvbandwidth": about["git_version"], "date": ours[0]["date"],
            "unit": "GB/s, 10^9", "rows": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for side in ("--ours", "--theirs"):
        parser.add_argument(side, nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    result = compare(*([json.loads(path.read_text()) for path in side] for side in (arguments.ours, arguments.theirs)))
    text = json.dumps(result, indent=1)
    arguments.out.write_text(text + "\n")
    for row in result["rows"]:
        print(f"{row['what']:<32} ours {row['ours']}  nvbandwidth {row['theirs']}  {100 * row['difference']:+.2f} %")
    return 0 if result["rows"] else 1


if __name__ == "__main__":
    sys.exit(main())
