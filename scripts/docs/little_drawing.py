"""Little's law and the lanes of one SM: the share of the peak that threads × independent instructions in flight allow, and what was measured.

    drawing(rows)     "<svg …": one curve for each number of chains, with the measured points of results/h200/latency.json
    slider(rows)      the lines of a page that docs/book/little.js makes two sliders of; elsewhere they show the drawing

A step waits `latency` cycles for the one before it, and the lanes begin `lanes` steps in each: latency × lanes must be in flight.
"""
import json
import pathlib

from drawing import COLOURS, Axis, frame, linear, page, polyline, text

FACTS = json.loads((pathlib.Path(__file__).resolve().parents[2] / "machines" / "h200.json").read_text())
LATENCY, LANES, MOST = (FACTS[key]["value"] for key in ("alu_latency", "fp32_per_clock", "max_threads_per_sm"))
STEP = "a = a*b + c"


def allowed(threads, chains):
    """% of peak: min(1, in flight / (latency × lanes))."""
    return 100 * min(1, threads * chains / (LATENCY * LANES))


def measured(rows):
    """[(chains, threads, % of peak)]"""
    return sorted((row["chains"], row["threads"], row["of peak, %"]) for row in rows if row["step"] == STEP)


def drawing(rows):
    points = measured(rows)
    most = max(threads for _, threads, _ in points)
    left, top, across, down = 84, 40, 560, 300
    x = Axis(0, most, across, False, [(mark, str(mark)) for mark in range(0, most + 1, 128)])
    y = linear(100, down)

    def parts():
        yield text(left, 18, f"Little's law: {LATENCY} cycles × {LANES} lanes = {LATENCY * LANES} in flight; H200", "start", 14)
        yield from frame(left, top, x, y, "", "threads on one SM", "% of the FP32 peak")
        for place, chains in enumerate(sorted({chains for chains, _, _ in points})):
            colour = COLOURS[place]
            knee = min(most, LATENCY * LANES / chains)
            line = [(0, 0), (knee, allowed(knee, chains)), (most, allowed(most, chains))]
            # The curves share their roof: each a little below the last, so that none is hidden.
            yield polyline([(left + x.at(a), top + down - y.at(b) + 2 * place) for a, b in line], colour)
            yield from (f'<circle cx="{left + x.at(a):.1f}" cy="{top + down - y.at(b):.1f}" r="3" fill="{colour}"/>'
                        for c, a, b in points if c == chains)
            ly = top + 14 + 20 * place
            yield f'<line x1="{left + across + 16}" y1="{ly - 4}" x2="{left + across + 38}" y2="{ly - 4}" stroke="{colour}" stroke-width="2.5"/>'
            yield text(left + across + 44, ly, f"{chains} chain{'s' * (chains > 1)} a thread", "start")
        yield text(left + across + 16, top + 30 + 20 * place + 10, "lines: the law;", "start", 11)
        yield text(left + across + 16, top + 46 + 20 * place + 10, "points: measured", "start", 11)
    return "\n".join(page(left + across + 190, top + down + 48, parts()))


def slider(rows):
    points = json.dumps([list(point) for point in measured(rows)], separators=(",", ":"))
    yield "## Occupancy and independent instructions"
    yield ""
    yield (f"An SM of an H200 begins {LANES} multiply-adds in a cycle, and each takes {LATENCY} cycles until the next step of its chain can use it. By "
           f"Little's law {LATENCY * LANES} must be in flight: {LATENCY * LANES} threads with one chain, or a quarter of these with four. Occupancy and "
           "independent instructions are two ways to the same number. Where the points stay below their line, something else than latency is the "
           "limit: here the register banks, as `one_register` and `no_product` show.")
    yield ""
    yield f"<div class=\"little\" data-latency=\"{LATENCY}\" data-lanes=\"{LANES}\" data-most=\"{MOST}\" data-points='{points}'>"
    yield ""
    yield "![what Little's law allows by threads and chains, and what was measured](latency/little.svg)"
    yield ""
    yield "</div>"
    yield ""
