"""What the drawings of results share: axes, panels, lines and words as SVG.

    axis = Axis(3, 100, 380, logarithmic=True, marks=[(3.125, "3"), (100, "100")])
    axis.at(25)                        380 · log(25 / 3) / log(100 / 3), in pixels from the left
    polyline([(0, 1), (5, 2)], "#1f5fa8")
"""
import math

# Told apart by people who do not see all colours, in this order.
COLOURS = ["#1f5fa8", "#b5482a", "#2f8f5b", "#8a5fb0", "#b8860b", "#6aa5d8", "#7a4b3a", "#d4679a", "#556b2f", "#444444",
           "#00838f", "#c06000", "#5c6bc0", "#9e9d24"]

# Light and dark as the reader's system is set, also where the drawing is an image of a page.
STYLE = (".ground{fill:#fff}.grid{stroke:#ddd}.frame{fill:none;stroke:#888}.cell,.fetched,.unused{stroke:#9aa4ae;stroke-width:.6}.fetched{fill:#f3dcd3}"
         ".unused{fill:none}.edge{stroke:#444;stroke-width:1.6}.on{fill:#14202b}.line{fill:none}"
         "@media(prefers-color-scheme:dark){text:not(.on){fill:#d5dbe1}.ground{fill:#14181d}.grid{stroke:#333b44}.frame{stroke:#667}"
         ".cell,.fetched,.unused{stroke:#56606b}.fetched{fill:#4d3128}.edge{stroke:#c9d1d9}.line{filter:brightness(1.5)}}")


class Axis:
    """Maps values to pixels; `marks` are (value, label)."""

    def __init__(self, least, most, pixels, logarithmic, marks):
        self.scale = math.log10 if logarithmic else float
        self.least, self.most, self.pixels, self.marks = self.scale(least), self.scale(most), pixels, marks

    def at(self, value):
        return (self.scale(value) - self.least) / (self.most - self.least) * self.pixels


def grouped(value):
    """Figures of an axis: 20 000, 0.25, never 2e+04."""
    return f"{value:,.0f}".replace(",", " ") if value >= 1000 else f"{value:g}"


def linear(most, pixels):
    """From 0, with about eight round marks."""
    step = next(factor * 10**power for power in range(-3, 9) for factor in (1, 2, 5) if most / (factor * 10**power) <= 8)
    count = math.ceil(most / step - 1e-9)
    return Axis(0, count * step, pixels, False, [(k * step, grouped(k * step)) for k in range(count + 1)])


def text(x, y, words, anchor="middle", size=12, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{extra}>{words}</text>'


def polyline(points, colour, dashed=False, hidden=False):
    """`hidden`: it lies on another line, and lets that be seen."""
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="2 4" stroke-opacity="0.8"' if dashed else ' stroke-dasharray="7 7"' if hidden else ""
    return f'<polyline class="line" points="{line}" stroke="{colour}" stroke-width="{1 if dashed else 1.8}"{dash}/>'


def frame(left, top, x_axis, y_axis, title, x_title="", y_title=""):
    """A panel's box, its title, and the marks of both axes with theirs."""
    if x_title:
        yield text(left + x_axis.pixels / 2, top + y_axis.pixels + 34, x_title, size=12)
    if y_title:
        x, y = left - 54, top + y_axis.pixels / 2
        yield text(x, y, y_title, size=12, extra=f' transform="rotate(-90 {x} {y:.0f})"')
    bottom = top + y_axis.pixels
    yield f'<rect x="{left}" y="{top}" width="{x_axis.pixels}" height="{y_axis.pixels}" class="frame"/>'
    yield text(left + x_axis.pixels / 2, top - 8, title, size=13)
    for mark, label in x_axis.marks:
        x = left + x_axis.at(mark)
        yield f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" class="grid"/>'
        yield text(x, bottom + 16, label, size=10)
    for mark, label in y_axis.marks:
        y = bottom - y_axis.at(mark)
        yield f'<line x1="{left}" y1="{y:.1f}" x2="{left + x_axis.pixels}" y2="{y:.1f}" class="grid"/>'
        yield text(left - 6, y + 4, label, "end", 10)


def page(width, height, parts):
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" fill="#222">')
    yield f"<style>{STYLE}</style>"
    yield f'<rect class="ground" width="{width}" height="{height}"/>'
    yield from parts
    yield "</svg>\n"
