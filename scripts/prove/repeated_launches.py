#!/usr/bin/env python3
"""What launches that would do again what one before did take: programs that launch their kernels again and again, with each
launch run and with those taken from one before.

    scripts/prove/repeated_launches.py BUILD --list tests/corpus/sample.txt --programs HECBENCH/src -o results/repeated_launches.json
    scripts/prove/repeated_launches.py results/repeated_launches.json       shows what it has

    {"schema": "headroom-repeated-launches/1", …, "rows": [{"program": "dp4a", "arguments": "65536 10", "launches": 440,
     "not_run": 432, "every_s": 0.271, "skipping_s": 0.014, "times": 19.4, "same_counters": true}]}

Of the list's programs (scripts/corpus/corpus.py) those whose last argument is a number of repetitions, 1 there, and --repeat here;
seconds of the executor, on one host thread, without the time model, the least of --runs; a program that takes longer than --long
seconds is left out and named.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import given  # noqa: E402


def programs_of(path, folder):
    """(name, where it is built, arguments) of each program of the list whose last argument is 1."""
    for line in pathlib.Path(path).read_text().splitlines():
        columns = line.split("\t")
        if line.startswith("#") or len(columns) < 4 or columns[3].split()[-1:] != ["1"]:
            continue
        built = pathlib.Path(folder) / f"{columns[0]}-cuda"
        small = built.with_name(built.name + "-small")
        yield columns[0], small if small.exists() else built, columns[3].split()[:-1]


def run(headroom, program, folder, arguments, repeated, long):
    """What all launches together came to; none if it took too long or made none."""
    with tempfile.TemporaryDirectory() as temporary:
        result = pathlib.Path(temporary) / "run.json"
        command = [headroom, "run", "--no-model", "--threads", "1", "--repeated", repeated, "--json", result,
                   "--report", "/dev/null", "--", program, *arguments]
        try:
            subprocess.run(command, cwd=folder, capture_output=True, timeout=long)
        except subprocess.TimeoutExpired:
            return None
        return json.loads(result.read_text())["totals"] if result.exists() else None


def measure(args):
    headroom = pathlib.Path(args.build).resolve() / "bin" / "headroom"
    rows, left_out = [], []
    for name, folder, arguments in programs_of(args.list, args.programs):
        arguments.append(str(args.repeat))
        ways = {"run": [], "skip": []}
        for _ in range(args.runs):
            for way, totals in ways.items():
                totals.append(run(headroom, "./main", folder, arguments, way, args.long))
        every, skipping = ways["run"], ways["skip"]
        if None in every + skipping or not every[0]["launches"]:
            left_out.append(name)
            continue
        seconds = [min(each["executor_seconds"] for each in way) for way in (every, skipping)]
        rows.append({"program": name, "arguments": " ".join(arguments), "launches": every[0]["launches"],
                     "not_run": skipping[0]["launches_repeated"], "every_s": round(seconds[0], 5),
                     "skipping_s": round(seconds[1], 5), "times": round(seconds[0] / seconds[1], 2),
                     "same_counters": all(each["counters"] == every[0]["counters"] for each in every + skipping)})
        show([rows[-1]])
    return rows, left_out


def show(rows):
    for row in rows:
        print(f"{row['program']:28} {row['launches']:6} launches, {row['not_run']:6} not run  {row['every_s']:9.4f} s"
              f" -> {row['skipping_s']:9.4f} s  {row['times']:7.2f} times  {'' if row['same_counters'] else 'OTHER COUNTERS'}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="a build, or a file of results")
    parser.add_argument("--list")
    parser.add_argument("--programs")
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--long", type=float, default=60)
    parser.add_argument("-o", "--output")
    args = parser.parse_args()
    if args.build.endswith(".json"):
        return show(given.read_json(args.build, "this program writes one")["rows"])
    if not args.list or not args.programs:
        given.stop("no programs", "--list tests/corpus/sample.txt --programs HECBENCH/src")
    rows, left_out = measure(args)
    mean = math.exp(statistics.mean(math.log(row["times"]) for row in rows))
    result = {"schema": "headroom-repeated-launches/1",
              "title": "Launches that do again what one before did",
              "about": f"seconds of the executor with every launch run, and with those taken from one before; programs of "
                       f"{args.list} with {args.repeat} repetitions, one host thread, without the time model",
              "host": "2 shared cores", "repeat": args.repeat, "runs": args.runs,
              "summary": {"programs": len(rows), "with_repeated": sum(row["not_run"] > 0 for row in rows),
                          "geometric_mean": round(mean, 2),
                          "every_s": round(sum(row["every_s"] for row in rows), 1),
                          "skipping_s": round(sum(row["skipping_s"] for row in rows), 1),
                          "same_counters": sum(row["same_counters"] for row in rows)},
              "left_out": left_out}
    print(json.dumps(result["summary"]))
    if args.output:
        lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
        head = json.dumps(result, indent=1)[:-2]
        pathlib.Path(args.output).write_text(f'{head},\n "rows": [\n{lines}]}}\n')
    return 0 if result["summary"]["same_counters"] == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
