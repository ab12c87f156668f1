#!/usr/bin/env python3
"""Compares what headroom counted with what a profiler measured on a GPU, launch by launch.

    scripts/prove/compare_profiler.py REPORTS PROFILE.csv… --results results/corpus_vs_profiler.json
                                [--causes results/profiler_causes.json] [--title Corpus] [--about "How both sides came about."]

REPORTS is a folder with <program>.json of `headroom run --json` (scripts/corpus/corpus.py leaves one in build/corpus). What a
PROFILE.csv looks like is in scripts/prove/profiler_rows.py; scripts/docs/profiler_document.py writes docs/counters_vs_profiler.md
from the results.

What is the same thing on both sides, and what is not:
- global requests and sectors: loads and stores only. Atomics and reductions are operations of their own on both sides,
  and so is local memory.
- shared wavefronts and conflicts: the hardware's include waiting for the data pipe, shared with everything else that
  runs (arbitration). Where the profiler also counted the wavefronts instruction by instruction, from the addresses, and
  those are ours, the difference is put down to that (cause "arbitration", kind "rule"), and that of conflicts where it
  is as large as what the wavefronts exceed those by; without such a count where the instructions agree, and the profiler's wavefronts exceed ours by exactly as much as its conflicts do and by no more than 5 %.
- shared load and store instructions: in a profile without the metric that leaves them out, the profiler's also count
  those with no active lane, which machine code predicates off.
- shared stores: cp.async writes shared memory too, and is listed apart.
- atomics: the profiler lists those with and without a result apart.
- registers: the profiler shows at least 16.
- floor: a least time; a difference only if it exceeds the measured time.

Every other difference needs a line in the causes file, or is counted and printed as one without a cause:

    [{"program": "fpc", "kernel": "^fpc", "metrics": ["shared_load_wavefronts"], "cause": "…in words…",
      "ptx": ["fpc.ptx:120: ld.shared.u32 %r5, [%r4]"], "machine_code": ["/*0170*/ LDS.64 R4, [R0]"],
      "evidence": "machine code"}]

program and kernel are regular expressions; a line that explains nothing is reported too. evidence is "machine code" if
the cause was read there, "runs" if the profiler's own figures differ from run to run, "figures" if it is inferred from
PTX and fits the figures; all are counted.
Exit code: 0 when every difference has a cause and every cause is needed, 1 otherwise.
"""
import argparse
import collections
import json
import pathlib
import re
import sys

from profiler_rows import plain_name, read_profile, shape, unqualified

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

SCHEMA = "headroom-profiler/1"
ARBITRATION = 0.05  # of the profiler's wavefronts; beyond it a difference needs a cause found by hand

L1 = "l1tex__"
LSU = "_pipe_lsu_mem_"
METRICS = {  # ours: the profiler's, or several to be added up
    "global_load_requests": L1 + "t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": L1 + "t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": L1 + "t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": L1 + "t_sectors_pipe_lsu_mem_global_op_st.sum",
    "atomic_requests": tuple(f"{L1}t_requests{LSU}global_op_{kind}.sum" for kind in ("atom", "red")),
    "atomic_sectors": tuple(f"{L1}t_sectors{LSU}global_op_{kind}.sum" for kind in ("atom", "red")),
    "local_load_requests": L1 + "t_requests_pipe_lsu_mem_local_op_ld.sum",
    "local_load_sectors": L1 + "t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "local_store_requests": L1 + "t_requests_pipe_lsu_mem_local_op_st.sum",
    "local_store_sectors": L1 + "t_sectors_pipe_lsu_mem_local_op_st.sum",
    "shared_load_instructions": "smsp__inst_executed_op_shared_ld.sum",
    "shared_load_wavefronts": L1 + "data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_load_conflicts": L1 + "data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_instructions": "smsp__inst_executed_op_shared_st_pred_on_any.sum",
    "shared_store_wavefronts": L1 + "data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_store_conflicts": L1 + "data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "registers": "launch__registers_per_thread",
    "floor_nanoseconds": "gpu__time_duration.sum",
}
# What only machine code has: compared where the launch ran by it (--engine machine).
OF_MACHINE_CODE = {
    "warp_instructions": "smsp__inst_executed.sum",
    "thread_instructions": "smsp__thread_inst_executed.sum",
    "branches": "smsp__inst_executed_op_branch.sum",
    "divergent_branches": "smsp__sass_branch_targets_threads_divergent.sum",
} | {f"pipe_{pipe}": f"smsp__inst_executed_pipe_{pipe}.sum"
     for pipe in ("alu", "fma", "fp64", "tensor", "xu", "lsu", "tex", "uniform", "adu", "cbu")}
