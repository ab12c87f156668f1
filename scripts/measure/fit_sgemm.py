#!/usr/bin/env python3
"""The numbers in any_choice.h or tensor_choice.h of the study sgemm, fitted to a sweep over kernels and cuts.

    sgemm_vs_cublas --sweep tensor_any_shape --size "$(scripts/measure/random_shapes.py 200 2026)" --json sweep.json
    scripts/measure/fit_sgemm.py studies/sgemm/tensor_choice.h sweep.json        --write: puts them into the header, too

It minimises squares of logarithms of predicted by measured time, most of all for the runs near the best of a shape, number by number.
At the end: how much longer what the model chooses takes than the best that was measured, by shape, in the geometric mean. The model is that
of the headers, again in Python.
"""
import argparse
import json
import math
import pathlib
import re
import sys

SMS = 132
COMMON = ("launch", "cluster", "cluster_byte", "parts", "parts_byte", "byte", "byte_of_a")
TILE = ("busy", "wait", "busy_block", "wait_block", "ones")
RING = ("fours", "ones", "tile", "shared", "copy", "copied_byte")
FEW = ("launch", "byte")
TERMS = ("launches", "byte", "byte_of_c", "step", "tile", "shared")
NEAR = 1.6  # runs beyond it, by their time over the best of the shape, are left out


