#!/usr/bin/env python3
"""What the time model costs beside counting: processor time of the studies' programs with and without it, in one run.

    scripts/prove/model_cost.py BUILD -o results/model_cost.json        some 10 minutes
    scripts/prove/model_cost.py results/model_cost.json                 shows what it has

    {"schema": "headroom-model-cost/1", …, "rows": [{"program": "sgemm --size 512 …", "nothing_s": 0.61, "counting_s": 1.92, "model_s": 2.40, "times": 1.8}]}

Each program runs three ways in turn, --runs times, the least processor time of each counts: with kernels that do nothing
(HEADROOM_DO_NOTHING=1), which is what the program and the report take; counting alone (--no-model); and with the model. times: what the
model takes, by what counting does. Kernels run on one host thread.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import given  # noqa: E402

PROGRAMS = (
    "bin/sgemm --size 512 --repeat 1 --seed 7",
    "bin/copy --bytes 16M --repeat 1 --seed 7",
    "bin/nbody --bodies 4096 --precision single --repeat 1 --seed 7 --rung thread_per_body,reciprocal_root,shared_tile,unroll_8,fused_terms,cut_sum,bodies_per_thread",
    "bin/latency --steps 1024 --repeat 1 --seed 7",
    "bin/fft --repeat 1 --seed 7",
    "bin/merge_sort --repeat 1 --seed 7",
    "bin/interval_move --repeat 1 --seed 7",
    "bin/spills --repeat 1 --seed 7",
    "tests/programs/advice --seed 7",
    "tests/programs/micro --seed 7")


def processor_seconds(headroom, words, model, nothing):
    environment = os.environ | ({"HEADROOM_DO_NOTHING": "1"} if nothing else {})
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [headroom, "run", "--threads", "1", "--report", f"{folder}/report.txt", *([] if model else ["--no-model"]), "--", *words]
        run = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode and not nothing:
        sys.exit(f"model_cost.py: {' '.join(map(str, command))}: exit code {run.returncode}\n{run.stderr[-1000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row_of(build, program, runs):
    words = program.split()
    words[0] = str(build / words[0])
    least = {"nothing": math.inf, "counting": math.inf, "model": math.inf}
    for _ in range(runs):
        for way in least:
            least[way] = min(least[way], processor_seconds(build / "bin/headroom", words, way == "model", way == "nothing"))
    counting, model = least["counting"] - least["nothing"], least["model"] - least["counting"]
    return {"program": program.split("/")[-1], **{f"{way}_s": round(seconds, 2) for way, seconds in least.items()}, "times": round(max(0, model) / counting, 2)}


def show(data):
    print("processor seconds          nothing  counting   model   model / counting")
    for row in data["rows"]:
        print(f"{row['program'].split()[0]:24} {row['nothing_s']:9.2f} {row['counting_s']:9.2f} {row['model_s']:7.2f} {row['times']:10.2f}")
    times = [row["times"] for row in data["rows"]]
    print(f"geometric mean {statistics.geometric_mean(max(t, 0.01) for t in times):.2f}, most {max(times):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--date", default="")
    parser.add_argument("--host", default="")
    options = parser.parse_args()
    if not options.what.is_dir():
        return show(given.read_results(options.what, "headroom-model-cost/1", "results/model_cost.json, or a build folder",
                                       {"program", "nothing_s", "counting_s", "model_s", "times"}))
    for program in ("bin/headroom", *PROGRAMS):
        if not (options.what / program.split()[0]).exists():
            given.stop(f"{options.what}: no {program.split()[0]} in it", "give a build folder in which all is built: build/release")
    rows = [row_of(options.what.resolve(), program, options.runs) for program in PROGRAMS]
    data = {"schema": "headroom-model-cost/1", "title": "The time model's cost", "about": "processor time with the model, beside counting alone", "machine": "h200",
            "host": options.host, "date": options.date, "command": f"scripts/prove/model_cost.py build/release --runs {options.runs}", "rows": rows}
    show(data)
    if options.output:
        lines = ",\n  ".join(json.dumps(row) for row in data.pop("rows"))
        options.output.write_text(json.dumps(data, indent=1)[:-2] + f',\n "rows": [\n  {lines}]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
