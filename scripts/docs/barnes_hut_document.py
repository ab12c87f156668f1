#!/usr/bin/env python3
"""Writes docs/studies/barnes_hut.md and its drawings: steps, accuracy, kernels, switches, scaling, peers, and what the emulator counts.

    scripts/docs/barnes_hut_document.py HEADROOM BIN             writes
    scripts/docs/barnes_hut_document.py HEADROOM BIN --check     compares; exit code 1 if the page says something else

Sources of the page: studies/barnes_hut/README.md (the prose), studies/barnes_hut/published.json, results/h200/barnes_hut*.json and
HEADROOM itself, which runs BIN/barnes_hut on the emulator. No figure is typed.
"""
import argparse
import json
import pathlib
import re
import sys

import plot_barnes_hut
import rungs
from results_document import origin, table, text
from results_file import results

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUDY = ROOT / "studies" / "barnes_hut"
KERNELS = ["bounding box", "build tree", "summarise", "sort", "force", "advance"]
COUNTED = ["warp_instructions", "fp32_instructions", "divergent_branches", "global_load_requests", "global_load_sectors",
           "global_store_sectors", "atomic_requests", "shared_load_instructions", "barriers"]
EXECUTED = ["--bodies", "2000", "--repeat", "1", "--kernels", "--seed", "1"]


def rows_of(found, kind, **where):
    """Rows of one table whose cells are those of `where`; a keyword's `_` stands for a space."""
    return [row for row in found["rows"] if row.get("table") == kind
            and all(row.get(key.replace("_", " ")) == value for key, value in where.items())]


def one(rows, column):
    return next((row[column] for row in rows if column in row), None)


def figure(value):
    if not isinstance(value, (int, float)):
        return text(value)
    return f"{value:.4g}" if abs(value) < 10000 else f"{value:,.0f}".replace(",", " ")


def grid(rows, down, across, value, names=None):
    """A table whose cells are a figure of the rows."""
    columns = sorted(dict.fromkeys(row[across] for row in rows))
    cells = {(row[down], row[across]): row.get(value) for row in rows}
    names = [name for name in names or dict.fromkeys(row[down] for row in rows) if any((name, column) in cells for column in columns)]
    yield from table([down, *map(figure, columns)], [[name, *(figure(cells.get((name, column))) for column in columns)] for name in names])


def published(name):
    tables = {each["name"]: each for each in json.loads((STUDY / "published.json").read_text())["tables"]}
    return tables[f"barnes_hut.{name}"]


def published_cell(name, **key):
    return next((row["value"] for row in published(name)["rows"] if all(row["key"].get(k) == v for k, v in key.items())), None)


def meanings():
    """(name, meaning) of each switch, as switches.h has them."""
    for name, words in re.findall(r'\{\w+,\s+"([^"]+)",\s+((?:"[^"]*"\s*)+)\}', (STUDY / "six_kernels" / "switches.h").read_text()):
        yield name, "".join(re.findall(r'"([^"]*)"', words))


LONG = 7  # rows of a table that stands in the story


def behind(lines):
    """The same lines with every long table folded away, under the sentence that stands before it."""
    lines, result, i = list(lines), [], 0
    while i < len(lines):
        end = i
        while end < len(lines) and lines[end].startswith("|"):
            end += 1
        if end - i - 2 <= LONG:
            result.append(lines[i])
            i += 1
            continue
        said = []
        if result[-1:] == [""] and len(result) > 1 and result[-2].endswith(":"):
            result.pop()
            said = [result.pop().rstrip(":")]
        elif result[-1:] == [""]:
            result.pop()
        heading = next((line.lstrip("# ") for line in reversed(result) if line.startswith("#")), "The table")
        title = said[0].split(";")[0] if said and len(said[0].split(";")[0]) < 90 else heading
        result += ["", *([said[0] + "."] if said and title == heading else []), "", "<details>", f"<summary>{title}: {end - i - 2} rows</summary>", ""]
        result += [said[0] + ":", ""] if said and title not in (heading, said[0]) else []
        result += [*lines[i:end], "", "</details>"]
        i = end
    return [line for place, line in enumerate(result) if line or place and result[place - 1]]


