#!/usr/bin/env python3
"""Writes docs/studies/<study>.md and its drawings: every rung with its idea, the code that changed, a warp's accesses, the hot
loop with counts, what limits it, and one bar each for published, measured and the limit; tables are folded away.

    scripts/docs/study_document.py HEADROOM BIN [STUDY…]           HEADROOM_REBASE is not asked: it writes
    scripts/docs/study_document.py HEADROOM BIN --check            compares; exit code 1 if a page says something else

Sources of a page: the heads of studies/<study>/*.cu (scripts/docs/rungs.py), studies/<study>/README.md, results/<gpu>/, and HEADROOM
itself: `run --source` of each rung, small, and `reproduce` for what is published. No figure is typed. A new study is a row of PAGES here and
one of CHOICE (and, where its pages want a larger problem, PROFILE) in rungs.py.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

import landscape
import little_drawing
import plot_studies
import roofline_drawing
import rung_drawing
import rungs
from results_document import folded, origin, table, text
from results_file import results
from rung_section import Section, claim, short, time_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
GPUS = ("h200", "h100")  # a page shows the first that has measured its study
PREDICTED = "H200"  # what `headroom reproduce` predicts for where no machine is named
EXTRAS = {"latency": little_drawing.slider}  # study: what stands between the ladder and the rungs, of the rows measured


@dataclass
class Page:
    key: str                  # the column of the results that names a rung
    figure: str               # the column that says how good it is
    ladder: str = ""          # the table of `headroom reproduce` that holds the published ladder
    where: tuple = ()         # (column, figure) of the rows that make the ladder; else the best row of a rung counts
    more: tuple = ()          # further columns of these rows
    beside: tuple = ()        # (file of the page's GPU, or h100/file, title, down, across, figure): further tables; several columns may stand across
    limit: object = None      # (rung, facts of a machine) -> (words, figure): what no rung can pass, or None


def registers_limit(rung, facts):
    for begin, words, value in (("shared", "shared memory", facts["shared_bytes_per_clock"]), ("l1", "L1", facts["l1_bytes_per_clock"]),
                                ("register", "FMA lanes, three operands", 12 * facts["fp32_per_clock"])):
        if rung.startswith(begin):
            return words, value
    return None


def clocks(facts):
    """Multiply-adds of the chip in a microsecond."""
    return facts["sm_count"] * facts["fp32_per_clock"] * facts["sm_clock"]


PAGES = {
    "copy": Page("variant", "GB/s", where=(("block", 64), ("occupancy, %", 6.2)), more=("of cudaMemcpy, %", "in flight, KiB/SM"),
                 limit=lambda rung, facts: ("DRAM at its pins", facts["dram_bandwidth"]),
                 beside=(("copy_in_flight", "Bulk copies by bytes in flight", "rung", "in flight, KiB/SM", "of cudaMemcpy, %"),
                         ("copy_large", "Copies of 4 GiB", "rung", "occupancy, %", "of cudaMemcpy, %"))),
    "fft": Page("rung", "GFLOP/s", "fft.fewer_threads", where=(("n", 1024),), more=("GB/s", "threads", "occupancy, %"),
                # 5 n log2 n operations, counted as always, for 16 n bytes
                limit=lambda rung, facts: ("DRAM at its pins", facts["dram_bandwidth"] * 5 * 10 / 16),
                beside=(("fft_vs_cufft", "Beside cuFFT, in turn in one run", "rung", "n", "over cuFFT"),
                        ("fft_vs_cufft", "Of the bandwidth of cudaMemcpy, %", "rung", "n", "of cudaMemcpy, %"),
                        ("h200/fft_vs_cufft", "Beside cuFFT on an H200", "rung", "n", "over cuFFT"),
                        ("fft_accuracy", "Errors, forward, in units of 2^-24", "rung", "n", "forward"))),
    "interval_move": Page("rung", "Melements/s", where=(("kind", "move"), ("average", 16)), more=("GB/s",),
                          limit=lambda rung, facts: ("DRAM, 8 bytes an element", facts["dram_bandwidth"] * 1000 / 8),
                          beside=(("interval_move", "Moves by the average length of an interval, Melements/s", "rung", "average", "Melements/s"),
                                  ("interval_move_vs_moderngpu", "Beside moderngpu, in turn in one run, by kind and average length", "rung", ("kind", "average"), "over moderngpu"),
                                  ("h100/interval_move", "Moves on an H100, Melements/s", "rung", "average", "Melements/s"),
                                  ("h100/interval_move_vs_moderngpu", "Beside moderngpu on an H100", "rung", ("kind", "average"), "over moderngpu"),
                                  ("interval_move_right", "Results compared with the host's, of 6", "rung", "kind", "right"))),
    "merge_sort": Page("rung", "Mkeys/s", where=(("keys", "int32"), ("n", 134217728)),
                       beside=tuple((file, f"Beside {peer}{what}, in turn in one run", "rung", ("keys", "records", "n"), f"over {peer}")
                                    for file, what in (("merge_sort_vs_cub", ""), ("merge_sort_overlapped_vs_cub", ": the last two rungs"))
                                    for peer in ("CUB", "moderngpu"))
                       + tuple(("h200/merge_sort_overlapped_vs_cub", f"Beside {peer} on an H200", "rung", ("keys", "records", "n"), f"over {peer}")
                               for peer in ("CUB", "moderngpu"))
                       + (("merge_sort_tuned_vs_cub", "Beside CUB: the best tunings at 2^24", "rung", ("keys", "records", "n"), "over CUB"),
                          ("merge_sort_right", "Results compared with std::stable_sort's, of 30", "rung", ("keys", "records"), "right"))),
    "sgemm": Page("rung", "GFLOP/s", "sgemm.ladder",
                  limit=lambda rung, facts: None if rung.startswith("tensor") else ("FP32 lanes", 2 * clocks(facts) / 1000), beside=(
        ("sgemm_vs_cublas", "Beside cuBLAS, in turn in one run", "rung", "size", "over cuBLAS"),
        ("sgemm_vs_cublas", "The same in GFLOP/s", "rung", "size", "GFLOP/s"),
        ("sgemm_vs_cublas", "Spread of the ratios, %", "rung", "size", "spread, %"),
        ("sgemm_accuracy", "Accuracy: the largest error of all K, from 64 to 8192, in units of 2^-24 Σ|a||b|", "rung", "input", "error"))),
    "latency": Page("variant", "of peak, %", limit=lambda rung, facts: ("FP32 lanes", 100)),
    "registers": Page("rung", "B/clk/SM", where=(("on", "one SM"),), more=("warps", "chains", "FMA/clk/SM"),
                      limit=registers_limit),
    "spills": Page("rung", "Gsteps/s", more=("registers", "local, B", "occupancy, %", "time, us")),
    "nbody": Page("rung", "G interactions/s", where=(("precision", "single"), ("bodies", 100000)),
                  beside=(("h100/nbody", "On an H100, by the number of bodies, single precision", "rung", "bodies", "G interactions/s"),),
                  # 12 multiply-adds and one square root, which takes an issue slot, too; of symmetric pairs it is half
                  limit=lambda rung, facts: None if rung.startswith("symmetric") else ("issue slots, 13 an interaction", clocks(facts) / 1000 / 13)),
}
COUNTERS = ["warp_instructions", "fp32_instructions", "tensor_instructions", "global_load_requests", "global_load_sectors",
            "global_store_sectors", "local_load_sectors", "local_store_sectors", "bulk_load_sectors", "bulk_store_sectors", "shared_load_instructions",
            "shared_load_wavefronts", "shared_load_conflicts", "shared_store_conflicts", "barriers"]


def tables_of(headroom, study, said=None):
    """{name: table} of `headroom reproduce` for a study. `said`: its JSON of all studies, where there is one."""
    published = json.loads((rungs.STUDIES / study / "published.json").read_text())
    if not published["tables"]:
        return {}
    said = said or subprocess.run([headroom, "reproduce", study, "--gpu", "none", "--json", "-"], capture_output=True, text=True, check=True).stdout
    return {each["name"]: each for each in json.loads(said)["tables"] if each["name"].split(".")[0] == study}


def figure(value, digits=4):
    if not isinstance(value, (int, float)):
        return "–"
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}".replace(",", " ")


def facts_of(machine):
    return {name: fact.get("value") for name, fact in json.loads((ROOT / "machines" / f"{machine}.json").read_text()).items() if isinstance(fact, dict)}


def said_unit(name):
    """`of peak, %` -> `% of peak`"""
    return f"% {name.removesuffix(', %')}" if name.endswith(", %") else name


def factor(now, before):
    return f"× {now / before:.2f}" if now and before else "–"


class Study:
    def __init__(self, name, headroom, programs, said=None):
        self.name, self.page = name, PAGES[name]
        self.facts = json.loads((rungs.STUDIES / name / "published.json").read_text())
        self.gpu = next((gpu for gpu in GPUS if results(name, gpu)), GPUS[0])
        self.measured = results(name, self.gpu)
        self.machine = facts_of(self.gpu)
        self.rungs = self.in_order(rungs.rungs(name))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            profiles = dict(zip(self.rungs, pool.map(lambda rung: rungs.profile(headroom, programs, name, rung), self.rungs)))
        names = sorted(self.rungs, key=len, reverse=True)
        self.sections = {rung: Section(self.rungs[rung], self.before(rung), profiles[rung], names) for rung in self.rungs}
        self.launches = {rung: launches for rung, (launches, _) in profiles.items()}
        self.tables = tables_of(headroom, name, said)
        self.published = {row["key"]["rung"]: row for row in self.tables.get(self.page.ladder, {"rows": []})["rows"]}

    def in_order(self, found):
        """As each names the next one; those that no other leads to begin, in the order of the results, then of their names."""
        measured = list(dict.fromkeys(map(self.rung_of, self.measured["rows"]))) if self.measured else []
        if all(name in measured for name in found):
            return {name: found[name] for name in measured if name in found}
        led = {rung.follower for rung in found.values()}
        names = []
        for name in sorted((name for name in found if name not in led), key=lambda one: measured.index(one) if one in measured else len(measured)):
            while name in found and name not in names:
                names.append(name)
                name = found[name].follower
        names += [name for name in found if name not in names]
        return {name: found[name] for name in names}

    def results(self, name):
        return results(name, self.gpu)

    def marks(self):
        """{rung: what the source published of it}, in the page's own unit."""
        return {rung: row["published"]["value"] for rung, row in self.published.items()
                if row.get("published") and row["published"]["unit"] == self.page.figure}

    def before(self, rung):
        """The rung that leads to this one by its `next`, or the one that its claim is held against; else the one above."""
        leading = [one for one in self.rungs.values() if one.follower == rung]
        against = [self.rungs[name] for _, _, name in self.rungs[rung].claims() if name in self.rungs and name != rung]
        order = list(self.rungs)
        above = [self.rungs[order[order.index(rung) - 1]]] if order.index(rung) else []
        return next(iter([*leading, *against, *above]), None)

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
            name = short(launch["kernel"])
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

    def bars(self, rung):
        """Published, measured, predicted, and the limit: of the study's own figure."""
        unit, published = self.page.figure, self.published.get(rung, {})
        rows = []
        said = published.get("published") or {}
        if said.get("unit") == unit:
            rows.append(("published", f"published, {said['gpu']}", said["value"]))
        if best := self.best(rung):
            rows.append(("measured", f"measured, {self.measured['gpu'].removeprefix('NVIDIA ')}", best[unit]))
        if said.get("unit") == unit and published.get("predicted"):
            rows.append(("predicted", "predicted, a smaller problem", published["predicted"]))
        if rows and self.page.limit and (limit := self.page.limit(rung, self.machine)):
            rows.append(("limit", f"limit: {limit[0]}", limit[1]))
        return rung_drawing.Bars(unit, rows) if rows else None

    def drawing(self, rung):
        return rung_drawing.drawing(self.bars(rung), self.sections[rung].accesses())

    def section(self, rung):
        said, section = self.rungs[rung], self.sections[rung]
        yield f"### {rung}"
        yield ""
        yield f"[{said.file.name}](../../studies/{self.name}/{said.file.name}): {said.lines['idea']}."
        yield ""
        if said.change:
            yield said.change
            yield ""
        yield from section.code()
        if self.drawing(rung):
            access = " and ".join(f"{place} ({each['space']})" for place, each in section.accesses())
            yield f"![{rung}: {'how fast it is; ' if self.bars(rung) else ''}the accesses of a warp that cost most: {access or 'none by lanes'}]({self.name}/{rung}.svg)"
            yield ""
        yield from section.loop_table()
        yield section.diagnosis()
        yield ""
        yield "<details>"
        yield f"<summary>{rung}: its claim, its resources, its measurement</summary>"
        yield ""
        yield f"- expected, {'and' if said.is_checked() else 'not'} checked: {claim(said.lines['expect'])}"
        for line in self.resources(rung):
            yield f"- {line}"
        if best := self.best(rung):
            keys = [f"{name} {text(value)}" for name, value in best.items()
                    if name not in (self.page.figure, "rung", self.page.key, "verified")]
            yield f"- measured: {figure(best[self.page.figure])} {said_unit(self.page.figure)} ({', '.join(keys)})"
        yield ""
        yield from self.tuning(said)
        yield "</details>"
        yield ""
        yield f"Next: {said.lines['next']}"
        yield ""

    def sources(self):
        """What the sources printed beside what is predicted for their GPU, predicted for ours, and measured on ours."""
        yield "## What the sources published, beside ours"
        yield ""
        if not self.tables:
            yield "The sources print no figure of what this page measures: no column can stand beside ours."
            yield ""
            return
        for table_of_one in self.tables.values():
            rows = [[", ".join(f"{name} {text(value) if not isinstance(value, float) else figure(value)}" for name, value in row["key"].items()),
                     (said["bound"] + " " if said["bound"] else "") + figure(said["value"]), said["gpu"], figure(row["predicted_own"]),
                     figure(row["predicted"]), figure(next((each["value"] for each in row["measured"] if each), None))]
                    for row in table_of_one["rows"] if (said := row.get("published"))]
            if not rows:
                continue
            columns = ["of", f"published, {table_of_one['unit']}", "on", "predicted for it", f"predicted for {PREDICTED}", f"measured, {self.gpu.upper()}"]
            used = [0, 1, 2] + [i for i in (3, 4, 5) if any(row[i] != "–" for row in rows)]
            yield f"{table_of_one['title'][0].upper()}{table_of_one['title'][1:]} ({table_of_one['source']}, {table_of_one['page']}):"
            yield ""
            yield from folded(list(table([columns[i] for i in used], [[row[i] for i in used] for row in rows])), len(rows))

    def roofline(self):
        points = []
        for rung, section in self.sections.items():
            ran = [launch for launch in section.launches if launch.get("counters") and time_of(launch)]
            flop = sum(launch["counters"]["fp32_operations"] for launch in ran)
            moved = 32 * sum(launch["counters"][name] for launch in ran for name in ("global_load_sectors", "global_store_sectors",
                                                                                       "bulk_load_sectors", "bulk_store_sectors"))
            filled = all(math.prod(launch["grid"]) >= self.machine["sm_count"] / 2 for launch in ran)  # rates of a few SMs stand under no roof of the chip
            floats = sum(launch["counters"]["fp32_instructions"] for launch in ran) > 0.1 * sum(launch["counters"]["warp_instructions"] for launch in ran)
            if flop and moved and filled and floats and not any(launch["counters"]["tensor_operations"] for launch in ran):
                points.append(roofline_drawing.Point(rung, flop / moved, flop / sum(map(time_of, ran))))
        return roofline_drawing.drawing(points)

    def beside(self):
        told = set()
        for name, title, down, across, value in self.page.beside:
            folder, _, file = name.rpartition("/")
            found = results(file, folder or self.gpu)
            edges = (across,) if isinstance(across, str) else across
            shown = [row for row in found["rows"] if all(key in row for key in (down, *edges, value))] if found else []
            if not shown:
                continue
            lines = [] if name in told else [f"{value}; [{file}.json](../../results/{folder or self.gpu}/{file}.json): {origin(found)}", ""]  # once a file
            told.add(name)
            columns = list(dict.fromkeys(", ".join(str(row[edge]) for edge in edges) for row in shown))
            cells = {}
            for row in shown:  # the largest, where a cell has several
                place = row[down], ", ".join(str(row[edge]) for edge in edges)
                cells[place] = max(row[value], cells.get(place, row[value]))
            order = list(self.rungs)
            names = sorted(dict.fromkeys(row[down] for row in shown), key=lambda one: order.index(one) if one in order else len(order))
            lines += table([down, *columns], [[one, *(cells.get((one, column)) for column in columns)] for one in names])
            yield from self.behind(title, lines)

    def document(self):
        yield f"# {self.name}: {self.facts['about']}"
        yield ""
        readme = rungs.STUDIES / self.name / "README.md"
        prose = readme.read_text().strip().split("\n", 1)[1].strip() if readme.exists() else ""
        about, _, lessons = prose.partition("\n\n")
        if about:
            yield from about.splitlines()
            yield ""
        yield "## The ladder"
        yield ""
        for name in plot_studies.drawings(self.name, self.results, self.marks()):
            yield f"![{self.name}: measured]({name})"
            yield ""
        yield from self.ladder()
        yield ""
        if self.measured:
            rows = ", ".join(f"{column} {text(value)}" for column, value in self.page.where) or "best row of each rung"
            yield (f"Measured: {self.measured['gpu']}, {rows}; "
                   f"[{self.name}.json](../../results/{self.gpu}/{self.name}.json): {origin(self.measured)}")
            yield ""
        if self.roofline():
            yield f"![{self.name}: rungs under the roofs of an H200](" + f"{self.name}/roofline.svg)"
            yield ""
        if self.name in EXTRAS and self.measured:
            yield from EXTRAS[self.name](self.measured["rows"])
        yield "## The rungs"
        yield ""
        yield (f"Code, counts, waits and advice are those of `headroom run --kernel . --source -- {self.name} --seed 1 {' '.join(self.profiled())} RUNG`, which runs "
               "anywhere: a problem small enough for a test, large enough that every SM has work. Times measured are of the size named above. Folded away "
               "below each stands its claim: `sectors / 6.6 against naive` says that the emulator counts 6.6 times fewer sectors than of `naive`.")
        yield ""
        for rung in self.rungs:
            yield from self.section(rung)
        if lessons:
            yield "## What to take from it"
            yield ""
            yield from lessons.splitlines()
            yield ""
        if swept := self.results(f"{self.name}_tunings"):
            yield "## Tunings"
            yield ""
            yield f"![{self.name}: tunings]({self.name}/tunings.svg)"
            yield ""
            yield f"The best of those measured, [{self.name}_tunings.json](../../results/{self.gpu}/{self.name}_tunings.json): {origin(swept)}"
            yield ""
            yield from landscape.words(self.name, swept)
            yield ""
        yield from self.sources()
        yield "## Tables"
        yield ""
        yield from self.behind("What the emulator counts", list(self.counted()))
        yield from self.spread()
        yield from self.beside()
        yield (f"Written by `scripts/docs/study_document.py` from [studies/{self.name}](../../studies/{self.name}), `results/{self.gpu}/`, the "
               "emulator's record and `headroom reproduce`.")

    def profiled(self):
        return rungs.PROFILE.get(self.name, rungs.CHOICE[self.name])

    @staticmethod
    def behind(title, lines):
        """Folded away: what a reader looks up, and does not read."""
        yield from ["<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>", ""]

    def spread(self):
        """How far samples of the rungs lie apart, and how exact the results are."""
        columns = [name for name in ("spread, %", "error", "max error") if any(isinstance((self.best(rung) or {}).get(name), (int, float)) for rung in self.rungs)]
        if columns:
            rows = [[rung, *(text((self.best(rung) or {}).get(name)) for name in columns)] for rung in self.rungs]
            yield from self.behind("Spread of the samples, and accuracy", list(table(["rung", *columns], rows)))


