#!/usr/bin/env python3
"""What the time model says of kernels with one planted problem each, and of their twins without it.

    named.py HEADROOM ADVICE SOURCES        a row a pair; exit code 0: as EXPECTED below says

Named: the problem is the first or second advice of the kernel. Line: its advice points at the planted line or three lines around.
Accused: the twin has the same advice, for more than a quarter of its time. Gain: of those in GAINS it is within a factor
of 1.5 of the difference between the two predicted times. Then: what gains more once the problem is gone has that gain, within the
same factor, in the advice on the twin. One way: of low occupancy the advice on it is silent about independent work a thread.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

IDS = {  # of the problem: advice that names it
    "uncoalesced": {"uncoalesced"}, "uncoalesced_store": {"uncoalesced"}, "excess_sectors_aos": {"uncoalesced"},
    "bank_conflicts_32": {"bank_conflicts"}, "bank_conflicts_8": {"bank_conflicts"}, "divergence": {"divergence"},
    "barriers": {"barriers"}, "spills": {"spills"}, "dynamic_indexing": {"local_memory"}, "low_occupancy_shared": {"occupancy"},
    "few_warps": {"latency"}, "dependent_fma": {"dependences"}, "pointer_chase": {"latency"},
    "contended_atomics_one_address": {"atomics"}, "shared_atomics_contended": {"shared_atomics"}, "global_atomics_returning": {"atomics"},
    "tail": {"tail"}, "few_blocks": {"few_blocks"}, "double_constants": {"double_precision"}, "integer_division": {"integer_division"},
    "special_functions": {"accurate_functions"}, "small_blocks": {"small_blocks"}, "redundant_global_reload": {"reloads"},
    "scalar_accesses": {"narrow_accesses"}, "rounded_roots": {"correct_rounding"}, "wide_division": {"integer_division"},
    "double_division": {"double_precision"}, "columns": {"uncoalesced"}, "bank_conflicts_16": {"bank_conflicts"},
    "global_histogram": {"atomics"}, "every_second": {"uncoalesced"}, "bank_conflicts_4": {"bank_conflicts"},
    "column_stores": {"uncoalesced"}, "unequal_loops": {"divergence"}, "redundant_barriers": {"barriers"}, "one_chain": {"dependences"},
    "four_blocks": {"few_blocks"}, "tiny_launch": {"launch"}, "low_occupancy_blocks": {"occupancy", "small_blocks"},
    "contended_float_atomics": {"atomics"}, "remainder": {"integer_division"}, "counts_in_local": {"local_memory"},
    "one_result": {"shared_loads"}, "double_means": {"double_precision"}, "unequal_lists": {"unequal_work"},
    "scalar_halves": {"scalar_halves"}, "row_a_thread": {"uncoalesced"},
    "constants_by_lane": {"constants_by_lane"}, "idle_lanes": {"divergence"}, "warp_sums": {"warp_sums"},
    "bytes_to_floats": {"narrow_accesses"},
    "halves_in_shared": {"block_trees"}, "factors_in_global": {"uniform_loads"},
    "swapped_sum": {"retried_swaps"}, "swapped_most": {"retried_swaps"}}
NO_LINE = {"low_occupancy_shared", "tail", "few_blocks", "small_blocks", "few_warps", "spills", "four_blocks", "tiny_launch",
           "low_occupancy_blocks", "unequal_lists"}  # of the launch or the kernel as a whole
# Their twins are what the advice says. Not double_division: its twin approximates the quotient, too.
GAINS = {"double_constants", "double_means", "integer_division", "wide_division", "remainder", "rounded_roots", "special_functions",
         "unequal_lists", "scalar_halves", "row_a_thread", "constants_by_lane", "dynamic_indexing", "counts_in_local", "warp_sums",
         "scalar_accesses", "bytes_to_floats", "halves_in_shared", "factors_in_global",
         "swapped_sum", "swapped_most"}
# What is not so: the test fails where one of these mends, too. They are no false accusations: on an H200 the same work in fewer blocks
# takes k14_b 2.9 µs in place of 3.5, k22_b 7.0 of 11.9, k36_b 8.1 of 11.5; with 16 loads in
# flight in place of eight what k13_b does takes 6.5 of 10.2
# (results/h200/twins_left.json). k61_b takes 5.2 to 6.0 µs there, as block after block improves on the most that was found.
# Then: the twins of k09 and k33 take less time than the gain says, and have less left: 2.2 of 3.3 us, 0.4 of 1.0; that of k22 finds in L2
# what the first launch had to bring.
EXPECTED = {"not named": [], "line": [], "accused": ["k13", "k14", "k22", "k36", "k61"], "sound": [], "gain": [],
            "then": ["k09", "k22", "k33"], "one way": []}


def is_near(gain, other):
    return other > 0 and 1 / 1.5 < gain / other < 1.5


def planted_lines(folder, file):
    text = (folder / pathlib.Path(file).name).read_text().splitlines()
    return [number for number, line in enumerate(text, 1) if line.rstrip().endswith("// planted")]


def run(headroom, program):
    with tempfile.TemporaryDirectory() as folder:
        report, table = pathlib.Path(folder, "run.json"), pathlib.Path(folder, "advice.json")
        subprocess.run([headroom, "run", "--report", str(pathlib.Path(folder, "report.txt")), "--json", str(report), "--", program, "--seed",
                        "7", "--json", str(table)], check=True, stdout=subprocess.DEVNULL)
        return run_record.read_run(report)["launches"], json.loads(table.read_text())


def main():
    headroom, program, sources = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    launches, table = run(headroom, program)
    found = {what: [] for what in EXPECTED}
    gained = {}
    for row, launch in zip(table, launches, strict=True):
        pair, problem, kernel = row["pair"], row["problem"], row["kernel"]
        advice, time = launch["advice"], launch["prediction"]["time_ns"]
        ids = [each["id"] for each in advice]
        said = ", ".join(f"{each['id']} -{each['gain_ns'] / 1e3:.1f}" for each in advice[:3])
        verdict = ""
        if problem.startswith("low_occupancy") and any(each["id"] == "occupancy" and "a thread hide latency as well" not in each["next"]
                                                       for each in advice):
            found["one way"].append(pair)
        if problem == "none":
            if advice and advice[0]["gain_ns"] > 0.25 * time:
                found["sound"].append(pair)
                verdict = "advice for a sound kernel"
        elif kernel.endswith("_a"):
            named = [each for each in advice if each["id"] in IDS[problem]]
            gained[pair] = {"time": time, "gain": max((each["gain_ns"] for each in named), default=0),
                            "then": [then for each in named for then in each.get("then", [])]}
            rank = next((place for place, each in enumerate(ids[:2]) if each in IDS[problem]), None)
            if rank is None:
                found["not named"].append(pair)
                verdict = "not named"
            elif problem not in NO_LINE and not any(abs(advice[rank]["line"] - line) <= 3 for line in planted_lines(sources, row["file"])
                                                    if (advice[rank]["file"] or "").endswith(pathlib.Path(row["file"]).name)):
                found["line"].append(pair)
                verdict = f"another line: {advice[rank]['file']}:{advice[rank]['line']}"
        elif problem in GAINS and not is_near(gained[pair]["gain"], gained[pair]["time"] - time):
            found["gain"].append(pair)
            verdict = f"gain: {(gained[pair]['time'] - time) / 1e3:.1f}"
        elif any(each["id"] in IDS[problem] and each["gain_ns"] > 0.25 * time for each in advice):
            found["accused"].append(pair)
            verdict = "accused"
        if problem != "none" and kernel.endswith("_b"):
            alone = {each["id"]: each["gain_ns"] for each in advice}
            for then in gained[pair]["then"]:
                said += f"; then {then['id']} -{then['gain_ns'] / 1e3:.1f}"
                if not is_near(then["gain_ns"], alone.get(then["id"], 0)):
                    found["then"].append(pair)
        print(f"{kernel}  {problem:30} {time / 1e3:8.1f} us  {said:70} {verdict}")
    for what, pairs in found.items():
        print(f"{what}: {' '.join(pairs) or '-'}")
    if found != EXPECTED:
        print(f"expected: {EXPECTED}")
        sys.exit(1)


if __name__ == "__main__":
    main()
