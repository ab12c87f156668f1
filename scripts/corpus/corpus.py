#!/usr/bin/env python3
"""Runs a corpus of self-verifying CUDA programs under `headroom run` and says how many are right.

    scripts/corpus/corpus.py LIST FOLDER [-j 2] [--headroom build/release/bin/headroom] [--results results/corpus.json]

LIST is a text file, one program per line, tab separated; lines that begin with # are comments:

    name <TAB> category <TAB> full arguments <TAB> arguments to run with <TAB> how success shows [<TAB> ignored …]
    stddev <TAB> reduce-scan <TAB> 65536 16384 100 <TAB> 256 256 1 <TAB> "PASS" x2

"(none)" stands for no arguments. Success shows as quoted texts, separated by semicolons: `"PASS"` on some line that the
program prints, `"PASS" x2` on exactly two lines, `no "error"` on none; a # in the text stands for any number, and
exclamation marks at its end are not compared. FOLDER holds the
built programs, as FOLDER/<name>-cuda/main (or FOLDER/src/…) or FOLDER/<name>; one whose sixth column says what
scripts/corpus/corpus_build.py makes smaller is FOLDER/<name>-cuda-small/main alone. Each runs in its own folder.

A program passes if it exits with 0, shows success and prints no FAIL. It counts only if the negative control, the same
run with kernels that do nothing (HEADROOM_DO_NOTHING=1), does not pass; one that waits for its kernels without end is
stopped a minute after twice the time of the run. What each run said is kept in --work, so that
an interrupted or repeated run does only what is new: program, arguments, headroom, limits or this script changed.

The results: {"programs": [{"name": "stddev", "pass": true, "control": "FAIL", "counts": true, "seconds": 0.21,
"launches": 4, "by_machine_code": 4, "fallbacks": {}, "warp_instructions": 123456, "warp_instructions_per_second": 2.1e7,
"executor_seconds": 0.06, "cause": null, "output": "equal", "date": "2026-11-25", "build": "5f0c…",
"ptx": {"pass": true, "cause": null, "warp_instructions": 130000, "executor_seconds": 0.05}}, …], "summary": {…}}
Everything is of a run by machine code but for `ptx`. fallbacks: why launches ran by PTX all the same, and how many.
executor_seconds are of execution alone, on one host thread, without the time model.
date and build: when the row's runs were, and of which headroom: a digest of its program and stand-in, the same for all
rows of one build.
output: "equal" where both engines print the same, "times" where they do but for numbers of lines that speak of times.
Exit code: 0 when every program counts and passes by PTX too, 1 otherwise.
"""
import argparse
import collections
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import re
import shlex
import signal
import statistics
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "prove"))
import prove_compare  # noqa: E402
import run_record  # noqa: E402

SCHEMA = "headroom-corpus/2"
FALLBACK = "its PTX ran"
TIMED = 0.01  # seconds by PTX from which on a ratio says something


def read_list(path):
    programs = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = line.split("\t")
        texts = re.findall(r'(no )?"([^"]+)"(?:\s*x(\d+))?', columns[4]) if len(columns) >= 5 else []
        if not texts:
            sys.exit(f'{path}:{number}: expected five tab-separated columns, the fifth with a quoted text such as "PASS" x2')
        programs.append({
            "name": columns[0],
            "category": columns[1],
            "arguments": [] if columns[3] == "(none)" else shlex.split(columns[3]),
            "success": [(text, 0 if none else int(times) if times else None) for none, text, times in texts],
            "smaller": len(columns) > 5 and " => " in columns[5],
        })
    return programs


def find_program(folder, program):
    name = program["name"]
    as_it_is = (folder / f"{name}-cuda" / "main", folder / "src" / f"{name}-cuda" / "main", folder / name)
    for candidate in (folder / f"{name}-cuda-small" / "main",) if program["smaller"] else as_it_is:
        if candidate.is_file():
            return candidate.resolve()
    return None


def why_not_passed(success, exit_code, output):
    """None if the program passed, else the reason in words."""
    if isinstance(exit_code, str):
        return exit_code
    if exit_code < 0:
        return f"killed by {signal.Signals(-exit_code).name}"
    if exit_code != 0:
        return f"exit code {exit_code}"
    if "FAIL" in output:
        return "the program says FAIL"
    for text, times in success:
        pattern = re.compile(re.escape(text.rstrip("!")).replace(r"\#", r"[-+0-9.eE]+"))
        found = sum(1 for line in output.splitlines() if pattern.search(line))
        if found != times and (found == 0 or times is not None):
            return f'"{text}" on {found} lines, not {"one or more" if times is None else times}'
    return None


def resident(session):
    """Bytes of memory that the processes of a session occupy."""
    pages = 0
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            pages += int(fields[21]) if int(fields[3]) == session else 0
        except OSError:  # it has ended
            continue
    return pages * os.sysconf("SC_PAGE_SIZE")


