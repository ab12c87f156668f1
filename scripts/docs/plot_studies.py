"""The drawings of docs/studies: curves of a figure over another, and the ladder as bars.

    drawings("copy", results)      {"copy.svg": "<svg …"}; results(name) gives a file of results/<gpu>, or None
"""
import math

from drawing import COLOURS, Axis, frame, grouped, linear, page, polyline, text

LEFT, TOP, PANEL_X, PANEL_Y, LEGEND, BELOW = 84, 46, 560, 320, 210, 80
WIDE_RANGE = 8  # figures of which the greatest is more times the least stand on a logarithmic axis: none is squeezed to a line

# study: (panels, across, figure, curve)
CURVES = {"copy": ("block", "occupancy, %", "GB/s", "variant"), "latency": (None, "threads", "of peak, %", "variant"),
          "registers": ("chains", "warps", "B/clk/SM", "rung")}
# study: cells of the rows that are drawn, where not all are
DRAWN = {"registers": {"on": "chip"}, "nbody": {"precision": "single", "bodies": 100000}, "fft": {"n": 1024},
         "merge_sort": {"keys": "int32", "n": 134217728}}
# study: (figure, rung)
BARS = {"sgemm": ("GFLOP/s", "rung"), "fft": ("GFLOP/s", "rung"), "merge_sort": ("Mkeys/s", "rung"), "nbody": ("G interactions/s", "rung")}


def doubling(values, pixels):
    """A logarithmic axis from the least value to the most, with marks at values that were measured."""
    least, most = min(values), max(values)
    marks = sorted(set(values))
    axis = Axis(least, most if most > least else 2 * least, pixels, True, [])
    for mark in marks:  # those that leave room for their words
        if not axis.marks or axis.at(mark) - axis.at(axis.marks[-1][0]) > 38:
            axis.marks.append((mark, grouped(mark)))
    return axis


def upright(values, pixels):
    """The axis of the figures: from 0, or logarithmic where they lie far apart in all curves."""
    peaks = [max(some) for some in values]
    if max(peaks) <= WIDE_RANGE * min(peaks):
        return linear(max(peaks), pixels)
    least, most = min(map(min, values)), max(peaks)
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    return Axis(10.0**low, 10.0**high, pixels, True, [(factor * 10.0**e, grouped(factor * 10.0**e)) for e in range(low, high) for factor in (1, 2, 5)]
                + [(10.0**high, grouped(10.0**high))])


def panel(rows, across, figure, curve, title, names, y_axis, top):
    x_axis = doubling([row[across] for row in rows], PANEL_X)
    yield from frame(LEFT, top, x_axis, y_axis, title, across, figure + (", logarithmic" if y_axis.scale is math.log10 else ""))
    drawn = []
    for name in dict.fromkeys(row[curve] for row in rows):
        points = sorted((row[across], row[figure]) for row in rows if row[curve] == name)
        at = [(LEFT + x_axis.at(x), top + PANEL_Y - y_axis.at(y)) for x, y in points]
        # A curve on top of another is dashed, so that both are seen; its own ends have marks.
        hides = any(len(other) == len(at) and all(abs(a[1] - b[1]) < 3 for a, b in zip(other, at)) for other in drawn)
        drawn.append(at)
        yield polyline(at, names[name], hidden=hides)
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 if hides else 3}" fill="{names[name]}"/>' for x, y in at)


def curves(found, panels, across, figure, curve):
    rows = [row for row in found["rows"] if all(isinstance(row.get(key), (int, float)) for key in (across, figure)) and row[across] > 0]
    names = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(dict.fromkeys(row[curve] for row in rows))}
    by_name = [[row[figure] for row in rows if row[curve] == name] for name in names]
    y_axis = upright(by_name, PANEL_Y)
    edges = list(dict.fromkeys(row.get(panels) for row in rows))

    def parts():
        yield text(LEFT, 20, f"{figure} over {across}; {found['gpu']}, {found['date']}", "start", 14)
        for place, edge in enumerate(edges):
            some = [row for row in rows if row.get(panels) == edge]
            title = f"{panels} {edge}" if panels and edge is not None else found["study"]
            yield from panel(some, across, figure, curve, title, names, y_axis, TOP + place * (PANEL_Y + BELOW))
        for place, (name, colour) in enumerate(names.items()):
            x, y = LEFT + PANEL_X + 16, TOP + 14 + 20 * place
            yield f'<line x1="{x}" y1="{y}" x2="{x + 22}" y2="{y}" stroke="{colour}" stroke-width="2.5"/>'
            yield text(x + 28, y + 4, name, "start", 12)
    return page(LEFT + PANEL_X + LEGEND, TOP + len(edges) * (PANEL_Y + BELOW), parts())


def bars(found, figure, rung, published):
    """A bar a rung, measured; a mark where the source's GPU stood. `published`: {rung: value}"""
    best = {}
    for row in found["rows"]:
        if isinstance(row.get(figure), (int, float)):
            best[row[rung]] = max(row[figure], best.get(row[rung], 0))
    axis, height, left = linear(max(best.values()), 520), 22, 210
    bottom = 40 + height * len(best)

    def parts():
        yield text(20, 20, f"{figure} of each rung, at its best; {found['gpu']}, {found['date']}", "start", 14)
        for mark, label in axis.marks:
            x = left + axis.at(mark)
            yield f'<line x1="{x:.1f}" y1="34" x2="{x:.1f}" y2="{bottom}" class="grid"/>'
            yield text(x, bottom + 14, label, size=10)
        yield text(left + 260, bottom + 34, figure + ("; the short mark: published, on the source's GPU" if published else ""), size=12)
        for place, (name, value) in enumerate(best.items()):
            y = 40 + height * place
            yield text(left - 8, y + 13, name, "end", 12)
            yield f'<rect x="{left}" y="{y}" width="{axis.at(value):.1f}" height="{height - 6}" fill="{COLOURS[0]}"/>'
            if name in published:
                x = left + axis.at(published[name])
                yield f'<rect x="{x - 1.5:.1f}" y="{y - 2}" width="3" height="{height - 2}" fill="{COLOURS[4]}"><title>published: {grouped(published[name])}</title></rect>'
            yield text(left + axis.at(value) + 6, y + 13, grouped(value), "start", 11)
    return page(left + 520 + 90, bottom + 44, parts())


def drawings(study, results, published=None):
    """`published`: {rung: value} in the unit of the bars."""
    found = results(study)
    if not found:
        return {}
    rows = [row for row in found["rows"] if all(row.get(key) == value for key, value in DRAWN.get(study, {}).items())]
    found = found | {"rows": rows}
    if study in CURVES:
        return {f"{study}.svg": "\n".join(curves(found, *CURVES[study]))}
    return {f"{study}.svg": "\n".join(bars(found, *BARS[study], published or {}))} if study in BARS else {}
