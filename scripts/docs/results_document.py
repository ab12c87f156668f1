#!/usr/bin/env python3
"""Writes docs/results.md from results/<gpu>/*.json: what was measured, on which GPU, how.

    scripts/docs/results_document.py [--check] [ROOT]

A file of the schema headroom-results/1 becomes a section; two keys of its rows along two edges where PIVOTS says so,
else one line a row. Files of other schemas are listed with what they say of themselves.

    ## NVIDIA H200
    ### copy: how many bytes must be in flight to fill the memory, and who carries them
    2026-11-21, driver 580.159.04, CUDA 13.0.88, SMs 1980 MHz, memory 3201 MHz. `copy --bytes 1G --block 64`. …

--check compares instead of writing. Exit code: 1 if the page on disk says something else.
"""
import json
import pathlib
import sys

# study: (keys whose values have tables each, down, across, figures that have one each)
PIVOTS = {"copy": (("block",), "variant", "occupancy, %", "GB/s"), "latency": ((), "variant", "threads", "of peak, %"),
          "registers": (("on", "chains"), "rung", "warps", "B/clk/SM"),
          "sgemm_vs_cublas": ((), "rung", "size", "over cuBLAS", "GFLOP/s", "error")}
OPEN_ROWS = 40  # longer tables are folded

HEAD = """# Results

Written by `scripts/docs/results_document.py` from the files of `results/`, which `headroom-lab measure` and the tools named there write.
`headroom reproduce` shows those of the studies beside what the sources published and what the model predicts
([reproduction.md](reproduction.md)).
"""


def text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return "–" if value is None else str(value).replace("|", "\\|")


def table(columns, rows):
    yield "| " + " | ".join(columns) + " |"
    numeric = [all(isinstance(row[i], (int, float)) or row[i] is None for row in rows) for i in range(len(columns))]
    yield "|" + "|".join("---:" if number else "---" for number in numeric) + "|"
    for row in rows:
        yield "| " + " | ".join(map(text, row)) + " |"


def folded(lines, rows):
    if rows <= OPEN_ROWS:
        return [*lines, ""]
    return ["<details>", f"<summary>{rows} rows</summary>", "", *lines, "", "</details>", ""]


def pivot(rows, down, across, figure):
    rows = [row for row in rows if across in row]
    columns = sorted({row[across] for row in rows})
    cells = {(row[down], row[across]): row[figure] for row in rows}
    names = dict.fromkeys(row[down] for row in rows)
    return table([f"{down} \\ {across}", *map(text, columns)],
                 [[name, *(cells.get((name, column)) for column in columns)] for name in names])


def tables(results):
    """Rows that say which table they are of have one each."""
    kinds = list(dict.fromkeys(row.get("table") for row in results["rows"]))
    for kind in kinds:
        if len(kinds) > 1:
            yield f"{kind}:"
            yield ""
        rows = [{name: value for name, value in row.items() if name != "table"} for row in results["rows"] if row.get("table") == kind]
        yield from tables_of_one(results | {"rows": rows})


def tables_of_one(results):
    rows = results["rows"]
    edges, *keys = PIVOTS.get(results.get("study"), ((),))
    figures = keys[2:]
    if not keys or not all(any(key in row for row in rows) for key in keys):
        columns = list(dict.fromkeys(name for row in rows for name, value in row.items() if not isinstance(value, (dict, list))))
        yield from folded(list(table(columns, [[row.get(name) for name in columns] for row in rows])), len(rows))
        return
    for values in dict.fromkeys(tuple(row.get(edge) for edge in edges) for row in rows):
        some = [row for row in rows if tuple(row.get(edge) for edge in edges) == values]
        for figure in figures:
            yield f"{', '.join([figure, *(f'{edge} {text(value)}' for edge, value in zip(edges, values))])}:"
            yield ""
            yield from pivot(some, *keys[:2], figure)
            yield ""
            for row in some:
                if keys[1] not in row:  # what the others stand beside
                    yield f"{row[keys[0]]}: {text(row.get(figure))} {figure}."
                    yield ""


def clocks(results):
    names = {"sm_mhz": "SMs", "memory_mhz": "memory"}
    for clock in results.get("clocks") or []:
        if isinstance(clock, dict) and clock.get("what") in names:
            least, most = text(clock["least"]), text(clock["most"])
            yield f"{names[clock['what']]} {least if least == most else f'{least} to {most}'} MHz"


def origin(results):
    facts = [results.get("date"), *(f"{word} {results[key]}" for word, key in (("driver", "driver"), ("CUDA", "toolkit"), ("nvcc", "flags"))
                                    if isinstance(results.get(key), str)), *clocks(results)]
    commands = results.get("command") or []
    commands = [commands] if isinstance(commands, str) else commands
    line = ", ".join(map(str, filter(None, facts))) + ". " + " ".join(f"`{command}`." for command in commands)
    spreads = [row["spread, %"] for row in results["rows"] if isinstance(row.get("spread, %"), (int, float))]
    wrong = sum(row.get("verified", "PASS") not in ("PASS", "shown") for row in results["rows"])  # shown: no claim is made of it
    if results.get("method"):
        line += f" {results['method']}."
    if spreads:
        line += f" Spread of a row at most {text(max(spreads))} %."
    return f"{line} {len(results['rows'])} rows, {wrong} wrong."


def section(path, results):
    name = results.get("study") or path.stem
    yield f"### {name}" + (f": {results['title']}" if results.get("title") else "")
    yield ""
    yield f"[{path.name}](../results/{path.parent.name}/{path.name}): {origin(results)}"
    yield ""
    yield from tables(results)


def summary(results):
    """What a file of another schema says of itself: its words, and its numbers."""
    if not isinstance(results, dict):
        return f"{len(results)} entries"
    words = [results[key] for key in ("about", "what", "title") if isinstance(results.get(key), str)]
    figures = [f"{key.replace('_', ' ')} {text(value)}" for key, value in results.items() if isinstance(value, (int, float))]
    gpu = [results[key] for key in ("gpu", "device") if isinstance(results.get(key), str)]
    return "; ".join([*gpu, *words[:1], *figures]) or results.get("schema", "")


def document(root):
    yield HEAD
    for folder in sorted(path for path in (root / "results").iterdir() if path.is_dir()):
        files = {path: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
        ours = {path: found for path, found in files.items()
                if isinstance(found, dict) and found.get("schema") == "headroom-results/1" and isinstance(found.get("rows"), list)}
        gpus = dict.fromkeys(found["gpu"] for found in ours.values())
        yield f"## {', '.join(gpus) or folder.name}"
        yield ""
        for path, found in ours.items():
            yield from section(path, found)
        others = [path for path in files if path not in ours]
        if others:
            yield "### Other files"
            yield ""
        for path in others:
            yield f"- [{path.name}](../results/{folder.name}/{path.name}): {text(summary(files[path]))}"
        yield ""


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    root = pathlib.Path(words[0]) if words else pathlib.Path(__file__).resolve().parents[2]
    page, now = root / "docs" / "results.md", "\n".join(document(root)).rstrip("\n") + "\n"
    if "--check" not in sys.argv:
        page.write_text(now)
    elif not page.exists() or page.read_text() != now:
        sys.exit("docs/results.md is not what results/ says: run scripts/docs/results_document.py")


if __name__ == "__main__":
    main()