def run(command, folder, limit, memory, environment):
    """Exit code (or which limit was reached), standard output, standard error, seconds. Ends the whole process group."""
    start = time.monotonic()
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as process:
        exit_code = None
        while exit_code is None:
            try:
                output, errors = process.communicate(timeout=min(1.0, limit))
                exit_code = process.returncode
            except subprocess.TimeoutExpired:
                if time.monotonic() - start >= limit:
                    exit_code = "time limit"
                elif resident(process.pid) > memory * 2**30:
                    exit_code = f"memory limit: more than {memory:g} GiB"
        if isinstance(exit_code, str):
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
    return exit_code, output.decode(errors="replace"), errors.decode(errors="replace"), time.monotonic() - start


def own_words(report, errors):
    """What headroom itself says about a failure: its first finding, its message, or calls it does not support."""
    for finding in report.get("findings", []):
        return f"{finding['kind']} in {finding['kernel']}: {finding['what']}"
    for line in errors.splitlines():
        if line.startswith("headroom"):
            return line
    calls = report.get("unsupported_calls", [])
    return "unsupported: " + ", ".join(calls) if calls else None


def control_failed(entry):
    return entry["control"] == "FAIL" or str(entry["control"]).startswith("time limit")


def one_run(program, path, engine, options):
    """What one run by an engine gave, what it printed, and the seconds that all of it took."""
    report_path = options.work / f"{program['name']}.{engine}.json"
    report_path.unlink(missing_ok=True)
    exit_code, output, errors, seconds = run([*command(program, engine, options), "--json", str(report_path), "--", str(path),
                                              *program["arguments"]], path.parent, options.timeout, options.memory, environment())
    report = json.loads(report_path.read_text()) if report_path.exists() and report_path.stat().st_size else {}
    launches = run_record.whole_launches(report.get("launches", []))
    reason = why_not_passed(program["success"], exit_code, output + errors)
    words = own_words(report, errors) if reason else None
    fallbacks = collections.Counter(caveat["cause"] for launch in launches for caveat in launch.get("caveats", [])
                                    if caveat["what"].startswith(FALLBACK))
    result = {"pass": reason is None, "cause": f"{reason}; {words}" if words else reason, "launches": len(launches),
              "by_machine_code": sum(launch.get("engine") == "machine" for launch in launches), "fallbacks": dict(fallbacks),
              "warp_instructions": sum(launch["counters"]["warp_instructions"] for launch in launches if launch["counters"]),
              "executor_seconds": round(sum(launch["executor_seconds"] or 0 for launch in launches), 4)}
    return result, output, seconds


def control(program, path, limit, options):
    """What came of the run with kernels that do nothing."""
    exit_code, output, errors, _ = run([*command(program, "machine", options), "--", str(path), *program["arguments"]], path.parent,
                                       limit, options.memory, environment() | {"HEADROOM_DO_NOTHING": "1"})
    if isinstance(exit_code, str):
        return exit_code
    if exit_code in (125, 126, 127):
        return "did not run"
    return "FAIL" if why_not_passed(program["success"], exit_code, output + errors) else "PASS"


def command(program, engine, options):
    return [str(options.headroom), "run", "--machine", options.machine, "--engine", engine, "--no-model", "--threads", "1",
            "--report", os.devnull, *program.get("options", [])]


def environment():
    return {key: value for key, value in os.environ.items() if key != "HEADROOM_DO_NOTHING"}


def examine(program, path, options):
    """One program by both engines and its control, as an entry of the results."""
    entry = {"name": program["name"], "category": program["category"], "arguments": program["arguments"],
             "date": datetime.date.today().isoformat(), "build": digest(*tool_files(options))[:12],
             "pass": False, "control": None, "counts": False, "seconds": None, "launches": None,
             "warp_instructions": None, "warp_instructions_per_second": None, "cause": None}
    if path is None:
        return entry | {"cause": "not built: no such program in the folder"}
    result, output, seconds = one_run(program, path, "machine", options)
    busy = result["executor_seconds"]
    entry |= result | {"seconds": round(seconds, 3),
                       "warp_instructions_per_second": round(result["warp_instructions"] / busy) if busy > 0 else None}
    entry["ptx"], other_output, _ = one_run(program, path, "ptx", options)
    for redundant in ("by_machine_code", "fallbacks", "launches"):
        del entry["ptx"][redundant]
    entry["output"] = prove_compare.compare_output(output, other_output)["output"]
    entry["control"] = control(program, path, min(options.timeout, 60 + 2 * seconds), options)
    entry["counts"] = entry["pass"] and control_failed(entry)
    if entry["pass"] and not entry["counts"]:
        entry["cause"] = f"the negative control should fail: {entry['control']}"
    return entry


def digest(*paths):
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes() if path and path.exists() else b"absent")
    return total.hexdigest()


