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
import json
import pathlib
import statistics
import sys


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for i in order[begin:end]:
            result[i] = (begin + end - 1) / 2
        begin = end
    return result


def correlation(a, b):
    return statistics.correlation(ranks(a), ranks(b))


def row_of(name, rows, by="predicted_us"):
    measured, predicted = [row["measured_us"] for row in rows], [row[by] for row in rows]
    floors = [row["floor_us"] for row in rows]
    ranked = [row["measured_us"] for row in sorted(rows, key=lambda row: row[by])]
    best_of = [min(ranked[:first]) / min(measured) for first in (10, 50)]
    error = statistics.mean(abs(p / m - 1) for p, m in zip(predicted, measured))
    return (f"{name:32} {len(rows):4} {correlation(measured, predicted):8.3f} {correlation(measured, floors):8.3f} {100 * error:8.1f} % {best_of[0]:10.2f} {best_of[1]:10.2f}")


def main():
    data = json.loads(pathlib.Path(sys.argv[1]).read_text())
    print(f"{'':32} rows     rank    floor      error  best of 10 best of 50")
    for kernel, found in data["kernels"].items():
        rows = found["rows"]
        same = [row for row in rows if abs(row["registers"] - row["registers_there"]) <= 2]
        print(row_of(kernel, rows))
        if len(same) < len(rows):
            print(row_of(f"{kernel}, the same code", same))
        print(row_of(f"{kernel}, drawn at random", [row for row in rows if row["drawn"]]))
        if all("before_us" in row for row in rows):
            print(row_of(f"{kernel}, by the model before", rows, "before_us"))


if __name__ == "__main__":
    main()
