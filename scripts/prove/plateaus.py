#!/usr/bin/env python3
"""The plateaus of FMA chains on one SM of an H200, where more threads bring no more: measured, and as the time model predicts them.

    scripts/prove/plateaus.py results/h200/latency.json             with headroom on the path, and build/release/bin/latency here

Of 1024 threads and each variant of the study latency: measured cycles a step (the study's, on a GPU), predicted ones (those of the
predicted time on the one SM), both as the share of the lanes' peak, and what the first advice names but for the one that 131 SMs are idle. Exit code 1: one differs by more than
four hundredths of the peak, or a variant with two operands in one register bank is not told so.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import given  # noqa: E402
import run_record  # noqa: E402

THREADS, STEPS, LANES = 1024, 4096, 128
LATENCY = "build/release/bin/latency"
MOST_APART = 4  # percent of the peak
KEYS = {"variant", "threads", "of peak, %"}
BY_BANKS = ("one_chain", "two_chains", "three_chains")


def predicted():
    with tempfile.TemporaryDirectory() as folder:
        record, table = pathlib.Path(folder, "run.json"), pathlib.Path(folder, "table.json")
        subprocess.run(["headroom", "run", "--machine", "h200", "--report", f"{folder}/report.txt", "--json", record, "--", LATENCY, "--steps",
                        str(STEPS), "--threads", str(THREADS), "--repeat", "1", "--seed", "7", "--json", table], check=True, stdout=subprocess.DEVNULL)
        return list(zip(json.loads(table.read_text())["rows"], run_record.read_run(record)["launches"], strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    path = parser.parse_args().file
    data = given.read_results(path, "headroom-results/1", "results/h200/latency.json", KEYS)
    measured = {row["variant"]: row for row in data["rows"] if row["threads"] == THREADS}
    if not measured:
        given.stop(f"{path}: has no row of {THREADS} threads", "give a file as results/h200/latency.json")
    if not shutil.which("headroom") or not pathlib.Path(LATENCY).exists():
        given.stop(f"headroom is not on the path, or {LATENCY} not here", "build both, and run this in the folder of the project")
    wrong = 0
    print("1024 threads                measured, %  predicted, %  advice")
    for row, launch in predicted():
        if row["variant"] not in measured:
            given.stop(f"{path}: has no row of {row['variant']}", "give a file as results/h200/latency.json")
        prediction, there = launch["prediction"], measured[row["variant"]]
        share = 100 * THREADS * row["chains"] * STEPS / (prediction["sm_cycles"] * LANES)
        advice = next((each["id"] for each in launch["advice"] if each["id"] != "few_blocks"), "none")
        print(f"{row['variant']:14} {row['step']:12} {there['of peak, %']:11.1f} {share:13.1f}   {advice}")
        wrong += abs(share - there["of peak, %"]) > MOST_APART or (row["variant"] in BY_BANKS) != (advice == "register_banks")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
