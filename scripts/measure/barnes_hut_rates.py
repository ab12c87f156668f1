#!/usr/bin/env python3
"""Operations and bytes a second of each kernel of the study barnes_hut, from what Nsight Compute counted on a GPU.

    ncu --clock-control none --csv --page raw --metrics $(scripts/measure/barnes_hut_rates.py --metrics) \\
        bin/barnes_hut --method six_kernels --precision single --bodies 5000000 --kernels --repeat 1 --seed 1 > six_kernels.single.5000000.csv
    scripts/measure/barnes_hut_rates.py --like results/h200/barnes_hut.json --out results/h200/barnes_hut_rates.json *.csv

A file is one run, METHOD.PRECISION.BODIES.csv; --like is a result of the same visit, whose GPU, driver and toolkit these are. A row a
kernel and one for the whole step, of the last step of the run. Operations are additions and multiplications, two of a multiply-add, in
either precision; roots and integers are none. Bytes are those that the DRAM moved.

    {"method": "six_kernels", "precision": "single", "bodies": 5000000, "kernel": "force", "time, ms": 18.28, "GFLOP/s": …, "GB/s": …}
"""
import argparse
import csv
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "prove"))
import profiler_rows  # noqa: E402  (the path has to be there first)

TIME, BYTES = "gpu__time_duration.sum", ("dram__bytes_read.sum", "dram__bytes_write.sum")
OPERATIONS = {f"smsp__sass_thread_inst_executed_op_{kind}{what}_pred_on.sum": count
              for kind in "fd" for what, count in (("add", 1), ("mul", 1), ("fma", 2))}
SCALES = {"ns": 1e-9, "nsecond": 1e-9, "us": 1e-6, "usecond": 1e-6, "ms": 1e-3, "msecond": 1e-3, "s": 1, "second": 1,
          "byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "inst": 1, "": 1}


NAMES = {"build": "build tree", "step": "advance"}  # where the clock's name is not the kernel's


def stage_of(kernel):
    """`void barnes_hut::six::build_kernel<float>(…)` -> "build tree"."""
    name = profiler_rows.unqualified(profiler_rows.plain_name(kernel)).split("<")[0]
    name = name.removesuffix("_kernel").replace("_", " ")
    return NAMES.get(name, name)


def launches(path):
    """(stage, {metric: value in seconds, bytes or instructions}) of each launch."""
    lines = path.read_text().splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith('"ID","Process ID"')), None)
    if first is None:
        sys.exit(f"barnes_hut_rates.py: {path} holds no profile: no line begins with \"ID\",\"Process ID\"")
    units = None
    for row in csv.DictReader(lines[first:]):
        if not row["ID"]:
            units = row
            continue
        yield stage_of(row["Kernel Name"]), {name: float(row[name].replace(",", "")) * SCALES[units[name] if units else ""]
                                             for name in (TIME, *BYTES, *OPERATIONS) if row.get(name)}


def rows(found, method, precision, bodies):
    """Of the last step: from where the first kernel came last."""
    found = list(found)
    began = max(i for i, (stage, _) in enumerate(found) if stage == found[0][0])
    step = {}
    for stage, metrics in found[began:]:
        total = step.setdefault(stage, dict.fromkeys(metrics, 0.0))
        for name, value in metrics.items():
            total[name] += value
    whole = {name: sum(total[name] for total in step.values()) for name in next(iter(step.values()))}
    for stage, total in [*step.items(), ("whole step", whole)]:
        seconds = total[TIME]
        operations = sum(count * total[name] for name, count in OPERATIONS.items())
        yield {"method": method, "precision": precision, "bodies": bodies, "kernel": stage, "time, ms": round(seconds * 1e3, 4),
               **({"GFLOP/s": round(operations / seconds * 1e-9, 1)} if operations else {}), "GB/s": round(sum(total[name] for name in BYTES) / seconds * 1e-9, 1)}


def document(like, profiles):
    about = json.loads(like.read_text())
    found = [row for path in profiles for method, precision, bodies in [path.stem.split(".")]
             for row in rows(launches(path), method, precision, int(bodies))]
    head = {"schema": "headroom-results/1", "study": "barnes_hut_rates", "title": "operations and bytes a second of the kernels of barnes_hut",
            "method": "Nsight Compute without control of the clocks; additions, multiplications and two of a multiply-add as executed, DRAM bytes",
            **{name: about[name] for name in ("gpu", "machine", "driver", "toolkit", "flags", "date") if name in about}}
    lines = ",\n  ".join(json.dumps(row) for row in found)
    return json.dumps(head, indent=1)[:-2] + f',\n "rows": [\n  {lines}\n ]\n}}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--metrics", action="store_true", help="the metrics to ask for")
    parser.add_argument("--like", type=pathlib.Path, help="a result of the same visit")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("profiles", nargs="*", type=pathlib.Path, metavar="METHOD.PRECISION.BODIES.csv")
    chosen = parser.parse_args()
    if chosen.metrics:
        print(",".join((TIME, *BYTES, *OPERATIONS)))
        return 0
    if not (chosen.like and chosen.out and chosen.profiles):
        parser.error("--metrics, or --like, --out and profiles")
    chosen.out.write_text(document(chosen.like, chosen.profiles))
    return 0


if __name__ == "__main__":
    sys.exit(main())
