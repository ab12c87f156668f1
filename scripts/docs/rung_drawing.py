"""A rung in one drawing: what was published, measured and is allowed as bars, and the dearest access of a warp to global and to shared memory.

    drawing(Bars("GFLOP/s", [("published, RTX A6000", 309), ("measured, NVIDIA H200", 498), …]), [("naive.cu:21", access), …])

An access is drawn as memory lies: a row of 128 bytes of global memory, or of the 32 banks of shared memory, with the lanes that ask for each word.
"""
from dataclasses import dataclass

import access as accesses
from drawing import linear, page, text

WIDTH, LEFT, CELL, ROW = 760, 96, 20, 18
ROWS = 8  # of an access that takes more
KINDS = {"published": "#8f9aa6", "measured": "#1f5fa8", "predicted": "#6aa5d8", "limit": "#b5482a"}


@dataclass
class Bars:
    unit: str
    rows: list  # (kind, label, value)


def shade(lane):
    """The lanes from blue over green to orange, light enough for dark words on it."""
    return f"hsl({215 - lane * 6.2:.0f} 62% 70%)"


def grouped(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}".replace(",", " ")


def bars(drawn, top):
    axis, height, left = linear(max(value for _, _, value in drawn.rows), WIDTH - 340), 22, 230
    bottom = top + height * len(drawn.rows)
    for mark, label in axis.marks:
        x = left + axis.at(mark)
        yield f'<line class="grid" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>'
        yield text(x, bottom + 14, label, size=10)
    yield text(left + axis.pixels, bottom + 30, drawn.unit, "end", 11)
    for place, (kind, label, value) in enumerate(drawn.rows):
        y = top + height * place
        yield text(left - 8, y + 15, label, "end")
        yield f'<rect x="{left}" y="{y + 3}" width="{max(1, axis.at(value)):.1f}" height="{height - 6}" fill="{KINDS[kind]}"/>'
        yield text(left + max(1, axis.at(value)) + 6, y + 15, grouped(value), "start", 11)


def cells(access, row, y, of_row):
    """The 32 words of a row; `of_row`: word -> lanes."""
    fetched = accesses.sectors(access) if access["space"] != "shared" else set()
    for i in range(32):
        word = row * 32 + i
        asked = of_row.get(word)
        kind = "cell" if asked else "fetched" if word // 8 in fetched else "unused"
        fill = f' style="fill:{shade(asked[0])}"' if asked else ""
        x = LEFT + i * CELL
        yield f'<rect class="{kind}" x="{x}" y="{y}" width="{CELL}" height="{ROW}"{fill}/>'
        if asked:
            yield text(x + CELL / 2, y + 13, str(asked[0]) if len(asked) == 1 else f"{len(asked)}×", size=9, extra=' class="on"')
    if access["space"] != "shared":
        for sector in range(5):
            x = LEFT + sector * 8 * CELL
            yield f'<line class="edge" x1="{x}" y1="{y}" x2="{x}" y2="{y + ROW}"/>'


def rows_of(access):
    """[row]: rows of 32 words that are touched."""
    return sorted({word // 32 for word in accesses.words(access)})


def picture(place, access, top):
    shared = access["space"] == "shared"
    asked, rows = accesses.words(access), rows_of(access)
    yield text(12, top + 12, f"{place}, {access['space']} {access['use']}", "start", 12, ' font-weight="bold"')
    yield text(12, top + 29, accesses.said(access), "start", 12)
    y = top + 40
    for i in range(0, 33, 4):
        label = str(i) if shared and i < 32 else "" if shared else f"{4 * i}"
        yield text(LEFT + (i + (0.5 if shared else 0)) * CELL, y + 10, label, size=10)
    yield text(LEFT - 8, y + 10, "bank" if shared else "byte", "end", 10)
    y += 15
    before = None
    for row in rows[:ROWS]:
        if before is not None and row != before + 1:
            yield text(LEFT - 30, y + 8, "⋮", size=11)
            y += 10
        yield text(LEFT - 8, y + 13, f"{'' if shared else '+'}{(row - (0 if shared else rows[0])) * 128}", "end", 10)
        yield from cells(access, row, y, {word: lanes for word, lanes in asked.items() if word // 32 == row})
        y, before = y + ROW, row
    if len(rows) > ROWS:
        y += 14
        yield text(LEFT, y, f"… and {len(rows) - ROWS} rows more of the same kind", "start", 11)


def height_of(access):
    rows = rows_of(access)
    shown = rows[:ROWS]
    gaps = sum(b != a + 1 for a, b in zip(shown, shown[1:]))
    return 55 + ROW * len(shown) + 10 * gaps + (18 if len(rows) > ROWS else 0) + 22


def drawing(drawn, access_list):
    """`access_list`: (place, access). None where nothing is to be drawn."""
    parts, y = [], 8
    if drawn and drawn.rows:
        parts += bars(drawn, y)
        y += 22 * len(drawn.rows) + 44
    for place, access in access_list:
        parts += picture(place, access, y)
        y += height_of(access)
    if not parts:
        return None
    if access_list:
        parts.append(text(12, y, "A number is the lane that asks for the word, n× several lanes; pale: fetched and not asked for.", "start", 10))
        y += 8
    return "\n".join(page(WIDTH, y + 8, parts))
