"""The drawings of docs/studies: curves of a figure over another, and the ladder as bars.

    drawings("copy", results)      {"copy.svg": "<svg …"}; results(name) gives a file of results/h200, or None
"""
import math

from drawing import COLOURS, Axis, frame, linear, page, polyline, text

LEFT, TOP, PANEL_X, PANEL_Y, LEGEND = 70, 46, 560, 320, 200

# study: (panels, across, figure, curve)
CURVES = {"copy": ("block", "occupancy, %", "GB/s", "variant"), "latency": (None, "threads", "of peak, %", "variant"),
          "registers": ("chains", "warps", "B/clk/SM", "rung")}
# study: cells of the rows that are drawn, where not all are
DRAWN = {"registers": {"on": "chip"}, "nbody": {"precision": "single", "bodies": 100000}, "fft": {"n": 1024},
         "merge_sort": {"keys": "int32", "n": 134217728}}
# study: (figure, rung)
BARS = {"sgemm": ("GFLOP/s", "rung"), "fft": ("GFLOP/s", "rung"), "merge_sort": ("Mkeys/s", "rung"), "nbody": ("G interactions/s", "rung")}


def doubling(values, pixels):
    """A logarithmic axis whose marks double, from the least value to the most."""
    least, most = min(values), max(values)
    marks = [least * 2**k for k in range(int(math.log2(most / least) + 1e-6) + 1)]
    return Axis(least, most if most > least else 2 * least, pixels, True, [(mark, f"{mark:.3g}") for mark in marks])


def panel(rows, across, figure, curve, title, names, most, top):
    x_axis, y_axis = doubling([row[across] for row in rows], PANEL_X), linear(most, PANEL_Y)
    yield from frame(LEFT, top, x_axis, y_axis, title)
    for name in dict.fromkeys(row[curve] for row in rows):
        points = sorted((row[across], row[figure]) for row in rows if row[curve] == name)
        yield polyline([(LEFT + x_axis.at(x), top + PANEL_Y - y_axis.at(y)) for x, y in points], names[name])


def curves(found, panels, across, figure, curve):
    rows = [row for row in found["rows"] if all(isinstance(row.get(key), (int, float)) for key in (across, figure)) and row[across] > 0]
    names = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(dict.fromkeys(row[curve] for row in rows))}
    most = max(row[figure] for row in rows)
    edges = list(dict.fromkeys(row.get(panels) for row in rows))

    def parts():
        yield text(LEFT, 20, f"{figure} over {across}; {found['gpu']}, {found['date']}", "start", 14)
        for place, edge in enumerate(edges):
            some = [row for row in rows if row.get(panels) == edge]
            title = f"{panels} {edge}" if panels and edge is not None else found["study"]
            yield from panel(some, across, figure, curve, title, names, most, TOP + place * (PANEL_Y + 60))
        for place, (name, colour) in enumerate(names.items()):
            x, y = LEFT + PANEL_X + 16, TOP + 14 + 20 * place
            yield f'<line x1="{x}" y1="{y}" x2="{x + 22}" y2="{y}" stroke="{colour}" stroke-width="2.5"/>'
            yield text(x + 28, y + 4, name, "start", 12)
    return page(LEFT + PANEL_X + LEGEND, TOP + len(edges) * (PANEL_Y + 60), parts())


def bars(found, figure, rung):
    best = {}
    for row in found["rows"]:
        if isinstance(row.get(figure), (int, float)):
            best[row[rung]] = max(row[figure], best.get(row[rung], 0))
    axis, height, left = linear(max(best.values()), 520), 22, 210

    def parts():
        yield text(20, 20, f"{figure} of each rung, at its best; {found['gpu']}, {found['date']}", "start", 14)
        for mark, label in axis.marks:
            x = left + axis.at(mark)
            yield f'<line x1="{x:.1f}" y1="34" x2="{x:.1f}" y2="{40 + height * len(best)}" stroke="#ddd"/>'
            yield text(x, 54 + height * len(best), label, size=10)
        for place, (name, value) in enumerate(best.items()):
            y = 40 + height * place
            yield text(left - 8, y + 13, name, "end", 12)
            yield f'<rect x="{left}" y="{y}" width="{axis.at(value):.1f}" height="{height - 6}" fill="{COLOURS[0]}"/>'
            yield text(left + axis.at(value) + 6, y + 13, f"{value:,.0f}".replace(",", " "), "start", 11)
    return page(left + 520 + 90, 70 + height * len(best), parts())


def drawings(study, results):
    found = results(study)
    if not found:
        return {}
    rows = [row for row in found["rows"] if all(row.get(key) == value for key, value in DRAWN.get(study, {}).items())]
    found = found | {"rows": rows}
    if study in CURVES:
        return {f"{study}.svg": "\n".join(curves(found, *CURVES[study]))}
    return {f"{study}.svg": "\n".join(bars(found, *BARS[study]))} if study in BARS else {}
