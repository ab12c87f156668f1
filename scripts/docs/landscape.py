"""The landscape of a sweep of tunings: throughput against values a thread, a line per threads a block, a panel for each kernel that has such
numbers and each kind of input.

    drawing(results)         of results/<gpu>/<study>_tunings.json: "<svg …"
    best(rows, SWEEPS[…])    [Best(panel="int32, keys", row={…}, ties=2)]

A sweep varies the numbers of one kernel while those of the others stay: a panel shows the rows among which the others are the same, as many as
there are.
"""
import collections
from dataclasses import dataclass

from drawing import COLOURS, Axis, frame, grouped, linear, page, polyline, text

LEFT, TOP, WIDE, HIGH, BETWEEN, BELOW = 84, 62, 330, 190, 96, 72
NOISE = 0.01  # of a median: tunings so near to the best are as good


@dataclass
class Sweep:
    panels: tuple    # the columns whose values have panels each
    kernels: tuple   # (words, column of threads a block, column of values a thread)
    figure: str


SWEEPS = {"merge_sort": Sweep(("keys", "records"), (("tiles are sorted", "SORT_NT", "SORT_VT"), ("runs are merged", "MERGE_NT", "MERGE_VT")), "Mkeys/s"),
          "interval_move": Sweep(("kind",), (("whole_lines", "NT", "VT"),), "Melements/s")}


@dataclass
class Best:
    panel: str
    row: dict
    ties: list  # further rows within NOISE


def panels(rows, sweep):
    found = {}
    for row in rows:
        if sweep.figure in row:
            found.setdefault(", ".join(str(row[name]) for name in sweep.panels), []).append(row)
    return found


def best(rows, sweep):
    for panel, some in panels(rows, sweep).items():
        first, *others = sorted(some, key=lambda row: -row[sweep.figure])
        yield Best(panel, first, [row for row in others if row[sweep.figure] >= (1 - NOISE) * first[sweep.figure]])


def of_kernel(rows, sweep, threads, values):
    """Those that differ in nothing but the numbers of one kernel."""
    others = [name for _, *names in sweep.kernels for name in names if name not in (threads, values)]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in others)].append(row)
    return max(groups.values(), key=len)


def panel(rows, sweep, title, threads, values, left, top):
    numbers = sorted({row[values] for row in rows})
    x_axis = Axis(min(numbers) - 1, max(numbers) + 1, WIDE, False, [(number, str(number)) for number in numbers])
    y_axis = linear(max(row[sweep.figure] for row in rows), HIGH)
    yield from frame(left, top, x_axis, y_axis, title, "values a thread", sweep.figure)
    for place, count in enumerate(sorted({row[threads] for row in rows})):
        colour = COLOURS[place]
        line = sorted((row[values], row[sweep.figure], row["spilled, B"]) for row in rows if row[threads] == count)
        at = [(left + x_axis.at(x), top + HIGH - y_axis.at(y), spilled) for x, y, spilled in line]
        yield polyline([(x, y) for x, y, _ in at], colour)
        for (x, y, spilled), (value, figure, _) in zip(at, line):
            yield (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" stroke="{colour}" fill="{"none" if spilled else colour}">'
                   f"<title>{count} x {value}: {grouped(figure)}{f', {spilled} B spilled' if spilled else ''}</title></circle>")
        yield f'<line x1="{left + 8 + 86 * place}" y1="{top + HIGH - 12}" x2="{left + 24 + 86 * place}" y2="{top + HIGH - 12}" stroke="{colour}" stroke-width="2.5"/>'
        yield text(left + 28 + 86 * place, top + HIGH - 8, f"NT {count}", "start", 11)


def drawing(study, results):
    sweep = SWEEPS[study]
    found = panels(results["rows"], sweep)

    def parts():
        yield text(20, 20, f"{sweep.figure} by values and threads a block; {results['gpu']}, {results['date']}", "start", 14)
        yield text(20, 37, "a circle that is not filled: registers are spilled", "start", 11)
        for line, (name, rows) in enumerate(found.items()):
            for column, (words, threads, values) in enumerate(sweep.kernels):
                yield from panel(of_kernel(rows, sweep, threads, values), sweep, f"{name}: {words}", threads, values,
                                 LEFT + column * (WIDE + BETWEEN), TOP + line * (HIGH + BELOW))
    return "\n".join(page(LEFT + len(sweep.kernels) * (WIDE + BETWEEN), TOP + len(found) * (HIGH + BELOW), parts()))


def words(study, results):
    """Lines of the page: the best of each panel, and what is as good."""
    sweep = SWEEPS[study]

    def said(row):
        return " and ".join(f"{row[threads]} × {row[values]}" + (f" where {name}" if len(sweep.kernels) > 1 else "")
                            for name, threads, values in sweep.kernels)
    for one in best(results["rows"], sweep):
        as_good = f"; as good within {NOISE:.0%}: {'; '.join(map(said, one.ties))}" if one.ties else ""
        yield f"- {one.panel}: {said(one.row)}, {grouped(round(one.row[sweep.figure]))} {sweep.figure}{as_good}"