def parts_of(extent, part):
    return -(-extent // part)


def tile_time(tile, common, run):
    """run: what does not depend on the numbers, see Run."""
    steps = run.steps * (1 if run.fours else tile["ones"])
    alone = steps * tile["wait"] + tile["wait_block"]
    block = steps * tile["busy"] + tile["busy_block"]
    time = run.full * max(alone, run.resident * block)
    if run.rest:
        time += max(alone, run.rest * block)
    if run.cluster > 1:
        time += common["cluster"] + common["cluster_byte"] * run.tile_bytes
    if run.parts > 1:
        time += common["parts"] + common["parts_byte"] * run.tile_bytes * run.parts / run.cluster
    return common["launch"] + max(time, common["byte_of_a"] * run.bytes_of_a + common["byte"] * run.bytes_of_others)


def ring_time(ring, common, run):
    time = common["launch"] + run.steps / run.blocks * ring["fours" if run.fours or run.copied else "ones"] + run.rounds * ring["tile"]
    if run.uneven:
        time += ring["shared"]
    return time + (ring["copy"] + ring["copied_byte"] * run.bytes_of_b if run.copied else 0)


def terms_time(terms, _, run):
    time = terms["launches"] + terms["byte"] * run.bytes_of_ab + terms["byte_of_c"] * run.bytes_of_c
    time += run.whole * (run.steps * terms["step"] + terms["tile"])
    if run.left:
        time += run.left_steps * terms["step"] + terms["tile"] + (terms["shared"] if run.slices > 1 else 0)
    return time


def few_time(few, _, run):
    return few["launch"] + few["byte"] * run.bytes_of_a


class Run:
    """A run of a sweep: by which table's row, how long it took, and what the model needs of its shape."""

    def __init__(self, shape, name, seconds, tiles):
        m, n, k = shape
        self.name, self.measured, self.fours = name, seconds, n % 4 == 0
        self.bytes_of_a, self.bytes_of_others, self.bytes_of_b = 4.0 * m * k, 4.0 * n * (k + m), 4.0 * k * n
        self.bytes_of_ab, self.bytes_of_c = 4.0 * k * (m + n), 4.0 * m * n
        self.cluster = self.parts = 1
        if name.startswith("stream_k"):
            self.row, self.copied = "ring", name != "stream_k"
            count = parts_of(m, 128) * parts_of(n, 256)
            self.steps = count * parts_of(k, 8)
            self.blocks = min(SMS, parts_of(self.steps, 16))
            self.rounds, self.uneven = parts_of(count, self.blocks), count % self.blocks != 0
        elif name.startswith("few"):
            self.row = "few"
        elif name == "terms":
            self.row = "terms"
            count = parts_of(m, 128) * parts_of(n, 256)
            self.steps, self.whole, self.left = parts_of(k, 64), count // SMS, count % SMS
            self.slices = max(1, min(SMS // self.left, parts_of(k, 256))) if self.left else 1
            self.left_steps = parts_of(self.steps, self.slices)
        elif name == "any_shape":
            self.row = "any_shape"
        else:
            size, cut = name.split(", ")
            splits, self.cluster = map(int, cut.split("/"))
            self.row = tiles[size]
            rows, columns, depth, self.resident = self.row
            self.parts = splits // self.cluster
            sms = SMS - SMS // 11 if self.cluster > 2 else SMS
            blocks = parts_of(m, rows) * parts_of(n, columns) * splits
            wave = sms * self.resident
            self.full = blocks // wave
            self.rest = parts_of(blocks - self.full * wave, sms)
            self.steps = parts_of(parts_of(k, depth), splits)
            self.tile_bytes = 4.0 * rows * columns


class Header:
    """The tables of any_choice.h or tensor_choice.h: tile_times, common_times and the others, and where they stand."""
    TILE_LINE = re.compile(r"\{(\d+), (\d+), (\d+), (\d+), ([^{}]*)\}")

    def __init__(self, path):
        self.path, self.text = path, path.read_text()
        tiles = re.search(r"TileTimes \w*tile_times\[\] = \{(.*?)\n\};", self.text, re.S)
        self.tiles = {tuple(map(int, found[:4])): dict(zip(TILE, map(self.number, found[4].split(",")))) for found in self.TILE_LINE.findall(tiles[1])}
        self.of_tiles = tiles
        self.common = self.numbers("CommonTimes", COMMON)
        self.others = {row: self.numbers(kind, names) for row, kind, names in
                       (("ring", "RingTimes", RING), ("few", "FewTimes", FEW), ("terms", "TermsTimes", TERMS)) if self.found(kind)}

    @staticmethod
    def number(text):
        return float(text.strip().rstrip("f"))

    def found(self, kind):
        return re.search(rf"constexpr {kind} \w+ = \{{(.*?)\}};", self.text, re.S)

    def numbers(self, kind, names):
        return dict(zip(names, map(self.number, self.found(kind)[1].split(","))))

    @staticmethod
    def written(value):
        text = f"{value:.3g}"
        return text + ("f" if "." in text or "e" in text else ".0f")

    def write(self):
        lines = [f"    {{{', '.join(map(str, tile))}, {', '.join(self.written(value) for value in numbers.values())}}}," for tile, numbers in self.tiles.items()]
        text = self.text.replace(self.of_tiles[1], "\n" + "\n".join(lines))
        for kind, numbers in (("CommonTimes", self.common), *(({"ring": "RingTimes", "few": "FewTimes", "terms": "TermsTimes"}[row], values)
                                                               for row, values in self.others.items())):
            old = self.found(kind)[1]
            text = text.replace(f"{{{old}}};", "{" + ", ".join(self.written(value) for value in numbers.values()) + "};")
        self.path.write_text(text)


class Fit:
    def __init__(self, header, rows):
        self.header = header
        tiles = {}
        for tile in header.tiles:
            tiles[" x ".join(map(str, tile[:3]))] = tile
        self.shapes = []
        for row in rows:
            shape = tuple(map(int, row["size"].split("x")))
            shape = shape * 3 if len(shape) == 1 else shape
            runs = [Run(shape, name, time, tiles) for name, time in row["runs"].items()]
            best = min(run.measured for run in runs)
            for run in runs:
                run.weight = (best / run.measured) ** 3
            self.shapes.append((row["size"], [run for run in runs if run.measured < 3 * best]))
        near = [run for _, runs in self.shapes for run in runs if run.weight > NEAR ** -3 and run.row != "any_shape"]
        self.of_row = {}
        for run in near:
            self.of_row.setdefault(run.row, []).append(run)

    def numbers(self, row):
        return self.header.tiles.get(row) or self.header.others[row]

    def time(self, run):
        if run.row == "any_shape":
            return run.measured
        by = {"ring": ring_time, "few": few_time, "terms": terms_time}.get(run.row, tile_time)
        return by(self.numbers(run.row), self.header.common, run)

    def loss(self, rows):
        return sum(run.weight * math.log(self.time(run) / run.measured) ** 2 for row in rows for run in self.of_row.get(row, ()))

    def improve(self, numbers, rows, step, fixed=()):
        """Each number up or down by a factor, where that is better."""
        least = self.loss(rows)
        for name in numbers:
            if name in fixed:
                continue
            for factor in (1 + step, 1 / (1 + step)):
                before = numbers[name]
                numbers[name] = max(before * factor, 1e-9)
                loss = self.loss(rows)
                if loss < least:
                    least = loss
                    break
                numbers[name] = before

    def run(self, rounds=40):
        step = 0.5
        for _ in range(rounds):
            for row in self.of_row:
                self.improve(self.numbers(row), [row], step, fixed=("ones",) if row in self.header.tiles and self.header.others.get("terms") else ())
            self.improve(self.header.common, list(self.of_row), step)
            step = max(step * 0.88, 0.01)

    def choose_better(self, rounds):
        """Then each number up or down where what the model chooses gets faster by that."""
        for _, runs in self.shapes:
            for run in runs:
                run.predicted = self.time(run)
        step = 0.1
        for _ in range(rounds):
            for row in self.of_row:
                self.choose_by(self.numbers(row), step, lambda run, row=row: run.row == row)
            self.choose_by(self.header.common, step, lambda run: True)
            step = max(step * 0.8, 0.01)

    def choose_by(self, numbers, step, concerns):
        shapes = [(runs, [run for run in runs if concerns(run)]) for _, runs in self.shapes]
        shapes = [both for both in shapes if both[1]]
        chosen = lambda: sum(math.log(min(runs, key=lambda run: run.predicted).measured) for runs, _ in shapes)  # noqa: E731
        least = chosen()
        for name in numbers:
            for factor in (1 + step, 1 / (1 + step)):
                before, old = numbers[name], [[run.predicted for run in some] for _, some in shapes]
                numbers[name] = before * factor
                for _, some in shapes:
                    for run in some:
                        run.predicted = self.time(run)
                now = chosen()
                if now < least - 1e-9:
                    least = now
                    break
                numbers[name] = before
                for (_, some), times in zip(shapes, old):
                    for run, time in zip(some, times):
                        run.predicted = time

    def regret(self):
        """By shape: what the model chooses, by its time over the best."""
        found = []
        for size, runs in self.shapes:
            chosen, best = min(runs, key=self.time), min(runs, key=lambda run: run.measured)
            found.append((chosen.measured / best.measured, size, chosen.name, best.name))
        return sorted(found, reverse=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("header", type=pathlib.Path)
    parser.add_argument("sweeps", type=pathlib.Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    header = Header(options.header)
    fit = Fit(header, [row for path in options.sweeps for row in json.loads(path.read_text())["rows"]])
    fit.run(options.rounds)
    fit.choose_better(options.rounds // 3)
    off = [math.log(fit.time(run) / run.measured) for runs in fit.of_row.values() for run in runs]
    print(f"{len(off)} runs, off by {math.sqrt(sum(one * one for one in off) / len(off)):.3f} (logarithm)")
    regret = fit.regret()
    for one in regret[:12]:
        print("  x {:.2f} at {}: {} for {}".format(*one))
    print(f"chosen over best: x {math.exp(sum(math.log(one[0]) for one in regret) / len(regret)):.4f} in the mean of {len(regret)} shapes")
    if options.write:
        header.write()


if __name__ == "__main__":
    sys.exit(main())
