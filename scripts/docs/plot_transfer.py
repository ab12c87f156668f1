#!/usr/bin/env python3
"""Draws what the study transfer measured: throughput against size, and time against size, as SVG.

    scripts/docs/plot_transfer.py [--check] [RESULTS.json]      default: results/h200/transfer.json

    transfer_throughput.svg    beside the results: Gbit/s (10^9) against bytes, bytes on a logarithmic axis
    transfer_latency.svg       microseconds against bytes, both logarithmic

A panel for each pattern between host and device, a line for each kind of host memory, by the runtime's API (mapped
memory: a kernel); dashed where a line T = a + n / b was fitted. --check compares with the files there instead of
writing; exit code 1 if they differ.
"""
import argparse
import json
import math
import pathlib
import sys

from drawing import Axis, frame, page, polyline, text

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results" / "h200" / "transfer.json"
PATTERNS = ["host to device", "device to host", "both at once", "round trip"]
COLOURS = {"pageable": "#b5482a", "pinned": "#1f5fa8", "write-combined": "#6aa5d8", "mapped": "#2f8f5b",
           "managed": "#8a5fb0"}
WIDTH, HEIGHT, LEFT, TOP, GAP_X, GAP_Y, PANEL_X, PANEL_Y = 960, 748, 82, 66, 92, 82, 380, 262
SIZES = ["4 B", "64 B", "1 KiB", "16 KiB", "256 KiB", "4 MiB", "64 MiB", "1 GiB"]   # 4 · 16^k


def by_way(results, pattern):
    """{memory: [(bytes, copied, seconds)]} of a pattern, by the runtime's API or by a kernel."""
    ways = {}
    for row in results["rows"]:
        if row["pattern"] == pattern and row["api"] != "driver" and "median" in row:
            ways.setdefault(row["memory"], []).append((row["bytes"], row["copied"], row["median"]))
    return ways


def fitted(results, pattern, memory):
    return next((line for line in results["lines"] if line["pattern"] == pattern and line.get("memory") == memory
                 and line["api"] != "driver"), None)


def panel(results, pattern, x_axis, y_axis, unit, value, left, top):
    bottom = top + PANEL_Y
    yield from frame(left, top, x_axis, y_axis, pattern, "size", unit)
    for memory, rows in by_way(results, pattern).items():
        line = fitted(results, pattern, memory)
        if line:
            curve = [(size, value(copied, line["a"] + copied / line["b"])) for size, copied, _ in rows]
            yield polyline([(left + x_axis.at(size), bottom - y_axis.at(y)) for size, y in curve], COLOURS[memory], True)
        yield polyline([(left + x_axis.at(size), bottom - y_axis.at(value(copied, seconds)))
                        for size, copied, seconds in rows], COLOURS[memory])


def figure(results, title, x_axis, y_axis, unit, value):
    yield text(LEFT, 20, f"{title}; {results['gpu']}, {results['date']}; dotted: a + n / b", "start", 14)
    for place, memory in enumerate(COLOURS):
        x = LEFT + 130 * place
        yield f'<line x1="{x}" y1="36" x2="{x + 22}" y2="36" stroke="{COLOURS[memory]}" stroke-width="2.5"/>'
        yield text(x + 28, 40, memory, "start", 12)
    for place, pattern in enumerate(PATTERNS):
        yield from panel(results, pattern, x_axis, y_axis, unit, value, LEFT + place % 2 * (PANEL_X + GAP_X),
                         TOP + place // 2 * (PANEL_Y + GAP_Y))


def drawn(parts):
    return "\n".join(page(WIDTH, HEIGHT, parts))


def figures(results):
    """{file name: SVG}"""
    times = [(row["copied"], row["median"]) for row in results["rows"] if row["pattern"] in PATTERNS]
    x_axis = Axis(4, 1 << 30, PANEL_X, True, [(4 * 16**k, label) for k, label in enumerate(SIZES)])
    most = max(8e-9 * copied / seconds for copied, seconds in times)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if most / step <= 10)
    top = math.ceil(most / step) * step
    gigabits = Axis(0, top, PANEL_Y, False, [(mark, str(mark)) for mark in range(0, top + 1, step)])
    decades = range(math.floor(math.log10(min(s for _, s in times) * 1e6)),
                    math.ceil(math.log10(max(s for _, s in times) * 1e6)) + 1)
    microseconds = Axis(10**decades[0], 10**decades[-1], PANEL_Y, True,
                        [(10**k, f"{10**k:,}".replace(",", " ")) for k in decades])
    return {
        "transfer_throughput.svg": drawn(figure(results, "Gbit/s against size", x_axis, gigabits, "Gbit/s",
                                              lambda copied, seconds: 8e-9 * copied / seconds)),
        "transfer_latency.svg": drawn(figure(results, "Microseconds against size", x_axis, microseconds, "µs",
                                           lambda copied, seconds: 1e6 * seconds)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("results", nargs="?", type=pathlib.Path, default=RESULTS)
    arguments = parser.parse_args()
    if not arguments.results.exists():
        parser.exit(127, f"plot_transfer: {arguments.results} is not there: write it with transfer --json\n")
    results = json.loads(arguments.results.read_text())
    if not results.get("measured"):
        parser.exit(125, f"plot_transfer: {arguments.results} holds no measurements: run transfer on a GPU\n")
    differ = 0
    for name, drawing in figures(results).items():
        there = arguments.results.parent / name
        if not arguments.check:
            there.write_text(drawing)
        elif not there.exists() or there.read_text() != drawing:
            print(f"{there} is not what {arguments.results} says: run scripts/docs/plot_transfer.py")
            differ = 1
    return differ


if __name__ == "__main__":
    sys.exit(main())
