#!/usr/bin/env python3
"""Which warp issues next: rules beside each other, by how far the times that they predict are off.

    scripts/prove/issue_rules.py results/h200/issue_rules.json

A row a rule: mean error and share within 25 % of the calibration half's launches of 10 µs and more, mean error of its shorter ones, the
error of the chains of additions of 768 threads alone, and the judgement half's mean error where that was looked at.
"""
import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import given  # noqa: E402

KEYS = {"next", "place", "turns", "chosen", "calibration", "below_10_us_mean_percent", "chains_of_768_threads_percent"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    data = given.read_results(parser.parse_args().file, "headroom-issue-rules/1", "results/h200/issue_rules.json", KEYS)
    print("of the warps that may issue: the one that issued last, else …                  turns   mean  within 25 %  < 10 µs  6 warps  judge")
    for row in data["rows"]:
        half = row["calibration"]
        judged = f"{row['judgement']['mean_percent']:5.1f} %" if "judgement" in row else ""
        place = {"fewest warps now": "", "round, over blocks": ", places round", "fewest places of blocks that are not over": ", places of blocks"}[row["place"]]
        print(f"{'*' if row['chosen'] else ' '} {row['next'] + place:78} {row['turns']:3} {half['mean_percent']:6.2f} %   {half['within_25_percent']:5.1f} %"
              f"  {row['below_10_us_mean_percent']:6.2f} % {row['chains_of_768_threads_percent']:+6.1f} % {judged}".rstrip())


if __name__ == "__main__":
    main()
