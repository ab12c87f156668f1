#!/usr/bin/env python3
"""Writes docs/studies/<study>.md and its drawings: every rung with its idea, what changed, its claim, what the emulator
counts, what the floors allow, what was measured and what the source published.

    scripts/docs/study_document.py HEADROOM BIN [STUDY…]           HEADROOM_REBASE is not asked: it writes
    scripts/docs/study_document.py HEADROOM BIN --check            compares; exit code 1 if a page says something else

Sources of a page: the heads of studies/<study>/*.cu (scripts/docs/rungs.py), studies/<study>/README.md, results/h200/, and
HEADROOM itself: `run` for the counters, `reproduce` for what is published and what the model allows. No figure is typed.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

import plot_studies
import rungs
from results_document import origin, table, text
from results_file import results

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclass
class Page:
    key: str                  # the column of the results that names a rung
    figure: str               # the column that says how good it is
    ladder: str = ""          # the table of `headroom reproduce` that holds the published ladder
    where: tuple = ()         # (column, figure) of the rows that make the ladder; else the best row of a rung counts
    more: tuple = ()          # further columns of these rows
    beside: tuple = ()        # (file of results/h200, title, down, across, figure): further tables


PAGES = {
    "copy": Page("variant", "GB/s", where=(("block", 64), ("occupancy, %", 6.2)), more=("of cudaMemcpy, %", "in flight, KiB/SM", "spread, %"),
                 beside=(("copy_in_flight", "Bulk copies by bytes in flight", "rung", "in flight, KiB/SM", "of cudaMemcpy, %"),
                         ("copy_large", "Copies of 4 GiB", "rung", "occupancy, %", "of cudaMemcpy, %"))),
    "fft": Page("rung", "GFLOP/s", "fft.fewer_threads", where=(("n", 1024),), more=("GB/s", "threads", "occupancy, %", "spread, %", "error"),
                beside=(("fft_vs_cufft", "Beside cuFFT, in turn in one run", "rung", "n", "over cuFFT"),
                        ("fft_vs_cufft", "Of the bandwidth of cudaMemcpy, %", "rung", "n", "of cudaMemcpy, %"),
                        ("fft_accuracy", "Errors, forward, in units of 2^-24", "rung", "n", "forward"))),
    "interval_move": Page("rung", "Melements/s", where=(("kind", "move"), ("average", 16)), more=("GB/s", "spread, %"),
                          beside=(("interval_move", "Moves by the average length of an interval, Melements/s", "rung", "average", "Melements/s"),)),
    "merge_sort": Page("rung", "Mkeys/s", where=(("keys", "int32"), ("n", 134217728)), more=("spread, %",),
                       beside=(("merge_sort_vs_cub", "Beside CUB's merge sort, in turn in one run, by number of records", "rung", "n", "over CUB"),)),
    "sgemm": Page("rung", "GFLOP/s", "sgemm.ladder", more=("spread, %", "error"), beside=(
        ("sgemm_vs_cublas", "Beside cuBLAS, in turn in one run", "rung", "size", "over cuBLAS"),
        ("sgemm_vs_cublas", "The same in GFLOP/s", "rung", "size", "GFLOP/s"),
        ("sgemm_vs_cublas", "Spread of the ratios, %", "rung", "size", "spread, %"),
        ("sgemm_accuracy", "Accuracy: the largest error of all K, from 64 to 8192, in units of 2^-24 Σ|a||b|", "rung", "input", "error"))),
    "latency": Page("variant", "of peak, %"),
    "registers": Page("rung", "B/clk/SM", where=(("on", "one SM"),), more=("warps", "chains", "FMA/clk/SM", "spread, %")),
    "nbody": Page("rung", "G interactions/s", where=(("precision", "single"), ("bodies", 100000)), more=("spread, %", "max error"),
                  beside=()),
}
COUNTERS = ["warp_instructions", "fp32_instructions", "tensor_instructions", "global_load_requests", "global_load_sectors",
            "global_store_sectors", "bulk_load_sectors", "bulk_store_sectors", "shared_load_instructions",
            "shared_load_wavefronts", "shared_load_conflicts", "shared_store_conflicts", "barriers"]


def reproduced(headroom, table, said=None):
    """{rung: row} of a ladder's table in `headroom reproduce`, whose only key is the rung; none: {}. `said`: its JSON, where there is one."""
    if not table:
        return {}
    said = said or subprocess.run([headroom, "reproduce", table, "--gpu", "none", "--json", "-"], capture_output=True, text=True,
                                  check=True).stdout
    return {row["key"]["rung"]: row for each in json.loads(said)["tables"] if each["name"] == table for row in each["rows"]}