def studies():
    """Those that have rungs and a place among PAGES."""
    return [name for name in PAGES if name in rungs.CHOICE and (rungs.STUDIES / name).is_dir()]


def pages(names, headroom, programs, said=None):
    """(file name, text) of what belongs into docs/studies; `said`: the JSON of `headroom reproduce`, or it is run."""
    for name in names:
        study = Study(name, headroom, programs, said)
        yield f"{name}.md", "\n".join(study.document()).rstrip("\n") + "\n"
        yield from plot_studies.drawings(name, study.results, study.marks()).items()
        drawn = {rung: study.drawing(rung) for rung in study.rungs} | {"roofline": study.roofline()}
        if swept := study.results(f"{name}_tunings"):
            drawn["tunings"] = landscape.drawing(name, swept)
        if name == "latency" and study.measured:
            drawn["little"] = little_drawing.drawing(study.measured["rows"])
        yield from ((f"{name}/{each}.svg", drawing) for each, drawing in drawn.items() if drawing)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headroom")
    parser.add_argument("programs", help="the folder of the built studies")
    parser.add_argument("studies", nargs="*", metavar="STUDY")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--reproduction", type=pathlib.Path, help="what `headroom reproduce --gpu none --json` said, which takes minutes")
    chosen = parser.parse_args()
    said = chosen.reproduction.read_text() if chosen.reproduction else None
    there = studies()
    unknown = set(chosen.studies) - set(there)
    if unknown:
        parser.error(f"no study {', '.join(sorted(unknown))}: there are {', '.join(there)}")
    folder, differ = ROOT / "docs" / "studies", 0
    folder.mkdir(exist_ok=True)
    for name, now in pages(chosen.studies or there, chosen.headroom, chosen.programs, said):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if not chosen.check:
            path.write_text(now)
        elif not path.exists() or path.read_text() != now:
            print(f"{path} is not what studies/ and results/ say: run scripts/docs/study_document.py")
            differ = 1
    return differ


if __name__ == "__main__":
    sys.exit(main())
