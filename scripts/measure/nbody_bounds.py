#!/usr/bin/env python3
"""What the instructions of each rung of studies/nbody allow, and how near the measured rung comes: in percent of what is
achievable, not of the data sheet.

    scripts/measure/nbody_bounds.py HEADROOM BIN                     instructions and peaks, counted on the executor
    scripts/measure/nbody_bounds.py HEADROOM BIN --results FILE      and the shares of results/<gpu>/nbody.json

    rung             fp32  root  integer    all  FMA peak    mix   all  measured   % of: FMA    mix    all
    thread_per_body  15.6     0      …

Instructions an interaction, PTX's without moves: roots and divisions that are rounded count as one there, so the first
rungs' peaks are too high, and machine code may have fewer or more. Peaks in G interactions/s, of a machine of machines/:

    FMA peak   every instruction a multiply-add, 20 operations an interaction: the data sheet
    mix        floating-point instructions and roots: their units, and an issue slot for each
    all        and integer arithmetic, loads, branches
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BODIES = 2560               # whole blocks of every rung
OPERATIONS = 20             # an interaction's, as the source counts
LANES = 32
KERNEL = re.compile(r"(?:nbody::)?(\w+)_kernel<(.*)>")
UNITS = {"fp32": "fp32_per_clock", "fp64": "fp64_per_clock", "special": "special_per_clock", "integer": "integer_per_clock"}


def counted(headroom, program):
    """{(rung, precision): {kind: instructions of a thread an interaction}}."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        subprocess.run([headroom, "run", "--report", "/dev/null", "--json", str(path), "--", program, "--bodies", str(BODIES),
                        "--seed", "1", "--repeat", "1"], check=True, stdout=subprocess.DEVNULL)
        launches = run_record.read_run(path)["launches"]
    found = {}
    for launch in launches:
        name = KERNEL.search(launch["kernel"])
        if not name or name[1] == "one_thread":
            continue
        counters = found.setdefault((name[1], "double" if "double" in name[2] else "single"), {})
        for counter, count in launch["counters"].items():
            counters[counter] = counters.get(counter, 0) + count * LANES / BODIES**2
    return {rung: kinds_of(counters) for rung, counters in found.items()}


def kinds_of(counters):
    kinds = {kind: counters.get(f"{kind}_instructions", 0) for kind in ("fp32", "fp64", "special", "integer")}
    kinds["all"] = counters["warp_instructions"] - counters["move_instructions"]
    return kinds


def peaks(kinds, machine):
    """G interactions/s: (FMA peak, mix, all)."""
    issue = machine["issue_per_clock"] * LANES
    arithmetic = kinds["fp32"] + kinds["fp64"] + kinds["special"]
    units = {kind: kinds[kind] / machine[fact] for kind, fact in UNITS.items()}
    mix = max(units["fp32"], units["fp64"], units["special"], arithmetic / issue)
    everything = max(mix, units["integer"], kinds["all"] / issue)
    lanes = machine["fp64_per_clock"] if kinds["fp64"] > kinds["fp32"] else machine["fp32_per_clock"]
    clocks = machine["sm_count"] * machine["sm_clock"] * 1e-3
    return 2 * lanes / OPERATIONS * clocks, clocks / mix, clocks / everything


def measured(path):
    """{(rung, precision): G interactions/s} of the largest number of bodies that the rung was measured with."""
    best = {}
    for row in json.loads(path.read_text())["rows"] if path else ():
        if "G interactions/s" in row:
            key = (row["rung"], row["precision"])
            best[key] = max(best.get(key, (0, 0)), (row["bodies"], row["G interactions/s"]))
    return {key: rate for key, (_, rate) in best.items()}


def lines(rungs, rates, machine):
    yield (f"{'rung':<21}{'':<8}{'fp':>6}{'root':>6}{'integer':>9}{'all':>7}{'FMA peak':>10}{'mix':>7}{'all':>7}"
           f"{'measured':>10}{'% of: FMA':>11}{'mix':>6}{'all':>6}")
    for (rung, precision), kinds in rungs.items():
        limits = peaks(kinds, machine)
        rate = rates.get((rung, precision))
        shares = "".join(f"{100 * rate / limit:>{width}.0f}" for limit, width in zip(limits, (11, 6, 6))) if rate else ""
        yield (f"{rung:<21}{precision:<8}{kinds['fp32'] + kinds['fp64']:>6.1f}{kinds['special']:>6.2f}{kinds['integer']:>9.2f}"
               f"{kinds['all']:>7.1f}{limits[0]:>10.0f}{limits[1]:>7.0f}{limits[2]:>7.0f}"
               f"{format(rate, '.0f') if rate else '–':>10}{shares}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headroom")
    parser.add_argument("programs", help="the folder of the program nbody")
    parser.add_argument("--machine", default="h200")
    parser.add_argument("--results", type=pathlib.Path)
    chosen = parser.parse_args()
    facts = json.loads((ROOT / "machines" / f"{chosen.machine}.json").read_text())
    machine = {name: fact["value"] for name, fact in facts.items() if isinstance(fact, dict) and "value" in fact}
    rungs = counted(chosen.headroom, f"{chosen.programs}/nbody")
    print("\n".join(lines(rungs, measured(chosen.results), machine)))


if __name__ == "__main__":
    main()
