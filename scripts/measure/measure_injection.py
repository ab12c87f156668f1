"""Measures `headroom run --gpu` itself on a real GPU: what it costs, and whether it sees everything and times it right.

    python3 scripts/measure/measure_injection.py build/release PROGRAMS [--studies FOLDER] [--other NAME=PREFIX] [--pairs 9] --out FILE

PROGRAMS holds tests/gpu/visit/*.cu built by nvcc (launches_static, launches_shared, kinds, driver_api) and torch_script.py;
FOLDER the studies and what `headroom run --json STUDY.json -- STUDY` wrote of each elsewhere; PREFIX another installation
(PREFIX/bin/headroom), timed beside. Every run with headroom stands between two without it.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time


def run(command, limit=120, **more):
    start = time.monotonic()
    result = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, **more)
    return result, time.monotonic() - start


def smi(query):
    result, _ = run(["nvidia-smi", "--id=0", f"--query-gpu={query}", "--format=csv,noheader,nounits"])
    return result.stdout.strip()


def summary(values):
    values = sorted(values)
    return {"median": statistics.median(values), "least": values[0], "most": values[-1], "samples": values}


class Visit:
    def __init__(self, options):
        self.options = options
        self.headroom = str(options.build / "bin/headroom")
        self.programs = options.programs
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.failures = []

    def expect(self, what, holds):
        print(f"  {'ok    ' if holds else 'FAILED'} {what}", flush=True)
        if not holds:
            self.failures.append(what)

    def measured(self, *command, options=(), headroom=None, limit=120):
        """The run's result, wall time and JSON report."""
        out = self.folder / "run.json"
        out.unlink(missing_ok=True)
        result, wall = run([headroom or self.headroom, "run", "--gpu", "0", "--json", out, *options, "--", *command], limit)
        report = json.loads(out.read_text()) if out.exists() else None
        if report is None:
            print(result.stderr[-800:])
        return result, wall, report

    # what it costs
    def overhead(self, kind, launches, pairs, headroom=None):
        program = [str(self.programs / "launches_static"), str(launches), kind]
        loops, walls, more = {"plain": [], "timed": []}, {"plain": [], "timed": []}, []
        for pair in range(pairs + 1):
            for how in ("plain", "timed", "plain"):
                if how == "plain":
                    result, wall = run(program)
                else:
                    result, wall = run([headroom or self.headroom, "run", "--gpu", "0", "--report", "/dev/null", "--",
                                        *program])
                found = re.search(r"loop_us ([\d.]+)", result.stdout)
                if not found:
                    raise RuntimeError(result.stderr)
                if pair:  # the first warms the machine up
                    loops[how].append(float(found[1]))
                    walls[how].append(wall)
            if pair:
                before, after = loops["plain"][-2:]
                more.append(100 * (loops["timed"][-1] / ((before + after) / 2) - 1))
        plain, timed = statistics.median(loops["plain"]), statistics.median(loops["timed"])
        row = {"kind": kind, "launches": launches,
               "loop_us": {how: summary(values) for how, values in loops.items()},
               "wall_s": {how: summary(values) for how, values in walls.items()},
               "loop_overhead_percent": summary(more),
               "overhead_us_a_launch": (timed - plain) / launches,
               "wall_overhead_s": statistics.median(walls["timed"]) - statistics.median(walls["plain"])}
        print(f"  {kind:<6} {launches} launches: loop {plain:9.0f} -> {timed:9.0f} µs ({statistics.median(more):+.1f} %, "
              f"{min(more):+.1f} to {max(more):+.1f}; {row['overhead_us_a_launch']:.2f} µs a launch); process {row['wall_overhead_s']:+.2f} s", flush=True)
        return row

    # whether it sees everything
    def kinds(self):
        result, _, report = self.measured(str(self.programs / "kinds"))
        counts = {}
        for launch in report["launches"]:
            name = launch["kernel"].split("(")[0].split()[-1]
            counts[name] = counts.get(name, 0) + 1
        self.expect(f"every kind of launch: {counts}",
                    counts == {"stream_copy": 21, "on_a_stream": 2, "with_shared": 1, "graph_first": 3, "graph_second": 3,
                               "together": 1, "in_clusters": 1} and result.returncode == 0)
        by_name = {launch["kernel"].split("(")[0].split()[-1]: launch for launch in report["launches"]}
        self.expect("a graph's kernels, a cooperative one, clusters, shared memory are told",
                    by_name["graph_first"]["in_graph"] and by_name["together"]["cooperative"]
                    and by_name["in_clusters"]["cluster"] == [2, 1, 1]
                    and (by_name["with_shared"]["static_shared"], by_name["with_shared"]["dynamic_shared"]) == (1024, 1024))
        streams = {launch["stream"] for launch in report["launches"] if "on_a_stream" in launch["kernel"]}
        self.expect("two streams are two", len(streams) == 2)
        copies = [(t["direction"], t["from"], t["to"], t["calls"], t["bytes"]) for t in report["transfers"]]
        events = [float(v) for v in re.search(r"events_us (.*)", result.stdout)[1].split()]
        plain, _ = run([str(self.programs / "kinds")])
        events_plain = [float(v) for v in re.search(r"events_us (.*)", plain.stdout)[1].split()]
        seconds = [l["seconds"] * 1e6 for l in report["launches"] if l["kernel"].startswith("stream_copy")][1:]
        row = {"kernel": "stream_copy of 2 x 256 MiB", "headroom_us": summary(seconds), "events_same_run_us": summary(events),
               "events_without_headroom_us": summary(events_plain), "profiler_us": self.profiler("stream_copy"),
               "useful_GB_s": 2 * (1 << 28) / statistics.median(seconds) / 1e3}
        print("  stream_copy, µs: headroom {:.1f}, events {:.1f} (without headroom {:.1f}), ncu {}".format(
            row["headroom_us"]["median"], row["events_same_run_us"]["median"], row["events_without_headroom_us"]["median"],
            row["profiler_us"] and round(row["profiler_us"]["median"], 1)), flush=True)
        return {"launches": counts, "copies": copies, "duration": row}

    def profiler(self, kernel):
        try:
            result, _ = run(["ncu", "--clock-control", "none", "--cache-control", "none", "--metrics", "gpu__time_duration.sum",
                             "--print-units", "base", "--csv", "--kernel-name", kernel, "--launch-skip", "1", str(self.programs / "kinds")])
        except (OSError, subprocess.TimeoutExpired):
            return None
        values = [float(m[1].replace(",", ""))
                  for m in re.finditer(r'"gpu__time_duration.sum","n\w*","([\d.,]+)"', result.stdout)]
        if not values:
            print(result.stdout[-600:])
        return summary([v / 1e3 for v in values]) if values else None

    def others(self):
        rows = {}
        for name, command, kernel, number in (
                ("shared runtime", [str(self.programs / "launches_shared"), "50", "sync"], "count_up", 150),
                ("driver API", [str(self.programs / "driver_api")], "by_the_driver", 10)):
            result, _, report = self.measured(*command)
            seen = report and sum(kernel in launch["kernel"] for launch in report["launches"])
            self.expect(f"{name}: {seen} launches of {kernel}", result.returncode == 0 and seen == number)
            rows[name] = {"launches": seen, "caveats": report and report["caveats"]}
        static = str(self.programs / "launches_static")
        result, _, report = self.measured("sh", "-c", f"{static} 10 sync & {static} 20 sync; wait")
        seen = (report["program"]["processes"], len(report["launches"]))
        self.expect(f"two processes: {seen}", seen == (2, 230))
        rows["two processes"] = seen
        process = subprocess.Popen([self.headroom, "run", "--gpu", "0", "--json", self.folder / "int.json", "--", static,
                                    "1000000", "busy"], stderr=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(4)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
        report = json.loads((self.folder / "int.json").read_text())
        self.expect(f"Ctrl-C after 4 s: {len(report['launches'])} launches, code {process.returncode}",
                    process.returncode == -signal.SIGINT and len(report["launches"]) > 10_000)
        rows["interrupted after 4 s"] = {"launches": len(report["launches"]), "caveats": report["caveats"]}
        return rows

    def torch(self):
        rows = {}
        for words in ((), ("profile",)):
            result, wall, report = self.measured("python3", str(self.programs / "torch_script.py"), *words, limit=180)
            name = "torch " + " ".join(words)
            said = result.stdout.strip().splitlines()
            launches = len(report["launches"]) if report else None
            self.expect(f"{name.strip()}: {launches} launches, '{said}', {wall:.1f} s",
                        result.returncode == 0 and "right" in said and (launches or 0) >= 30)
            kernels = report and [{"kernel": k["kernel"][:100], "launches": k["launches"],
                                   "median_us": k["seconds"]["median"] * 1e6} for k in report["kernels"]]
            rows[name.strip()] = {"launches": launches, "said": said, "kernels": kernels,
                                  "caveats": report and report["caveats"],
                                  "warnings": [l for l in result.stderr.splitlines() if l.startswith("WARNING")]}
            print("\n".join(result.stderr.splitlines()[:14]))
        return rows

    def studies(self):
        rows = {}
        for name in ("copy", "sgemm"):
            counters = self.options.studies / f"{name}.json"
            if not counters.exists():
                continue
            result, _, report = self.measured(str(self.options.studies / name), "--seed", "1", options=["--counters", counters])
            print(result.stderr, flush=True)
            self.expect(f"study {name}: floors joined", result.returncode == 0 and any(k["joined"] for k in report["kernels"]))
            rows[name] = {"kernels": report["kernels"], "caveats": report["caveats"]}
        return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("programs", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--studies", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--other", action="append", default=[])
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    visit = Visit(options)
    result = {"schema": "headroom-injection/1", "gpu": smi("name"), "driver": smi("driver_version"),
              "clocks": {"before": smi("clocks.sm,clocks.mem")}, "date": datetime.date.today().isoformat(),
              "toolkit": re.search(r"V([\d.]+)", run(["nvcc", "--version"])[0].stdout)[1],
              "command": f"python3 scripts/measure/measure_injection.py BUILD PROGRAMS --studies FOLDER --pairs {options.pairs}",
              "method": "overhead: wall time of the launch loop, each run with headroom between two without, after one "
                        "round that is left out; percent over the mean of those two"}

    def part(name, work):
        print(name, flush=True)
        try:
            result[name] = work()
        except Exception as error:  # one part's failure must not lose the others'
            visit.expect(f"{name}: {type(error).__name__}: {error}", False)
        options.out.write_text(json.dumps(result, indent=1) + "\n")

    part("kinds", visit.kinds)
    part("others", visit.others)
    part("overhead", lambda: [visit.overhead(kind, 10_000, options.pairs) for kind in ("async", "sync", "busy")])
    for other in options.other:
        name, prefix = other.split("=")
        part(f"overhead of {name}", lambda: [visit.overhead(kind, 10_000, max(3, options.pairs // 2),
                                                           str(pathlib.Path(prefix).resolve() / "bin/headroom"))
                                             for kind in ("async", "sync")])
    if options.studies:
        part("studies", visit.studies)
    part("torch", visit.torch)
    result["clocks"]["after"] = smi("clocks.sm,clocks.mem")
    result["failures"] = visit.failures
    options.out.write_text(json.dumps(result, indent=1) + "\n")
    print(f"{len(visit.failures)} failures")
    return 1 if visit.failures else 0


if __name__ == "__main__":
    sys.exit(main())