def figure(value, digits=4):
    if not isinstance(value, (int, float)):
        return "–"
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}".replace(",", " ")


def factor(now, before):
    return f"× {now / before:.2f}" if now and before else "–"


class Study:
    def __init__(self, name, headroom, programs, said=None):
        self.name, self.page = name, PAGES[name]
        self.facts = json.loads((rungs.STUDIES / name / "published.json").read_text())
        self.measured = results(name)
        self.rungs = self.in_order(rungs.rungs(name))
        self.launches = {rung: rungs.launches(headroom, programs, name, rung) for rung in self.rungs}
        self.published = reproduced(headroom, self.page.ladder, said)

    def in_order(self, found):
        """As the results list them, then the others."""
        order = list(dict.fromkeys(map(self.rung_of, self.measured["rows"]))) if self.measured else []
        names = [name for name in order if name in found] + [name for name in found if name not in order]
        return {name: found[name] for name in names}

    def rung_of(self, row):
        return row.get("rung", row.get(self.page.key))

    def best(self, rung):
        rows = [row for row in (self.measured or {"rows": []})["rows"] if self.rung_of(row) == rung]
        rows = [row for row in rows if isinstance(row.get(self.page.figure), (int, float))
                and all(row.get(column) == value for column, value in self.page.where)]
        return max(rows, key=lambda row: row[self.page.figure], default=None)

    def ladder(self):
        """One line a rung: measured, the source's, and what the time model predicts, each with its factor over the line before."""
        lines, before = [], {}
        for rung in self.rungs:
            row = self.published.get(rung, {})
            now = {"measured": (self.best(rung) or {}).get(self.page.figure), "predicted": row.get("predicted"),
                   "published": (row.get("published") or {}).get("value")}
            lines.append([f"[{rung}](#{rung})"] + [cell for what in now for cell in
                                                   (figure(now[what]), factor(now[what], before.get(what)))]
                         + [text((self.best(rung) or {}).get(column)) for column in self.page.more])
            if not self.rungs[rung].is_peer:
                before.update({what: value for what, value in now.items() if value})
        gpu = next((row["published"]["gpu"] for row in self.published.values() if row.get("published")), "the source")
        columns = ["rung"] + [cell for what in (f"measured, {self.page.figure}", "predicted, of a smaller problem", f"published, {gpu}")
                              for cell in (what, "over the rung before")] + list(self.page.more)
        unused = [i for i in range(1, len(columns)) if all(line[i] == "–" for line in lines)]
        kept = [i for i in range(len(columns)) if i not in unused]
        yield from table([columns[i] for i in kept], [[line[i] for i in kept] for line in lines])
        if any(row.get("published") for row in self.published.values()):
            yield ""
            yield ("Factors are between the same two rungs in all three columns, in the order of this page. The source climbed in its own order "
                   "(`headroom reproduce` shows it): where a rung of ours lacks what the source already had, its factor there is below 1.")

    def counted(self):
        rows = []
        for rung, launches in self.launches.items():
            rows.append([rung] + [sum(launch["counters"][name] for launch in launches) for name in COUNTERS])
        used = [0] + [i for i in range(1, len(COUNTERS) + 1) if any(row[i] for row in rows)]
        names = ["rung"] + [name.replace("_", " ") for name in COUNTERS]
        yield from table([names[i] for i in used], [[row[i] for i in used] for row in rows])

    def resources(self, rung):
        for launch in self.launches[rung]:
            found, occupancy = launch["resources"], launch["occupancy"]
            shared = found["static_shared"] + launch["dynamic_shared"]
            parts = [f"{found['registers']} registers", f"{shared} B of shared memory",
                     f"{figure(occupancy['fraction'] * 100, 3)} % occupancy" if not occupancy.get("impossible") else "does not fit"]
            if found["spill_stores"]:
                parts.append(f"{found['spill_stores']} B spilled")
            name = launch["kernel"].replace("(anonymous namespace)::", "").split("(")[0].split("<")[0].removeprefix("void ").split("::")[-1]
            doubt = "~" if launch["floor_basis"] == "estimate" else ""
            floor = f"largest floor at this size: {doubt}{launch['limiter'] or 'none known'}"
            beyond = "; its products on tensor cores are in no floor" if launch["counters"]["tensor_operations"] else ""
            yield f"`{name}`: {', '.join(parts)}; {floor}{beyond}"

    @staticmethod
    def tuning(rung):
        """The rung's LaunchBox as its file has it: what code of which architecture uses."""
        code = rung.file.read_text()
        row = r"(?:template <[^>]+>\n)?struct \w+\s*: headroom::Row<.*?\n\};\n"
        boxes = re.findall(rf"(?:{row}\s*)*(?:template <[^>]+>\n)?using \w+ =\s*headroom::LaunchBox<.*?>;", code, re.DOTALL)
        for box in boxes:
            yield "```cpp"
            yield box.strip()
            yield "```"
            yield ""

    def section(self, rung):
        said = self.rungs[rung]
        yield f"### {rung}"
        yield ""
        yield f"[{said.file.name}](../../studies/{self.name}/{said.file.name}): {said.lines['idea']}."
        yield ""
        if said.change:
            yield said.change
            yield ""
        yield from self.tuning(said)
        yield f"- expected, and checked: {said.lines['expect']}"
        for line in self.resources(rung):
            yield f"- {line}"
        if best := self.best(rung):
            keys = [f"{name} {text(value)}" for name, value in best.items()
                    if name not in (self.page.figure, "rung", self.page.key, "verified", "spread, %")]
            yield f"- measured: {figure(best[self.page.figure])} {self.page.figure} ({', '.join(keys)})"
        yield f"- next: {said.lines['next']}"
        yield ""

    def beside(self):
        told = set()
        for name, title, down, across, value in self.page.beside:
            found = results(name)
            shown = [row for row in found["rows"] if all(key in row for key in (down, across, value))] if found else []
            if not shown:
                continue
            yield f"## {title}"
            yield ""
            if name not in told:  # once a file
                yield f"{value}; [{name}.json](../../results/h200/{name}.json): {origin(found)}"
                yield ""
            told.add(name)
            columns = list(dict.fromkeys(row[across] for row in shown))
            cells = {}
            for row in shown:  # the largest, where a cell has several
                place = row[down], row[across]
                cells[place] = max(row[value], cells.get(place, row[value]))
            order = list(self.rungs)
            names = sorted(dict.fromkeys(row[down] for row in shown), key=lambda one: order.index(one) if one in order else len(order))
            yield from table([down, *map(str, columns)], [[one, *(cells.get((one, column)) for column in columns)] for one in names])
            yield ""

    def document(self):
        yield f"# {self.name}: {self.facts['about']}"
        yield ""
        yield (f"Written by `scripts/docs/study_document.py` from [studies/{self.name}](../../studies/{self.name}), `results/h200/`, the "
               "emulator's counts and `headroom reproduce`.")
        yield ""
        prose = rungs.STUDIES / self.name / "README.md"
        if prose.exists():
            yield from prose.read_text().strip().splitlines()[1:]
            yield ""
        yield "## The ladder"
        yield ""
        for name in plot_studies.drawings(self.name, results):
            yield f"![{self.name}: measured]({name})"
            yield ""
        yield from self.ladder()
        yield ""
        if self.measured:
            rows = ", ".join(f"{column} {text(value)}" for column, value in self.page.where) or "best row of each rung"
            yield (f"Measured: {self.measured['gpu']}, {rows}; "
                   f"[{self.name}.json](../../results/h200/{self.name}.json): {origin(self.measured)}")
            yield ""
        yield from self.beside()
        yield "## What the emulator counts"
        yield ""
        yield f"`headroom run -- {self.name} --seed 1 {' '.join(rungs.CHOICE[self.name])} RUNG`, on any machine:"
        yield ""
        yield from self.counted()
        yield ""
        yield "## The rungs"
        yield ""
        for rung in self.rungs:
            yield from self.section(rung)


