#!/usr/bin/env python3
"""Runs programs of lists of scripts/corpus/corpus.py by both engines, PTX and machine code, and compares what they did.

    scripts/prove/corpus_engines.py LIST… FOLDER [--headroom build/release/bin/headroom] [--results results/corpus_engines.json]

LISTs and FOLDER are those of scripts/corpus/corpus.py; scripts/corpus/corpus_build.py builds the programs.

A row of the results, one a program, `ptx` and `machine` being what a run by that engine gave:

    {"name": "stddev", "output": "equal", "fallbacks": {},
     "ptx": {"verdict": "PASS", "launches": 4, "by_machine_code": 0, "seconds": 0.04, "warp_instructions": 78368, …},
     "machine": {"verdict": "PASS", "launches": 4, "by_machine_code": 4, …}}

verdict: PASS, or why it did not pass. output: "equal" where both printed the same, "times" where they did but for numbers of
lines that speak of times, else "differs". fallbacks: why launches ran by PTX although machine code was asked for, and how many.
seconds are those of execution alone, in one thread unless --threads says otherwise. Exit code 1 unless all pass by both.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path += [str(ROOT / "scripts" / "corpus"), str(ROOT / "scripts" / "prove")]
import corpus  # noqa: E402
import prove_compare  # noqa: E402

SCHEMA = "headroom-corpus-engines/1"
FALLBACK = "its PTX ran"
COUNTERS = ("warp_instructions", "global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors")


def run(program, path, engine, options):
    """What one run gave, what it printed, and why launches fell back."""
    report_path = options.work / f"{program['name']}.{engine}.json"
    report_path.unlink(missing_ok=True)
    command = [str(options.headroom), "run", "--machine", options.machine, "--engine", engine, "--threads", str(options.threads),
               "--report", os.devnull, "--json", str(report_path), "--", str(path), *program["arguments"]]
    exit_code, output, errors, _ = corpus.run(command, path.parent, options.timeout, options.memory, os.environ)
    reason = corpus.why_not_passed(program["success"], exit_code, output + errors)
    report = json.loads(report_path.read_text()) if report_path.exists() and report_path.stat().st_size else {}
    words = corpus.own_words(report, errors) if reason else None
    launches = run_record.whole_launches(report.get("launches", []))
    counted = [launch["counters"] for launch in launches if launch["counters"]]
    fallbacks = collections.Counter(caveat["cause"] for launch in launches for caveat in launch["caveats"]
                                    if caveat["what"].startswith(FALLBACK))
    result = {"verdict": "PASS" if not reason else f"{reason}; {words}" if words else reason,
              "launches": len(launches),
              "by_machine_code": sum(launch["engine"] == "machine" for launch in launches),
              "seconds": round(sum(launch["executor_seconds"] or 0 for launch in launches), 4)}
    result |= {name: sum(counters[name] for counters in counted) for name in COUNTERS}
    return result, output, dict(fallbacks)


def row_of(program, path, options):
    ptx, output, _ = run(program, path, "ptx", options)
    machine, other_output, fallbacks = run(program, path, "machine", options)
    return {"name": program["name"], "arguments": program["arguments"],
            "output": prove_compare.compare_output(output, other_output)["output"], "fallbacks": fallbacks,
            "ptx": ptx, "machine": machine}


def print_row(row):
    ptx, machine = row["ptx"], row["machine"]
    ratio = f"{machine['seconds'] / ptx['seconds']:.2f}" if ptx["seconds"] else "-"
    print(f"{row['name']:<22}{ptx['verdict'][:30]:<8}{machine['verdict'][:60]:<8}{row['output']:<9}"
          f"{machine['by_machine_code']}/{machine['launches']:<6}{ptx['seconds']:>9.3f}{machine['seconds']:>9.3f}{ratio:>7}"
          f"{ptx['warp_instructions'] / 1e6:>11.3f}{machine['warp_instructions'] / 1e6:>11.3f}  "
          f"{'; '.join(row['fallbacks'])}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", type=pathlib.Path, nargs="+")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--headroom", type=pathlib.Path, default="build/release/bin/headroom")
    parser.add_argument("--machine", default="h200")
    parser.add_argument("--results", type=pathlib.Path, default="results/corpus_engines.json")
    parser.add_argument("--work", type=pathlib.Path, default="build/corpus_engines", help="reports of the runs")
    parser.add_argument("--timeout", type=float, default=60, help="seconds a run (default 60)")
    parser.add_argument("--memory", type=float, default=12, help="GiB a run may occupy (default 12)")
    parser.add_argument("--threads", type=int, default=1, help="of the executor (default 1)")
    parser.add_argument("--only", default="", metavar="REGEX", help="programs whose name matches")
    options = parser.parse_args()
    options.headroom, options.work = options.headroom.resolve(), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)

    print(f"{'program':<22}{'ptx':<8}{'machine':<8}{'output':<9}{'code':<8}{'s ptx':>9}{'s code':>9}{'ratio':>7}"
          f"{'M ptx':>11}{'M code':>11}  fallbacks")
    rows = []
    for program in (program for path in options.lists for program in corpus.read_list(path)):
        path = corpus.find_program(options.folder, program)
        if not path or not re.search(options.only, program["name"]):
            continue
        rows.append(row_of(program, path, options))
        print_row(rows[-1])
    good = sum(row["ptx"]["verdict"] == row["machine"]["verdict"] == "PASS" for row in rows)
    summary = {"programs": len(rows), "pass_by_both": good,
               "launches": sum(row["machine"]["launches"] for row in rows),
               "by_machine_code": sum(row["machine"]["by_machine_code"] for row in rows)}
    options.results.write_text(json.dumps({"schema": SCHEMA, "lists": [path.name for path in options.lists],
                                           "machine": options.machine, "threads": options.threads, "date": datetime.date.today().isoformat(),
                                           "summary": summary, "programs": rows}, indent=1) + "\n")
    print(f"\n{good} of {len(rows)} programs pass by both; {summary['by_machine_code']} of {summary['launches']} launches "
          "ran by machine code")
    return 0 if good == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
