#!/usr/bin/env python3
"""The first advice on each program of a corpus and what a reader of its source judged of it.

    scripts/prove/advice_verdicts.py results/advice_corpus.json [--all]      the verdicts that are not "right", or all

    {"schema": "headroom-advice-verdicts/1", "command": …, "programs": [
      {"program": "cbsfil", "advice": "uncoalesced", "line": "kernels.h:57", "verdict": "right", "why": "a thread walks along its own row"}, …]}
"""
import argparse
import collections
import json
import pathlib
import textwrap

INDENT = " " * 22


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="programs whose advice is right, too")
    options = parser.parse_args()
    programs = json.loads(options.file.read_text())["programs"]
    counts = collections.Counter(row["verdict"] for row in programs)
    print(f"{len(programs)} programs: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))
    for row in programs:
        if not options.all and row["verdict"] == "right":
            continue
        place = f" at {row['line']}" if row["line"] else ""
        said = f"{row['advice']}{place}: {row['verdict']}; {row['why']}"
        print(textwrap.fill(said, 110, initial_indent=f"{row['program']:22}", subsequent_indent=INDENT))


if __name__ == "__main__":
    main()