def studies():
    """Those that have rungs and a place among PAGES."""
    return [name for name in PAGES if name in rungs.CHOICE and (rungs.STUDIES / name).is_dir()]


def pages(names, headroom, programs, said=None):
    """(file name, text) of what belongs into docs/studies; `said`: the JSON of `headroom reproduce`, or it is run."""
    for name in names:
        yield f"{name}.md", "\n".join(Study(name, headroom, programs, said).document()).rstrip("\n") + "\n"
        yield from plot_studies.drawings(name, results).items()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headroom")
    parser.add_argument("programs", help="the folder of the built studies")
    parser.add_argument("studies", nargs="*", metavar="STUDY")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    there = studies()
    unknown = set(chosen.studies) - set(there)
    if unknown:
        parser.error(f"no study {', '.join(sorted(unknown))}: there are {', '.join(there)}")
    folder, differ = ROOT / "docs" / "studies", 0
    folder.mkdir(exist_ok=True)
    for name, now in pages(chosen.studies or there, chosen.headroom, chosen.programs):
        path = folder / name
        if not chosen.check:
            path.write_text(now)
        elif not path.exists() or path.read_text() != now:
            print(f"{path} is not what studies/ and results/ say: run scripts/docs/study_document.py")
            differ = 1
    return differ


if __name__ == "__main__":
    sys.exit(main())
