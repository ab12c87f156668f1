#!/usr/bin/env python3
"""Writes docs/corpus.md: what came of the programs of scripts/corpus/corpus.py, and by which cause some did not pass.

    scripts/docs/corpus_document.py [--check]

Everything on the page is in results/corpus.json, results/corpus_sample.json, and in two lists of tests/corpus, tab
separated: replaced.txt (programs passed over when the sample was drawn) and causes.txt, whose rows say in words why a
program does not pass, once somebody has found out:

    name <TAB> cause <TAB> how one sees it
    layernorm <TAB> a race of the program <TAB> BlockReduce writes shared memory again before every warp has read it …

--check compares instead of writing. Exit code: 1 if the page on disk says something else.
"""
import argparse
import collections
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "corpus"))
from corpus import control_failed  # noqa: E402  (the path has to be there first)
from profiler_document import number, table  # noqa: E402

PAGE = ROOT / "docs" / "corpus.md"
SLOWEST = 10

HEAD = """# Self-verifying programs

Programs of HeCBench (github.com/zjin-lcf/HeCBench) on the emulator, built with
`make CC=nvcc ARCH=sm_80 EXTRA_CFLAGS="-cudart shared"` and run with small arguments. Written by `scripts/docs/corpus_document.py`
from [results/corpus.json](../results/corpus.json) and [results/corpus_sample.json](../results/corpus_sample.json).

They run by their machine code, for an H200; once more by PTX (`--engine ptx`), and once with kernels that do nothing.

- *pass*: exit code 0, the program's own text of success, and no FAIL.
- *control*: the same run with kernels that do nothing. A program counts if it passes and its control does not.
- *s*: of the whole run; *s machine code* and *s PTX*: of execution alone, on one host thread, without the time model.
"""
SECTIONS = {
    "corpus": """## Those it was developed with

Their arguments are the list's; all of them pass on an H200 with NVIDIA's runtime.
""",
    "sample": """## A random sample of the others

`scripts/corpus/corpus_sample.py` shuffles the programs that need no library but the CUDA runtime, with a fixed seed. The sample is
the first hundred of them that can be judged; [tests/corpus/sample.txt](../tests/corpus/sample.txt) has their arguments,
and the texts of sources that were made smaller.
"""}


def read_rows(path):
    """{first column: the others} of a tab-separated list with # comments."""
    rows = [line.split("\t") for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {name: columns for name, *columns in rows}


def what_came(results):
    programs = results["programs"]
    failed_controls = sum(control_failed(row) for row in programs)
    seconds = sum(row["seconds"] or 0 for row in programs)
    executed = sum(row["warp_instructions"] or 0 for row in programs)
    summary = results["summary"]
    yield (f"{summary['count']} of {len(programs)} programs count: {summary['pass']} pass, and "
           f"{failed_controls} do not where kernels do nothing. {executed / 1e9:.1f} G warp instructions in {seconds:.0f} s, "
           f"{results['jobs']} at a time on a machine with other work.")
    yield ""
    yield (f"By both engines: {summary['by_machine_code']} of {summary['launches']} launches ran by machine code; by PTX "
           f"{summary['pass_by_ptx']} pass, and {summary['same_verdict']} have the same verdict. Machine code takes "
           f"{summary['machine_to_ptx_seconds']} times as long as PTX, the geometric mean of the programs of 10 ms and more.")
    fallbacks = sorted({f"{row['name']}: {cause}" for row in programs for cause in row.get("fallbacks", {})})
    if fallbacks:
        yield from ["", "PTX ran in place of machine code in " + "; ".join(fallbacks) + "."]
    yield ""


def by_cause(results, causes):
    """What does not count, or fails by PTX, grouped by its cause; nothing at all if everything passes."""
    groups = collections.defaultdict(list)
    for row in results["programs"]:
        if not row["counts"] or not row["ptx"]["pass"]:
            said = row["cause"] if not row["counts"] else f"by PTX {row['ptx']['cause']}"
            kind, words = causes.get(row["name"], ["not known yet", said])
            groups[kind].append(f"{row['name']} ({said.replace('|', '/')}): {words}")
    if groups:
        yield from table(["cause", "programs", ""], ["---", "---:", "---"],
                         ([kind, len(rows), "; ".join(rows)] for kind, rows in sorted(groups.items())))


def slowest(results):
    timed = [row for row in results["programs"] if row["warp_instructions_per_second"] and row["seconds"] >= 1]
    timed.sort(key=lambda row: row["warp_instructions_per_second"])
    yield "The slowest of those that take a second, by warp instructions a second of execution:"
    yield ""
    yield from table(["program", "M/s", "M warp instructions", "launches", "s"], ["---"] + ["---:"] * 4,
                     ([row["name"], f"{row['warp_instructions_per_second'] / 1e6:.1f}",
                       number(row["warp_instructions"] / 1e6), number(row["launches"]), f"{row['seconds']:.0f}"]
                      for row in timed[:SLOWEST]))


def by_ptx(row):
    return "passes" if row.get("ptx", {}).get("pass") else "does not"


def every(results):
    yield from table(["program", "kind", "counts", "by PTX", "control", "launches", "M warp instructions", "s", "s machine code", "s PTX"],
                     ["---"] * 5 + ["---:"] * 5,
                     ([row["name"], row["category"], "yes" if row["counts"] else "no", by_ptx(row), row["control"] or "-",
                       number(row["launches"] or 0), f"{(row['warp_instructions'] or 0) / 1e6:.2f}", f"{row['seconds'] or 0:.1f}",
                       f"{row.get('executor_seconds', 0):.3f}", f"{row.get('ptx', {}).get('executor_seconds', 0):.3f}"]
                      for row in results["programs"]))


def passed_over(replaced):
    groups = collections.defaultdict(list)
    for name, (reason, words) in replaced.items():
        groups[reason].append((words, name))
    yield from ["### Passed over", "", f"{len(replaced)} programs were drawn before the sample's last one and cannot be judged:", ""]
    rows = []
    for reason, members in sorted(groups.items(), key=lambda group: -len(group[1])):
        names = collections.defaultdict(list)
        for words, name in members:
            names[words].append(name)
        rows.append([reason, len(members), "; ".join(f"{words}: {', '.join(group)}" for words, group in names.items())])
    yield from table(["reason", "programs", ""], ["---", "---:", "---"], rows)


def page(results, causes, replaced):
    """results: {"corpus": …, "sample": …}, each as scripts/corpus/corpus.py writes them."""
    lines = HEAD.splitlines() + [""]
    for which, head in SECTIONS.items():
        lines += head.splitlines() + [""]
        for part in (what_came(results[which]), by_cause(results[which], causes), slowest(results[which]), every(results[which])):
            lines += part
        if which == "sample":
            lines += passed_over(replaced)
    return "\n".join(lines).rstrip("\n") + "\n"


def committed():
    """The page that the files in the tree give."""
    results = {"corpus": json.loads((ROOT / "results" / "corpus.json").read_text()),
               "sample": json.loads((ROOT / "results" / "corpus_sample.json").read_text())}
    lists = ROOT / "tests" / "corpus"
    return page(results, read_rows(lists / "causes.txt"), read_rows(lists / "replaced.txt"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the page instead of writing it")
    options = parser.parse_args()
    text = committed()
    if not options.check:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        print(f"{PAGE} is not what the results say: run scripts/docs/corpus_document.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