# Better columns of newer profiles: without what no lane executes; with cp.async, whose wavefronts stand apart.
PREFERRED = {
    "shared_load_instructions": "smsp__inst_executed_op_shared_ld_pred_on_any.sum",
    "shared_store_wavefronts": (METRICS["shared_store_wavefronts"],
                                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"),
}
# The same wavefronts as the profiler counts them from the addresses of each instruction: without arbitration.
BY_INSTRUCTION = {f"shared_{ours}_wavefronts": f"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{theirs}.sum"
                  for ours, theirs in (("load", "ld"), ("store", "st"))}
LEAST_REGISTERS_SHOWN = 16


def ours(launch, metric):
    if metric == "registers":
        return None if launch["registers"] is None else max(LEAST_REGISTERS_SHOWN, launch["registers"])
    if metric == "floor_nanoseconds":
        return launch["floor_seconds"] * 1e9
    return launch["counters"][metric]


def measured(row, columns):
    """The sum of the row's columns, or None where one is missing."""
    texts = [row.get(column) for column in ([columns] if isinstance(columns, str) else columns)]
    if any(text in (None, "") for text in texts):
        return None
    total = sum(float(text.replace(",", "")) for text in texts)
    return int(total) if total.is_integer() else total


def compare_launch(row, launch):
    """The figures of one launch on both sides: {metric: (ours, profiler's)}."""
    figures = {}
    of_launch = METRICS | (OF_MACHINE_CODE if launch.get("engine") == "machine" else {})
    for metric, columns in of_launch.items():
        theirs = measured(row, PREFERRED.get(metric, columns))
        if theirs is None:
            theirs = measured(row, columns)
        if theirs is not None and ours(launch, metric) is not None:
            figures[metric] = (ours(launch, metric), theirs)
    return figures


def differs(metric, mine, theirs):
    return mine > theirs if metric == "floor_nanoseconds" else mine != theirs


def is_arbitration(metric, figures, row):
    match = re.fullmatch(r"shared_(load|store)_(wavefronts|conflicts)", metric)
    wavefronts, conflicts = (figures.get(f"shared_{match[1]}_{what}") if match else None
                             for what in ("wavefronts", "conflicts"))
    if not wavefronts or not conflicts:
        return False
    by_instruction = measured(row, BY_INSTRUCTION[f"shared_{match[1]}_wavefronts"])
    if by_instruction is not None and match[2] == "wavefronts":
        return by_instruction == wavefronts[0] < wavefronts[1]
    if by_instruction is not None:
        return wavefronts[1] - by_instruction == conflicts[1] - conflicts[0] > 0
    if match[1] == "load" and len(set(figures.get("shared_load_instructions", ()))) > 1:
        return False
    excess = wavefronts[1] - wavefronts[0]
    return 0 < excess == conflicts[1] - conflicts[0] and excess <= ARBITRATION * wavefronts[1]


RULE = {"program": "", "kernel": "", "metrics": [metric for metric in METRICS if metric.startswith("shared_")],
        "cause": "arbitration: waiting for the data pipe counts as wavefronts and as conflicts", "ptx": [],
        "evidence": "rule"}


def cause_of(difference, figures, row, causes):
    """The cause of a difference, or None."""
    for cause in causes:
        if (re.search(cause["program"], difference["program"]) and re.search(cause["kernel"], difference["kernel"])
                and difference["metric"] in cause["metrics"]):
            return cause
    return RULE if is_arbitration(difference["metric"], figures, row) else None


def key_of_launch(launch, is_unqualified):
    key = plain_name(launch["kernel"]), launch["block"], launch["grid"]
    return (unqualified(key[0]), *key[1:]) if is_unqualified else key


def key_of_row(row):
    key = plain_name(row["kernel"]), shape(row["block"]), shape(row["grid"])
    return (unqualified(key[0]), *key[1:]) if row.get("unqualified") else key


def launch_of(row, launches, alike):
    """The launch that a row is of: by its number, or (alike) the first of the same kernel and shape; else why there is none."""
    theirs, index = key_of_row(row), int(row["launch"])
    if alike:
        same = (each for each in launches if key_of_launch(each, row.get("unqualified")) == theirs)
        launch = next(same, None)
        return launch, launch is None and "no launch of this kernel and shape"
    if index >= len(launches):
        return None, "no such launch"
    mine = key_of_launch(launches[index], row.get("unqualified"))
    return launches[index], mine != theirs and f"another launch stands here: {mine[0]} {mine[2]} x {mine[1]}"


def compare(rows, reports, causes, alike=()):
    """Differences, the causes they name by number, figures compared per metric, and launches not compared, with why."""
    differences, named, compared, unpaired = [], [], collections.Counter(), []
    for row in rows:
        program, index = row["program"], int(row["launch"])
        place = {"program": program, "launch": index, "kernel": row["kernel"]}
        launch, why = launch_of(row, reports.get(program, {}).get("launches", []), program in alike)
        if why:
            unpaired.append(place | {"why": why if program in reports else "no report of this program"})
            continue
        if not launch.get("completed", True):
            unpaired.append(place | {"why": "the launch was cut short by a finding"})
            continue
        figures = compare_launch(row, launch)
        for metric, (counted, measured) in figures.items():
            compared[metric] += 1
            if not differs(metric, counted, measured):
                continue
            difference = place | {"metric": metric, "headroom": counted, "profiler": measured,
                                  "relative": round((counted - measured) / measured, 6) if measured else None}
            cause = cause_of(difference, figures, row, causes)
            if cause and cause not in named:
                named.append(cause)
            differences.append(difference | {"kind": cause and cause["evidence"],
                                             "cause": named.index(cause) + 1 if cause else None})
    return differences, named, compared, unpaired


def one_per_line(document):
    """JSON with every row of its lists on a line of its own, for people who read differences of files."""
    parts = []
    for key, value in document.items():
        text = json.dumps(value)
        if isinstance(value, list):
            text = "[" + ",".join("\n  " + json.dumps(row) for row in value) + "\n ]"
        parts.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def percent(relative):
    return "from 0" if relative is None else f"{100 * relative:+.3g} %"


def print_differences(differences, named):
    """One line for all launches of a kernel that differ in a metric, showing the one that differs most."""
    groups = collections.defaultdict(list)
    for difference in differences:
        groups[difference["program"], plain_name(difference["kernel"]), difference["metric"]].append(difference)
    print(f"{'program':<22}{'kernel':<30}{'metric':<26}{'launches':>8}{'headroom':>14}{'profiler':>14}{'':>11}  cause")
    for (program, kernel, metric), group in groups.items():
        worst = max(group, key=lambda each: float("inf") if each["relative"] is None else abs(each["relative"]))
        print(f"{program:<22}{kernel[:28]:<30}{metric:<26}{len(group):>8}{worst['headroom']:>14.0f}"
              f"{worst['profiler']:>14.0f}{percent(worst['relative']):>11}  {named[worst['cause'] - 1]['cause'] if worst['cause'] else '-'}")


def summarise(differences, compared):
    summary = {}
    for metric in (metric for metric in METRICS | OF_MACHINE_CODE if compared[metric]):
        own = [difference for difference in differences if difference["metric"] == metric]
        summary[metric] = {"launches": compared[metric], "equal": compared[metric] - len(own),
                           "machine_code": sum(each["kind"] == "machine code" for each in own),
                           "runs": sum(each["kind"] == "runs" for each in own),
                           "figures": sum(each["kind"] == "figures" for each in own),
                           "rule": sum(each["kind"] == "rule" for each in own),
                           "without_cause": sum(each["kind"] is None for each in own)}
    return summary


def print_summary(summary):
    print(f"\n{'metric':<28}{'launches':>10}{'equal':>8}  cause: {'machine code':>12}{'runs':>6}{'figures':>9}{'rule':>6}{'none':>6}")
    for metric, row in summary.items():
        print(f"{metric:<28}{row['launches']:>10}{row['equal']:>8}  {row['machine_code']:>19}"
              f"{row['runs']:>6}{row['figures']:>9}{row['rule']:>6}{row['without_cause']:>6}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", type=pathlib.Path)
    parser.add_argument("profiles", type=pathlib.Path, nargs="+", metavar="PROFILE.csv")
    parser.add_argument("--causes", type=pathlib.Path, default="results/profiler_causes.json")
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--title", default="Launches", help="what is compared, in a word or two")
    parser.add_argument("--about", default="", help="a sentence on how both sides came about, kept in the results")
    parser.add_argument("--alike", nargs="*", default=[], metavar="PROGRAM",
                        help="programs that launch more often on a GPU: paired by kernel and shape, not by number")
    options = parser.parse_args()
    for path in (options.reports, *options.profiles):
        if not path.exists():
            sys.exit(f"compare_profiler.py: {path}: no such file or folder")
    rows = [row for path in options.profiles for row in read_profile(path)]
    reports = {}
    for program in dict.fromkeys(row["program"] for row in rows):
        path = options.reports / f"{program}.json"
        if path.exists() and path.stat().st_size:
            reports[program] = run_record.read_run(path)
    causes = json.loads(options.causes.read_text()) if options.causes.exists() else []

    differences, named, compared, unpaired = compare(rows, reports, causes, options.alike)
    programs = {row["program"] for row in rows}
    unused = [cause for cause in causes
              if cause not in named and any(re.search(cause["program"], program) for program in programs)]
    summary = summarise(differences, compared)
    without_cause = sum(each["kind"] is None for each in differences)
    options.results.parent.mkdir(parents=True, exist_ok=True)
    options.results.write_text(one_per_line(
        {"schema": SCHEMA, "title": options.title, "about": options.about, "profiles": [path.name for path in options.profiles], "launches": len(rows),
         "without_cause": without_cause, "summary": summary, "not_compared": unpaired, "causes": named,
         "differences": differences}))

    print_differences(differences, named)
    print_summary(summary)
    reasons = collections.Counter((each["program"], each["why"]) for each in unpaired)
    for (program, why), launches in reasons.items():
        print(f"not compared: {program}, {launches} launches: {why}")
    for cause in unused:
        print(f"explains nothing: {cause['program']} {cause['kernel']} {cause['metrics']}: {cause['cause']}")
    print(f"\n{len(rows) - len(unpaired)} of {len(rows)} launches compared, {len(differences)} figures differ, "
          f"{without_cause} without a cause")
    return 1 if without_cause or unused or unpaired else 0


if __name__ == "__main__":
    sys.exit(main())
