"""The rungs of a study under the roofs of a machine: FLOP/s over the FLOPs for each byte of the sectors that its global accesses ask for.

    drawing([Point("naive", 1.3, 5.0e11), …], machine)        "<svg …", or None where no rung has floating-point operations

With bytes asked for, not distinct ones, a rung that uses again what it loaded moves to the right; one above the roof of a memory is
served by the cache before it.
"""
import json
import math
import pathlib
from dataclasses import dataclass

from drawing import COLOURS, Axis, frame, page, text

MACHINES = pathlib.Path(__file__).resolve().parents[2] / "machines"
LEFT, TOP, ACROSS, DOWN, LEGEND = 84, 44, 520, 330, 220


@dataclass
class Point:
    name: str
    intensity: float  # FLOP a byte
    rate: float       # FLOP/s


def roofs(machine):
    """(words, FLOP/s a FLOP/B or None, FLOP/s or None)"""
    facts = json.loads((MACHINES / f"{machine}.json").read_text())
    value = lambda key: facts[key]["value"] if facts.get(key, {}).get("value") is not None else None  # noqa: E731
    peak = value("sm_count") * value("fp32_per_clock") * 2 * value("sm_clock") * 1e6
    l1 = value("sm_count") * value("sm_clock") * value("l1_bytes_per_clock") / 1000 if value("l1_bytes_per_clock") else None
    for words, rate in (("DRAM", value("dram_bandwidth")), ("L2", value("l2_bandwidth")), ("L1", l1)):
        if rate:
            yield f"{words} {rate / 1000:.1f} TB/s", rate * 1e9, None
    yield f"FP32 {peak / 1e12:.0f} TFLOP/s", None, peak


def decades(least, most, pixels):
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    names = {-2: "0.01", -1: "0.1", 0: "1", 1: "10", 2: "100", 3: "1000"}
    return Axis(10**low, 10**high, pixels, True, [(10.0**e, names.get(e, f"1e{e}")) for e in range(low, high + 1)])


def rates(least, most, pixels):
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    units = {9: "1 G", 10: "10 G", 11: "100 G", 12: "1 T", 13: "10 T", 14: "100 T", 15: "1 P"}
    return Axis(10**low, 10**high, pixels, True, [(10.0**e, units.get(e, f"1e{e}")) for e in range(low, high + 1)])


def drawing(points, machine="h200"):
    points = [point for point in points if point.intensity > 0 and point.rate > 0]
    if not points:
        return None
    lines = list(roofs(machine))
    peak = max(rate for _, _, rate in lines if rate)
    x = decades(min(point.intensity for point in points), max(max(point.intensity for point in points), 60), ACROSS)
    y = rates(min(point.rate for point in points), max(peak, max(point.rate for point in points)), DOWN)
    bottom = TOP + DOWN

    def parts():
        yield text(LEFT, 18, f"the rungs under the roofs of {machine.upper()}: times as predicted, at the size of this page", "start", 14)
        yield from frame(LEFT, TOP, x, y, "")
        yield text(LEFT + ACROSS / 2, bottom + 36, "FLOP for each byte that global accesses ask for (32 a sector)", size=12)
        yield text(18, TOP + DOWN / 2, "FLOP/s", size=12, extra=f' transform="rotate(-90 18 {TOP + DOWN / 2:.0f})"')
        low, high = 10**x.least, 10**x.most
        for words, slope, rate in lines:
            begin, end = ((low, rate), (high, rate)) if rate else ((low, low * slope), (min(high, peak / slope), min(high * slope, peak)))
            if begin[1] < 10**y.least:
                begin = 10**y.least / slope, 10**y.least
            ax, ay, bx, by = LEFT + x.at(begin[0]), bottom - y.at(begin[1]), LEFT + x.at(end[0]), bottom - y.at(end[1])
            yield f'<line class="edge" x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}"/>'
            if rate:
                yield text(LEFT + 6, ay - 5, words, "start", 11)
            else:
                turn = -math.degrees(math.atan2(ay - by, bx - ax))
                px, py, away = ax + (bx - ax) * 0.3, ay + (by - ay) * 0.3, 14 if words.startswith("DRAM") else -5
                yield text(px, py, words, size=11, extra=f' transform="rotate({turn:.1f} {px:.1f} {py:.1f}) translate(0 {away})"')
        taken = []
        for place, point in enumerate(points):
            colour, px, py = COLOURS[place % len(COLOURS)], LEFT + x.at(point.intensity), bottom - y.at(point.rate)
            at = py
            while any(abs(px - ox) < 17 and abs(at - oy) < 17 for ox, oy in taken):  # below one that lies there, with a line to its own place
                at += 17
            taken.append((px, at))
            if at != py:
                yield f'<line class="edge" x1="{px:.1f}" y1="{py:.1f}" x2="{px:.1f}" y2="{at:.1f}" style="stroke-width:.7"/>'
                yield f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.5" fill="{colour}"/>'
            yield f'<circle cx="{px:.1f}" cy="{at:.1f}" r="8" fill="{colour}"><title>{point.name}</title></circle>'
            yield text(px, at + 3.5, str(place + 1), size=10, extra=' style="fill:#fff"')
            ly = TOP + 12 + 19 * place
            yield f'<circle cx="{LEFT + ACROSS + 22}" cy="{ly - 4}" r="8" fill="{colour}"/>'
            yield text(LEFT + ACROSS + 22, ly, str(place + 1), size=10, extra=' style="fill:#fff"')
            yield text(LEFT + ACROSS + 36, ly, point.name, "start", 12)
    return "\n".join(page(LEFT + ACROSS + LEGEND, max(bottom + 48, TOP + 19 * len(points) + 12), parts()))
