"""The drawings of docs/studies/barnes_hut.md, from results/h200/barnes_hut.json.

    drawings(found)      {"scaling": "<svg …", "parallelism": "<svg …"}
"""
import math

from drawing import COLOURS, Axis, frame, page, polyline, text

FIGURES = {"scaling": "time of a step by bodies", "parallelism": "work items without dependences, round by round"}
LEFT, TOP, WIDTH, HEIGHT, LEGEND = 80, 46, 520, 340, 210


def decades(values, pixels):
    """A logarithmic axis from the power of ten below the least value to the one above the most."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) - 1e-9)
    high = max(high, low + 1)
    return Axis(10**low, 10**high, pixels, True, [(10**k, f"10^{k}" if abs(k) > 2 else f"{10**k:g}") for k in range(low, high + 1)])


def legend(names, left, top):
    for place, (name, colour) in enumerate(names.items()):
        y = top + 14 + 20 * place
        yield f'<line x1="{left}" y1="{y}" x2="{left + 22}" y2="{y}" stroke="{colour}" stroke-width="2.5"/>'
        yield text(left + 28, y + 4, name, "start", 12)


def colours(names):
    return {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}


def curves(series, x_axis, y_axis, names):
    for name, points in series.items():
        yield polyline([(LEFT + x_axis.at(x), TOP + HEIGHT - y_axis.at(y)) for x, y in sorted(points)], names[name])


def scaling(found):
    rows = [row for row in found["rows"] if row.get("table") == "steps" and row["precision"] == "single" and row.get("step, ms", 0) > 0]
    series = {}
    for row in rows:
        series.setdefault(row["method"], {})[row["bodies"]] = row["step, ms"]
    series = {name: list(points.items()) for name, points in series.items()}
    x_axis = decades([row["bodies"] for row in rows], WIDTH)
    y_axis = decades([row["step, ms"] for row in rows], HEIGHT)
    names = colours(series)

    def parts():
        yield text(LEFT, 20, f"ms of a step by bodies, single precision; {found['gpu']}, {found['date']}", "start", 14)
        yield from frame(LEFT, TOP, x_axis, y_axis, "")
        yield from curves(series, x_axis, y_axis, names)
        yield from legend(names, LEFT + WIDTH + 16, TOP)
    return "\n".join(page(LEFT + WIDTH + LEGEND, TOP + HEIGHT + 40, parts()))


def parallelism(found):
    """A panel for each number of bodies: work items of each kernel by round."""
    rows = [row for row in found["rows"] if row.get("table") == "parallelism"]
    sizes = sorted(dict.fromkeys(row["bodies"] for row in rows))
    names = colours(dict.fromkeys(row["kernel"] for row in rows))
    width, height = 300, 220
    last = max(row["round"] for row in rows)
    step = max(1, round(last / 6))
    x_axis = Axis(1, last, width, False, [(k, str(k)) for k in range(1, last + 1, step)])
    y_axis = decades([row["work items"] for row in rows if row["work items"] > 0] + [1], height)

    def parts():
        yield text(LEFT, 20, "work items without dependences in each round of each kernel", "start", 14)
        for place, bodies in enumerate(sizes):
            left, top = LEFT + (place % 2) * (width + 70), TOP + (place // 2) * (height + 60)
            yield from frame(left, top, x_axis, y_axis, f"{bodies:,} bodies".replace(",", " "))
            for name, colour in names.items():
                points = sorted((row["round"], row["work items"]) for row in rows
                                if row["bodies"] == bodies and row["kernel"] == name and row["work items"] > 0)
                spots = [(left + x_axis.at(x), top + height - y_axis.at(y)) for x, y in points]
                yield polyline(spots, colour)
                yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in spots)
        yield from legend(names, LEFT + 2 * width + 90, TOP)
    return "\n".join(page(LEFT + 2 * width + 90 + LEGEND, TOP + (len(sizes) + 1) // 2 * (height + 60), parts()))


def drawings(found):
    return {"scaling": scaling(found), "parallelism": parallelism(found)}
