#!/usr/bin/env python3
"""Runs programs again and again, and gates every figure of every run against the first with no tolerance: an alarm is a false one.

    scripts/prove/false_alarms.py BUILD [PROGRAM…] [--runs 100] [--json results/false_alarms.json]

    sgemm: 100 runs, 17 launches, 0 alarms

The emulator uses as many host threads as there are processors, so that launches end in another order each time. Exit code 1 where
an alarm is raised, or where the gates could not raise one: a run of another size has to.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAMS = {  # a line each: what is run, and the same of another size
    "sgemm": (["bin/sgemm", "--size", "64", "--rung", "naive,tile_2d,stream_k", "--seed", "1"],
              ["bin/sgemm", "--size", "96", "--rung", "naive,tile_2d,stream_k", "--seed", "1"]),
    "nbody": (["bin/nbody", "--bodies", "256", "--precision", "single", "--seed", "1"], ["bin/nbody", "--bodies", "384", "--precision", "single", "--seed", "1"]),
    "barnes_hut": (["bin/barnes_hut", "--bodies", "200", "--method", "six_kernels", "--seed", "1"],
                   ["bin/barnes_hut", "--bodies", "300", "--method", "six_kernels", "--seed", "1"]),
    "merge_sort": (["bin/merge_sort", "--size", "20000", "--seed", "1"], ["bin/merge_sort", "--size", "30000", "--seed", "1"]),
    "fft": (["bin/fft", "--size", "256", "--bytes", "1M", "--blocks", "1", "--seed", "1"], ["bin/fft", "--size", "512", "--bytes", "1M", "--blocks", "1", "--seed", "1"]),
}
BESIDE = ("registers", "findings")  # what is gated beside all counters


def run(build, words, record):
    done = subprocess.run([build / "bin/headroom", "run", "--report", "/dev/null", "--json", record, "--", build / words[0], *words[1:]],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")


def alarm(build, first, now, figures):
    """What the gates say, or nothing."""
    gates = [word for figure in figures for word in ("--fail-if", f"{figure} > +0 %")] + [word for figure in figures for word in ("--fail-if", f"{figure} < -0 %")]
    done = subprocess.run([build / "bin/headroom", "compare", *gates, first, now], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(PROGRAMS)}: those alone")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--json", type=pathlib.Path)
    chosen = parser.parse_args()
    rows, build = [], chosen.build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        first, now = pathlib.Path(folder, "first.json"), pathlib.Path(folder, "now.json")
        for name, (words, other) in PROGRAMS.items():
            if chosen.programs and name not in chosen.programs:
                continue
            run(build, words, first)
            record = json.loads(first.read_text())
            figures = [*record["totals"]["counters"], *BESIDE]
            said = []
            for _ in range(chosen.runs):
                run(build, words, now)
                said += filter(None, [alarm(build, first, now, figures)])
            run(build, other, now)
            rows.append({"program": " ".join([words[0].removeprefix("bin/"), *words[1:]]), "runs": chosen.runs, "launches": len(record["launches"]),
                         "figures": len(figures), "alarms": len(said), "alarm at another size": bool(alarm(build, first, now, figures))})
            print(f"{name}: {chosen.runs} runs, {len(record['launches'])} launches, {len(said)} alarms", *said[:1], sep="\n" if said else "", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"schema": "headroom-results/1", "study": "false_alarms", "date": datetime.date.today().isoformat(),
                                           "command": "scripts/prove/false_alarms.py", "rows": rows}, indent=1) + "\n")
    return any(row["alarms"] or not row["alarm at another size"] for row in rows)


if __name__ == "__main__":
    sys.exit(main())