def tool_files(options):
    return options.headroom, options.headroom.parent.parent / "lib" / "headroom" / "libcudart.so.13"


def remembered(program, path, options):
    """The entry of an earlier run of exactly this, else a new one, written down at once."""
    key = [digest(path, pathlib.Path(__file__), *tool_files(options)), program["arguments"], program["success"], program.get("options"),
           options.machine, options.timeout, options.memory]
    key = json.loads(json.dumps(key))
    state_path = options.work / f"{program['name']}.state"
    if state_path.exists() and not options.again:
        state = json.loads(state_path.read_text())
        if state["key"] == key:
            return state["entry"]
    entry = examine(program, path, options)
    draft = state_path.with_suffix(".draft")
    draft.write_text(json.dumps({"key": key, "entry": entry}))
    draft.replace(state_path)
    return entry


def engines(entries):
    """How the two engines compare over all entries; the ratio of times is a geometric mean of those that take long enough."""
    ran = [entry for entry in entries if "ptx" in entry]
    ratios = [entry["executor_seconds"] / entry["ptx"]["executor_seconds"] for entry in ran
              if entry["pass"] and entry["ptx"]["pass"] and entry["ptx"]["executor_seconds"] >= TIMED]
    return {"pass_by_ptx": sum(entry["ptx"]["pass"] for entry in ran),
            "same_verdict": sum(entry["pass"] == entry["ptx"]["pass"] for entry in ran),
            "launches": sum(entry["launches"] for entry in ran), "by_machine_code": sum(entry["by_machine_code"] for entry in ran),
            "machine_to_ptx_seconds": round(statistics.geometric_mean(ratios), 2) if ratios else None}


def figure(value, pattern="{:.1f}", scale=1.0):
    return "-" if value is None else pattern.format(value / scale)


def print_row(entry):
    ptx = entry.get("ptx", {"pass": False, "executor_seconds": None})
    print(f"{entry['name']:<24}{'PASS' if entry['pass'] else 'no':>6}{'PASS' if ptx['pass'] else 'no':>6}{entry['control'] or '-':>13}"
          f"{figure(entry['seconds']):>9}{figure(entry['launches'], '{:.0f}'):>10}"
          f"{figure(entry['warp_instructions'], '{:.3f}', 1e6):>16}"
          f"{figure(entry.get('executor_seconds'), '{:.3f}'):>9}{figure(ptx['executor_seconds'], '{:.3f}'):>9}"
          f"  {'; '.join([entry['cause'] or '', *entry.get('fallbacks', {})])}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--headroom", type=pathlib.Path, default="build/release/bin/headroom")
    parser.add_argument("--machine", default="h200")
    parser.add_argument("--results", type=pathlib.Path, default="results/corpus.json")
    parser.add_argument("--work", type=pathlib.Path, default="build/corpus", help="reports of the runs, one a program")
    parser.add_argument("--timeout", type=float, default=600, help="seconds a run (default 600)")
    parser.add_argument("--memory", type=float, default=12, help="GiB a run may occupy (default 12)")
    parser.add_argument("--only", default="", metavar="REGEX", help="programs whose name matches")
    parser.add_argument("--again", action="store_true", help="run also what has not changed")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    for path in (options.list, options.folder, options.headroom):
        if not path.exists():
            sys.exit(f"corpus.py: {path}: no such file or folder")
    options.headroom, options.work = options.headroom.resolve(), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)

    chosen = [program for program in read_list(options.list) if re.search(options.only, program["name"])]
    print(f"{'program':<24}{'code':>6}{'PTX':>6}{'control':>13}{'s':>9}{'launches':>10}{'M warp instr.':>16}{'s code':>9}{'s PTX':>9}"
          "  cause, fallbacks")
    entries = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(remembered, program, find_program(options.folder, program), options)
                   for program in chosen]
        for future in concurrent.futures.as_completed(futures):
            entry = future.result()
            entries[entry["name"]] = entry
            print_row(entry)

    in_order = [entries[program["name"]] for program in chosen]
    counting = sum(entry["counts"] for entry in in_order)
    summary = {"programs": len(in_order), "pass": sum(entry["pass"] for entry in in_order), "count": counting} | engines(in_order)
    options.results.parent.mkdir(parents=True, exist_ok=True)
    options.results.write_text(json.dumps({"schema": SCHEMA, "list": options.list.name, "machine": options.machine,
                                           "jobs": options.jobs, "date": datetime.date.today().isoformat(),
                                           "summary": summary, "programs": in_order}, indent=1) + "\n")
    print(f"\n{counting} of {len(in_order)} programs count: they pass, and fail when their kernels do nothing; by PTX "
          f"{summary['pass_by_ptx']} pass, {summary['by_machine_code']} of {summary['launches']} launches ran by machine code")
    return 0 if counting == summary["pass_by_ptx"] == len(in_order) else 1


if __name__ == "__main__":
    sys.exit(main())
