#!/usr/bin/env python3
"""Ranks of predicted and measured times of the configurations of a tuner's search.

    scripts/prove/tuning_ranks.py results/tuning_ranks.json

    {"schema": "headroom-tuning-ranks/1", "source": …, "seed": …, "kernels": {"convolution": {"rows": [
      {"configuration": {"BLOCK_SIZE_X": 128, …}, "measured_us": 706.1, "predicted_us": 1082.1, "floor_us": 523.8, "registers": 62,
       "registers_there": 62, "drawn": false, "best": true, "before_us": 1091.5}, …]}, …}}

A row's registers are those of the code that was predicted, registers_there of the code that was measured. The same code: as many
registers, give or take two. Ranks are Spearman's. An error is |predicted / measured − 1|. drawn: at random; best: of the ten best of the whole search,
which were taken beside those. before_us: by the model that the file's "before" describes.
"""
import argparse
import itertools
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import given  # noqa: E402
from ranks import correlation  # noqa: E402

KEYS = {"measured_us", "predicted_us", "floor_us", "registers", "registers_there", "drawn"}


def row_of(name, rows, by="predicted_us"):
    measured, predicted = [row["measured_us"] for row in rows], [row[by] for row in rows]
    floors = [row["floor_us"] for row in rows]
    ranked = [row["measured_us"] for row in sorted(rows, key=lambda row: row[by])]
    best_of = [min(ranked[:first]) / min(measured) for first in (10, 50)]
    error = statistics.mean(abs(p / m - 1) for p, m in zip(predicted, measured))
    ranks = [f"{rank:8.3f}" if rank is not None else f"{'–':>8}" for rank in (correlation(measured, predicted), correlation(measured, floors))]
    return f"{name:32} {len(rows):4} {ranks[0]} {ranks[1]} {100 * error:8.1f} % {best_of[0]:10.2f} {best_of[1]:10.2f}"


def rows_of(data):
    return list(itertools.chain.from_iterable(kernel["rows"] for kernel in data["kernels"].values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    path = parser.parse_args().file
    data = given.read_results(path, "headroom-tuning-ranks/1", "results/tuning_ranks.json", KEYS, rows_of)
    if not all(row["measured_us"] > 0 for row in rows_of(data)):
        given.stop(f"{path}: a row's measured time is not above 0", "measure it again, or leave it out")
    print(f"{'':32} rows     rank    floor      error  best of 10 best of 50")
    for kernel, found in data["kernels"].items():
        rows = found["rows"]
        same = [row for row in rows if abs(row["registers"] - row["registers_there"]) <= 2]
        drawn = [row for row in rows if row["drawn"]]
        if rows:
            print(row_of(kernel, rows))
        if same and len(same) < len(rows):
            print(row_of(f"{kernel}, the same code", same))
        if drawn:
            print(row_of(f"{kernel}, drawn at random", drawn))
        if rows and all("before_us" in row for row in rows):
            print(row_of(f"{kernel}, by the model before", rows, "before_us"))


if __name__ == "__main__":
    main()
