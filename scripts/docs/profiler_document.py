#!/usr/bin/env python3
"""Writes docs/counters_vs_profiler.md from what scripts/prove/compare_profiler.py found.

    scripts/docs/profiler_document.py [--check] [RESULTS.json…]

Without RESULTS: those of the micro-kernels, the studies and the corpus. For each of them a table of the metrics (how
many launches agree, and why the others do not), one of the differences, the causes with their lines of PTX and of
machine code, and the launches that differ without a cause:

    | metric | launches | equal | by rule | machine code | runs | figures | no cause |
    |---|---:|---:|---:|---:|---:|---:|---:|
    | `global_load_requests` | 216 | 180 | 0 | 35 | 0 | 1 | 0 |

--check compares instead of writing. Exit code: 1 if the document on disk says something else.
"""
import argparse
import collections
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "prove"))
from profiler_rows import plain_name  # noqa: E402  (the path has to be there first)

DOCUMENT = ROOT / "docs" / "counters_vs_profiler.md"
RESULTS = [ROOT / "results" / "h200" / "micro_vs_profiler.json", ROOT / "results" / "h200" / "studies_vs_profiler.json",
           ROOT / "results" / "corpus_vs_profiler.json"]

HEAD = """# Counters beside a profiler's

Written by `scripts/docs/profiler_document.py` from {sources}:
what headroom counted by executing PTX, and what Nsight Compute measured on a GPU, launch by launch.
[counters.md](counters.md) says which of its metrics is which.

- *equal*: the same number; for the floor, a time not above the measured one.
- *by rule*: wavefronts beyond those that the addresses need, by the profiler's own count instruction by instruction,
  which is ours: the hardware's include waiting for the data pipe, shared with everything else that runs. Where a profile
  has no such count: they exceed ours by exactly as much as the conflicts do, by at most 5 %, on equal instructions.
- *machine code*: the cause was read in the machine code that `ptxas` makes of this PTX: what ran on the GPU for
  micro-kernels and studies; that of the corpus the driver made of the same PTX, with the same registers.
- *runs*: the profiler's own figures differ from run to run.
- *figures*: the cause is inferred from the PTX and fits the figures.
- *no cause*: nobody knows.
"""


def number(value):
    return f"{value:,.0f}".replace(",", " ")


def relative(value):
    return "from 0" if value is None else f"{100 * value:+.3g} %"


def table(columns, aligned, rows):
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "|".join(aligned) + "|"
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
    yield ""


def metrics(results):
    columns = ["launches", "equal", "rule", "machine_code", "runs", "figures", "without_cause"]
    yield from table(["metric", "launches", "equal", "by rule", "machine code", "runs", "figures", "no cause"],
                     ["---"] + ["---:"] * 7,
                     ([f"`{metric}`", *(row[column] for column in columns)]
                      for metric, row in results["summary"].items()))


def differences(rows):
    """One row for all launches of a kernel that differ in a metric for one cause, showing the one that differs most."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["program"], plain_name(row["kernel"]), row["metric"], row["cause"]].append(row)
    lines = []
    for (program, kernel, metric, cause), group in groups.items():
        worst = max(group, key=lambda row: float("inf") if row["relative"] is None else abs(row["relative"]))
        lines.append([program, f"`{kernel}`", f"`{metric}`", len(group), worst["launch"], number(worst["headroom"]),
                      number(worst["profiler"]), relative(worst["relative"]), cause or "none"])
    yield from table(["program", "kernel", "metric", "launches", "most in", "headroom", "profiler", "", "cause"],
                     ["---"] * 3 + ["---:"] * 6, lines)


def causes(results):
    for index, cause in enumerate(results["causes"], 1):
        launches = len({(row["program"], row["launch"]) for row in results["differences"] if row["cause"] == index})
        evidence = "by rule" if cause["evidence"] == "rule" else cause["evidence"]
        yield f"{index}. {cause['cause']} ({evidence}; {launches} {'launch' if launches == 1 else 'launches'})"
        lines = cause["ptx"] + cause.get("machine_code", [])
        if lines:
            yield from ["", "   ```", *(f"   {line}" for line in lines), "   ```"]
        yield ""


def section(results):
    yield f"## {results['title']}"
    yield ""
    if results["about"]:
        yield from [results["about"], ""]
    compared, differ = results["launches"] - len(results["not_compared"]), len(results["differences"])
    yield (f"{compared} of {results['launches']} launches compared; {differ} figures differ, "
           f"{results['without_cause']} without a cause.")
    yield ""
    yield from metrics(results)
    for row in results["not_compared"]:
        yield f"Not compared: {row['program']}, launch {row['launch']}: {row['why']}."
        yield ""
    if differ:
        yield from ["### What differs", ""]
        yield from differences(results["differences"])
        yield from ["### Causes", ""]
        yield from causes(results)
    yield from ["### Without a cause", ""]
    unexplained = [row for row in results["differences"] if row["cause"] is None]
    if unexplained:
        yield from table(["program", "launch", "kernel", "metric", "headroom", "profiler", ""],
                         ["---", "---:", "---", "---", "---:", "---:", "---:"],
                         ([row["program"], row["launch"], f"`{plain_name(row['kernel'])}`", f"`{row['metric']}`",
                           number(row["headroom"]), number(row["profiler"]), relative(row["relative"])]
                          for row in unexplained))
    else:
        yield from ["None.", ""]


def document(all_results, sources):
    lines = HEAD.format(sources=" and ".join(f"`{source}`" for source in sources)).splitlines() + [""]
    for results in all_results:
        lines.extend(section(results))
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, nargs="*", default=RESULTS, metavar="RESULTS.json")
    parser.add_argument("--document", type=pathlib.Path, default=DOCUMENT)
    parser.add_argument("--check", action="store_true", help="compare with the document instead of writing it")
    options = parser.parse_args()
    for path in options.results:
        if not path.exists():
            sys.exit(f"profiler_document.py: {path}: no such file; scripts/prove/compare_profiler.py writes it")
    sources = [path.resolve().relative_to(ROOT) if path.resolve().is_relative_to(ROOT) else path.name
               for path in options.results]
    text = document([json.loads(path.read_text()) for path in options.results], sources)
    if not options.check:
        options.document.write_text(text)
    elif not options.document.exists() or options.document.read_text() != text:
        print(f"{options.document} is not what the results say: run scripts/docs/profiler_document.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
