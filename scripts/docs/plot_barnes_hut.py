"""The drawings of docs/studies/barnes_hut.md, from results/h200/barnes_hut.json.

    drawings(found, published)      {"scaling": "<svg …", "parallelism": "<svg …", "kernels": …, "switches": …}
"""
import math

from drawing import COLOURS, Axis, frame, linear, page, polyline, text

LEFT, TOP, WIDTH, HEIGHT, LEGEND = 80, 46, 520, 340, 210


def decades(values, pixels):
    """A logarithmic axis from the power of ten below the least value to the one above the most."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) - 1e-9)
    high = max(high, low + 1)
    return Axis(10**low, 10**high, pixels, True, [(10**k, "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] if c != "-" else "⁻" for c in str(k)) if abs(k) > 2 else f"{10**k:g}") for k in range(low, high + 1)])


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
        yield from frame(LEFT, TOP, x_axis, y_axis, "", "bodies", "ms of a step")
        yield from curves(series, x_axis, y_axis, names)
        yield from legend(names, LEFT + WIDTH + 16, TOP)
    return "\n".join(page(LEFT + WIDTH + LEGEND, TOP + HEIGHT + 48, parts()))


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
            left, top = LEFT + (place % 2) * (width + 90), TOP + (place // 2) * (height + 76)
            yield from frame(left, top, x_axis, y_axis, f"{bodies:,} bodies".replace(",", " "), "round", "work items")
            drawn = []
            for name, colour in names.items():
                points = sorted((row["round"], row["work items"]) for row in rows
                                if row["bodies"] == bodies and row["kernel"] == name and row["work items"] > 0)
                spots = [(left + x_axis.at(x), top + height - y_axis.at(y)) for x, y in points]
                on_another = any(len(a) == len(spots) and all(abs(p[1] - q[1]) < 3 for p, q in zip(a, spots)) for a in drawn)
                drawn.append(spots)
                yield polyline(spots, colour, hidden=on_another)
                look = f'r="5" class="line" stroke="{colour}" stroke-width="1.6"' if on_another else f'r="2.5" fill="{colour}"'
                yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" {look}/>' for x, y in spots)
        yield from legend(names, LEFT + 2 * width + 110, TOP)
    return "\n".join(page(LEFT + 2 * width + 110 + LEGEND, TOP + (len(sizes) + 1) // 2 * (height + 76), parts()))


def pairs(title, unit, rows, names, logarithmic=False):
    """Two bars for each of `rows` ((label, one value, another)), named by `names`; a value that is not known has none."""
    values = [value for _, *both in rows for value in both if value]
    left, across, height = 190, 440, 38
    axis = decades(values, across) if logarithmic else linear(max(values), across)
    bottom = TOP + height * len(rows)

    def parts():
        yield text(20, 20, title, "start", 14)
        for mark, label in axis.marks:
            x = left + axis.at(mark)
            yield f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}"/>'
            yield text(x, bottom + 15, label, size=10)
        yield text(left + across / 2, bottom + 34, unit, size=12)
        for place, (label, *both) in enumerate(rows):
            y = TOP + height * place
            yield text(left - 8, y + 21, label, "end")
            for i, value in enumerate(both):
                if value:
                    yield f'<rect x="{left}" y="{y + 3 + 15 * i}" width="{max(1, axis.at(value)):.1f}" height="13" fill="{COLOURS[i]}"/>'
                    yield text(left + max(1, axis.at(value)) + 5, y + 14 + 15 * i, f"{value:.3g}" if value < 1000 else f"{value:,.0f}".replace(",", " "), "start", 10)
        yield from legend(dict(zip(names, COLOURS)), left + across + 60, TOP)
    return "\n".join(page(left + across + 240, bottom + 44, parts()))


def kernels(found, published):
    """Each kernel's time at five million bodies, on the source's GPU and on ours."""
    theirs = {row["key"]["kernel"]: row["value"] for row in published("kernels")["rows"] if row["key"]["precision"] == "single"}
    ours = {row["kernel"]: row["time, ms"] for row in found["rows"] if row.get("table") == "kernels" and row["method"] == "six_kernels"
            and row["precision"] == "single" and row["bodies"] == 5000000 and "time, ms" in row}
    return pairs("time of the six kernels, 5 000 000 bodies, single precision", "ms, logarithmic",
                 [(name, theirs[name], ours.get(name)) for name in theirs], ("published, GTX 480", "measured, H200"), logarithmic=True)


def switches(found, published):
    theirs = {row["key"]["switched off"]: row["value"] for row in published("switches")["rows"] if row["key"].get("bodies") == 5000000}
    ours = {row["switched off"]: row["over all on"] for row in found["rows"] if row.get("table") == "switches" and row["bodies"] == 5000000}
    return pairs("without one optimisation, 5 000 000 bodies", "times as long: the kernel (published), the step (measured)",
                 [(name, theirs.get(name), ours.get(name)) for name in dict.fromkeys([*ours, *theirs])], ("published, GTX 480", "measured, H200"))


def drawings(found, published):
    """`published(name)`: a table of studies/barnes_hut/published.json."""
    return {"scaling": scaling(found), "parallelism": parallelism(found), "kernels": kernels(found, published), "switches": switches(found, published)}