class Page:
    def __init__(self, headroom, programs):
        self.headroom, self.programs = headroom, programs
        self.found, self.rates, self.peers = map(results, ("barnes_hut", "barnes_hut_rates", "barnes_hut_peers"))
        self.switched = results("barnes_hut_switches", "h100")

    def step_of(self, method, bodies=5000000, precision="single", column="step, ms"):
        return one(rows_of(self.found, "steps", method=method, bodies=bodies, precision=precision), column)

    def force(self, bodies=5000000):
        """What part of a step of the six kernels the force kernel is, %: (theirs, ours)."""
        theirs = {kernel: published_cell("kernels", kernel=kernel, precision="single") for kernel in KERNELS}
        ours = {kernel: one(rows_of(self.found, "kernels", method="six_kernels", precision="single", bodies=bodies, kernel=kernel), "time, ms")
                for kernel in KERNELS}
        return [100 * times["force"] / sum(times.values()) for times in (theirs, ours)]

    def story(self):
        """What happened, in a page; each figure is from the tables below."""
        theirs = published_cell("step", what="the six kernels")
        six, tree, quadrupoles, host, pairs = map(self.step_of, ("six_kernels", "sorted_tree", "sorted_tree_quadrupoles", "openmp", "all_pairs"))
        then, now = self.force()
        switches = [row for row in rows_of(self.found, "switches", bodies=5000000)]
        worst = max(switches, key=lambda row: row["over all on"])
        idle = [row["switched off"] for row in switches if row["over all on"] < 1.05]
        told = {name: published_cell("switches", **{"switched off": name, "bodies": 5000000}) for name in dict.fromkeys(row["switched off"] for row in switches)}
        most = max((name for name in told if told[name]), key=told.get)
        by_theta = {row["theta"]: row for row in rows_of(self.found, "theta", method="sorted_tree", bodies=500000)}
        tight, loose = min(by_theta), max(by_theta)
        yield "## The story"
        yield ""
        yield (f"In 2011 one step of five million bodies took {figure(theirs)} ms on a GeForce GTX 480. The same six kernels, written anew, take "
               f"{figure(six)} ms on an H200. All pairs would take {figure(pairs)} ms there: the tree is worth a factor of {figure(round(pairs / six))}, "
               "and no faster kernel makes up for n² interactions.")
        yield ""
        yield ("**Where the time goes.** Five of the kernels build and order the tree; the sixth walks it for every body. That walk, `force`, was "
               f"{then:.0f} % of a step then and is {now:.0f} % now. So the first rule of the source still holds: make the lanes of a warp walk the "
               "same part of the tree. Bodies are sorted by where they lie, a warp opens a cell if one of its lanes must, and one lane decides for all.")
        yield ""
        yield "![time of each of the six kernels, then and now](barnes_hut_kernels.svg)"
        yield ""
        yield (f"**What an optimisation is worth has changed.** Of ten, the source gained most by *{most}*; the one an H200 misses most is "
               f"*{worst['switched off']}*: without it a step takes {worst['over all on']:.2f} times as long. "
               f"{len(idle)} of ten no longer matter (below 5 %): {', '.join(idle) if idle else 'none'}. Caches, independent threads of a warp "
               "and faster atomics have taken over what they did. The source's factors are of a kernel, those of this paragraph of the whole step; "
               "both stand below.")
        yield ""
        yield "![a step without each optimisation](barnes_hut_switches.svg)"
        yield ""
        yield (f"**What one would write now.** `sorted_tree` sorts the bodies along a curve and reads the tree off the sorted keys: no locks, no waiting. "
               f"A step takes {figure(tree)} ms, {six / tree:.1f} times as fast as the six kernels, and {host / tree:.0f} times as fast as the cores of "
               f"the host ({figure(host)} ms). With quadrupoles it takes {figure(quadrupoles)} ms, and the median error falls from "
               f"{self.step_of('sorted_tree', column='median error'):g} to {self.step_of('sorted_tree_quadrupoles', column='median error'):g}.")
        yield ""
        yield (f"**Speed without error is no figure.** At 500 000 bodies θ = {loose:g} takes {by_theta[loose]['step, ms']:.2f} ms with a median error of "
               f"{by_theta[loose]['median error']:g}; θ = {tight:g} takes {by_theta[tight]['step, ms']:.2f} ms with {by_theta[tight]['median error']:g}. "
               "Compare codes at equal error.")
        yield ""
        yield "![time of a step by bodies](barnes_hut_scaling.svg)"
        yield ""
        yield ("**When the tree is not worth it.** Below some ten thousand bodies all pairs win: the tree's kernels are launched, and wait for each other, before the "
               "first pull is summed. Where the lines cross stands [below](#where-the-tree-begins-to-pay).")
        yield ""
        yield ("**How much can run at once.** The kernels that build and summarise the tree have little to do near its root. Each round of the drawing is work "
               "without dependences: with five million bodies hardly a round is too small for a GPU, with five thousand most are.")
        yield ""
        yield "![work items without dependences, round by round](barnes_hut_parallelism.svg)"
        yield ""

    def sizes(self, kind):
        return sorted(dict.fromkeys(row["bodies"] for row in rows_of(self.found, kind)))

    def steps(self):
        yield "## A step"
        yield ""
        yield (f"Measured: {self.found['gpu']}; [barnes_hut.json](../../results/h200/barnes_hut.json): {origin(self.found | {'command': []})}")
        yield ""
        for precision in ("single", "double"):
            rows = rows_of(self.found, "steps", precision=precision)
            if rows:
                yield f"Time of a whole step, ms, by bodies; {precision} precision, theta 0.5:"
                yield ""
                yield from grid(rows, "method", "bodies", "step, ms")
                yield ""

    def accuracy(self):
        yield "## Accuracy"
        yield ""
        yield ("Relative error of the pull on a body against all pairs in double precision, on the same sample of bodies for all methods of a size (of all "
               "pairs at 5 million a smaller one), and the pulls that a body's sum has:")
        yield ""
        columns = ["method", "precision", "bodies", "median error", "90 % error", "99 % error", "max error", "interactions a body", "verified"]
        rows = [row for row in rows_of(self.found, "steps") if row["bodies"] in (50000, 500000, 5000000)]
        yield from table(columns, [[row.get(name) if name != "bodies" else figure(row["bodies"]) for name in columns] for row in rows])
        yield ""
        kept = rows_of(self.found, "energy")
        if kept:
            yield "What 100 steps of leap-frog keep:"
            yield ""
            columns = [name for name in kept[0] if name not in ("table",)]
            yield from table(columns, [[row.get(name) for name in columns] for row in kept])
            yield ""

    def kernels(self):
        yield "## The six kernels at 5 million bodies"
        yield ""
        yield ("Published for a GeForce GTX 480 and six cores of a Xeon X5690, ours for the H200 and the cores of its host. Ours are additions and "
               "multiplications, no comparisons; the source does not say what it counts:")
        yield ""
        lines = []
        for precision in ("single", "double"):
            for kernel in [*KERNELS]:
                rate = next((row for row in (self.rates or {"rows": []})["rows"] if row["kernel"] == kernel and row["precision"] == precision
                             and row["bodies"] == 5000000 and row["method"] == "six_kernels"), {})
                ours = [one(rows_of(self.found, "kernels", method=method, precision=precision, bodies=5000000, kernel=kernel), "time, ms")
                        for method in ("six_kernels", "openmp")]
                single = precision == "single"
                lines.append([kernel, precision, published_cell("kernels", kernel=kernel, precision=precision), ours[0],
                              published_cell("operations", kernel=kernel) if single else None, rate.get("GFLOP/s"),
                              published_cell("bandwidth", kernel=kernel) if single else None, rate.get("GB/s"),
                              published_cell("host", kernel=kernel, precision=precision), ours[1]])
        columns = ["kernel", "precision", "ms, GTX 480", "ms, ours", "GFLOP/s, GTX 480", "GFLOP/s, ours", "GB/s, GTX 480", "GB/s, ours",
                   "ms, X5690", "ms, our host"]
        yield from table(columns, [[figure(cell) if isinstance(cell, (int, float)) else cell for cell in line] for line in lines])
        yield ""
        if self.rates:
            yield f"[barnes_hut_rates.json](../../results/h200/barnes_hut_rates.json): {origin(self.rates)}"
            yield ""
        for method in ("sorted_tree",):
            yield f"The kernels of `{method}` at 5 million bodies, ms:"
            yield ""
            yield from grid(rows_of(self.found, "kernels", method=method, bodies=5000000), "kernel", "precision", "time, ms")
            yield ""

    def tree(self):
        yield "## The tree"
        yield ""
        yield "Nodes that an activity of a kernel touches, and the tree, single precision; the source's for 5 million bodies:"
        yield ""
        lines = []
        for method in dict.fromkeys(row["method"] for row in rows_of(self.found, "tree")):
            for bodies in self.sizes("tree"):
                rows = rows_of(self.found, "tree", method=method, bodies=bodies, precision="single")
                for row in rows:
                    kernel = row["what"].removeprefix("touched: ")
                    said = [published_cell("touched", kernel=kernel, of=of) for of in ("least", "mean", "most")]
                    if row["what"] in ("depth", "children of a cell"):
                        said = [None, published_cell("tree", what=row["what"]), None]
                    theirs = bodies == 5000000 and method == "six_kernels" and any(said)
                    lines.append([method, figure(bodies), row["what"], *(figure(row[of]) if of in row else None for of in ("least", "mean", "most")),
                                  " / ".join(figure(cell) for cell in said if cell is not None) if theirs else None])
        yield from table(["method", "bodies", "what", "least", "mean", "most", "published"], lines)
        yield ""

    def switched_kernels(self):
        """As the source has it: of a kernel. Which one it does not say; ours is the one that takes longer by the most."""
        rows = self.switched["rows"]
        sizes = list(dict.fromkeys(row["bodies"] for row in rows))
        lines = []
        for name in dict.fromkeys(row["switched off"] for row in rows):
            cells = []
            for size in sizes:
                row = next(row for row in rows if row["switched off"] == name and row["bodies"] == size)
                cells += [figure(published_cell("switches", **{"switched off": name, "bodies": size})), row["kernel"], figure(row["kernel over all on"])]
            lines.append([name, *cells])
        yield "How many times as long its kernel takes without it; published for a GeForce GTX 480; ours on an H100, the kernel that takes longer by the most:"
        yield ""
        yield from table(["switched off", *(f"{figure(size)}, {what}" for size in sizes for what in ("GTX 480", "our kernel", "ours"))], lines)
        yield ""
        yield f"[barnes_hut_switches.json](../../results/h100/barnes_hut_switches.json): {origin(self.switched)}"
        yield ""

    def switches(self):
        rows = rows_of(self.found, "switches")
        yield "## What each optimisation is worth"
        yield ""
        yield from self.switched_kernels()
        yield "How many times as long a whole step takes without it, on an H200, beside the same figures for kernels:"
        yield ""
        names = list(dict.fromkeys(row["switched off"] for row in rows))
        sizes = self.sizes("switches")
        lines = []
        for name in names:
            ours = [one(rows_of(self.found, "switches", switched_off=name, bodies=size), "over all on") for size in sizes]
            theirs = [published_cell("switches", **{"switched off": name, "bodies": size}) for size in sizes]
            lines.append([name, *(figure(cell) for pair in zip(theirs, ours) for cell in pair)])
        yield from table(["switched off", *(f"{figure(size)}, {whose}" for size in sizes for whose in ("GTX 480", "ours"))], lines)
        yield ""
        yield "The source says of most little more than the name; what they mean here ([switches.h](../../studies/barnes_hut/six_kernels/switches.h)):"
        yield ""
        for name, meaning in meanings():
            yield f"- {name}: {meaning}"
        yield ""

    def openings(self):
        rows = rows_of(self.found, "theta")
        yield "## Error and time by θ"
        yield ""
        columns = ["method", "bodies", "theta", "step, ms", "median error", "90 % error", "99 % error", "interactions a body", "G interactions/s"]
        rows = sorted(rows, key=lambda row: (row["bodies"], row["method"], -row["theta"]))
        yield from table(columns, [[figure(row[name]) if name == "bodies" else row.get(name) for name in columns] for row in rows])
        yield ""

    def crossover(self):
        rows = rows_of(self.found, "crossover")
        methods = list(dict.fromkeys(row["method"] for row in rows))
        rows += [row for row in rows_of(self.found, "steps", precision="single", bodies=50000) if row["method"] in methods]
        yield "## Where the tree begins to pay"
        yield ""
        at = {method: {row["bodies"]: row["step, ms"] for row in rows if row["method"] == method} for method in methods}
        for method in at:
            if method != "all_pairs":
                sizes = sorted(at[method])
                loses = [bodies for bodies in sizes if at[method][bodies] >= at["all_pairs"][bodies]]
                first = next((bodies for bodies in sizes if bodies > max(loses, default=0)), None)
                where = f"from between {figure(max(loses))} and {figure(first)} bodies on" if loses and first else "at all these sizes" if first \
                    else "at none of these sizes"
                yield f"`{method}` is faster than all pairs {where}; the source says about {figure(published_cell('crossover'))}."
                yield ""
        yield "A step, ms:"
        yield ""
        yield from grid(rows, "method", "bodies", "step, ms")
        yield ""

    def beside(self):
        yield "## GPU and host"
        yield ""
        yield "How many times as fast a step is as that of the host's cores, single precision:"
        yield ""
        rows = rows_of(self.found, "steps", precision="single")
        for other in ("openmp", "pthreads"):
            some = [row for row in rows if f"over {other}" in row and row["method"] != "pthreads"]
            if some:
                yield f"Over {other}; the source says {published_cell('over_host', beside=other, precision='single')} for 5 million bodies:"
                yield ""
                yield from grid(some, "method", "bodies", f"over {other}")
                yield ""

    def others(self):
        if not self.peers:
            return
        yield "## Beside other codes"
        yield ""
        yield f"[barnes_hut_peers.json](../../results/h200/barnes_hut_peers.json): {origin(self.peers)}"
        yield ""
        columns = list(dict.fromkeys(name for row in self.peers["rows"] for name in row))
        yield from table(columns, [[row.get(name) for name in columns] for row in self.peers["rows"]])
        yield ""

    def counted(self):
        yield "## What the emulator counts"
        yield ""
        yield f"`headroom run -- barnes_hut --method METHOD {' '.join(EXECUTED)}`, on any machine; the last step:"
        yield ""
        lines = []
        for method in ("six_kernels", "sorted_tree"):
            launches = rungs.run(self.headroom, [f"{self.programs}/barnes_hut", "--method", method, *EXECUTED])
            last = {}  # of each kernel the last launch
            for launch in launches:
                last[short(launch["kernel"])] = launch
            for name, launch in last.items():
                occupancy = launch["occupancy"]
                doubt = "~" if launch["floor_basis"] == "estimate" else ""
                lines.append([method, f"`{name}`", launch["resources"]["registers"],
                              f"{occupancy['fraction'] * 100:.3g} %" if not occupancy.get("impossible") else "does not fit",
                              *(launch["counters"].get(counter) for counter in COUNTED), doubt + (launch["limiter"] or "none known")])
        used = [i for i in range(len(COUNTED)) if any(line[4 + i] for line in lines)]
        keep = [0, 1, 2, 3, *(4 + i for i in used), 4 + len(COUNTED)]
        columns = ["method", "kernel", "registers", "occupancy", *(name.replace("_", " ") for name in COUNTED), "largest floor"]
        yield from table([columns[i] for i in keep], [[line[i] for i in keep] for line in lines])
        yield ""

    def document(self):
        facts = json.loads((STUDY / "published.json").read_text())
        yield f"# barnes_hut: {facts['about']}"
        yield ""
        prose = (STUDY / "README.md").read_text().strip().split("\n", 1)[1].strip()
        about, details = prose.split("\n\n**The opening criterion.**", 1)
        yield from about.splitlines()
        yield ""
        yield from self.story()
        for part in (self.steps, self.crossover, self.kernels, self.switches, self.accuracy, self.openings, self.tree, self.beside, self.others, self.counted):
            yield from behind(part())
        yield "## How a cell is opened, and how results are checked"
        yield ""
        yield from ("**The opening criterion.**" + details).splitlines()
        yield ""
        yield ("Written by `scripts/docs/barnes_hut_document.py` from [studies/barnes_hut](../../studies/barnes_hut), `results/h200/` and the emulator's "
               "counts.")


def short(kernel):
    """`void barnes_hut::force_kernel<float>(…)` -> `force_kernel`; of the library's kernels what they are."""
    return kernel.replace("(anonymous namespace)::", "").removeprefix("void ").split("(")[0].split("<")[0].split("::")[-1]


def pages(headroom, programs):
    """(file name, text) of what belongs into docs/studies."""
    page = Page(headroom, programs)
    yield "barnes_hut.md", "\n".join(page.document()).rstrip("\n") + "\n"
    yield from ((f"barnes_hut_{name}.svg", drawing) for name, drawing in plot_barnes_hut.drawings(page.found, published).items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headroom")
    parser.add_argument("programs", help="the folder of the built studies")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    folder, differ = ROOT / "docs" / "studies", 0
    for name, now in pages(chosen.headroom, chosen.programs):
        path = folder / name
        if not chosen.check:
            path.write_text(now)
        elif not path.exists() or path.read_text() != now:
            print(f"{path} is not what studies/ and results/ say: run scripts/docs/barnes_hut_document.py")
            differ = 1
    return differ


if __name__ == "__main__":
    sys.exit(main())
