"""What a rung changed, as code: the difference to the rung before, or, where that is long, its hottest lines.

    changed(rung, before, hot_lines)     ["-  const int row = …", "+  const int row = …", "   …"]: the body of a ```diff block

Names of rungs count as the same, so that `naive_kernel` and `coalesced_kernel` differ in nothing. Long differences are cut to a window around
the hottest lines of the rung's own file; a `+` there still marks what the rung before does not have.
"""
import difflib
import re

LONG = 22    # lines of a difference that is shown whole
WINDOW = 18  # lines of a window


def code(rung, names, entry=False):
    """(number, line) of a rung's kernels: without its head, its includes, its namespace and, unless asked for, its entry in the list of rungs."""
    lines = list(enumerate(rung.file.read_text().splitlines(), 1))
    start = next((i for i, (_, line) in enumerate(lines) if not line.startswith("//")), 0)
    kept, skipping = [], False
    for number, line in lines[start:]:
        if not entry and re.match(r"(const|static const|extern const) (\w+::)?\w*(Rung|Variant|Method)\b", line):
            skipping = True
        if not skipping and line.strip() and not line.startswith(("#include", "namespace", "}  // namespace", "using namespace")):
            kept.append((number, re.sub(rf"\b({'|'.join(names)})(?=_|\b)", "RUNG", line)))
        if skipping and line.rstrip().endswith("};"):
            skipping = False
    return kept


def originals(rung):
    return dict(enumerate(rung.file.read_text().splitlines(), 1))


def difference(rung, before, names, entry=False):
    """("-" | "+" | " ", number here or None, line) of the two files, in order."""
    old, new = code(before, names, entry), code(rung, names, entry)
    here, there = originals(rung), originals(before)
    for tag, i, j, k, m in difflib.SequenceMatcher(None, [line for _, line in old], [line for _, line in new], autojunk=False).get_opcodes():
        if tag == "equal":
            yield from ((" ", number, here[number]) for number, _ in new[k:m])
        else:
            yield from (("-", None, there[number]) for number, _ in old[i:j])
            yield from (("+", number, here[number]) for number, _ in new[k:m])


def with_context(found, near=1):
    """Changed lines with `near` lines around them; `…` where lines are left out."""
    marks = [mark != " " for mark, _, _ in found]
    kept = [any(marks[max(0, i - near):i + near + 1]) for i in range(len(found))]
    lines, open_gap = [], False
    for keep, (mark, _, line) in zip(kept, found):
        if keep:
            lines.append(mark + line)
        elif not open_gap and lines:
            lines.append(" …")
        open_gap = not keep
    while lines and lines[-1] == " …":
        lines.pop()
    return lines


def window(found, hot_lines):
    """At most WINDOW lines of the file around its hottest line: as many changed and hot ones as fit."""
    here = [one for one in found if one[0] != "-"]
    if not here:
        return []
    weight = [hot_lines.get(number, 0) for _, number, _ in here]
    most = max(weight) or 1
    # New lines count a little, executed ones more: the window is what ran.
    value = [share / most + (0.3 if mark == "+" else 0) for share, (mark, _, _) in zip(weight, here)]
    # Rounded, as Python 3.12 adds more exactly than 3.11, and of equal windows the first is meant.
    start = max(range(max(1, len(here) - WINDOW + 1)), key=lambda i: (round(sum(value[i:i + WINDOW]), 6), -i))
    lines = [mark + line for mark, _, line in here[start:start + WINDOW]]
    return [" …"] * (start > 0) + lines + [" …"] * (start + WINDOW < len(here))


def lines_around(text, executed):
    """At most WINDOW lines of a file around those that ran most. `executed`: line -> warp instructions."""
    found = [(" ", number, line) for number, line in enumerate(text, 1) if line.strip() and not line.strip().startswith("//")]
    return [line[1:] if line[:1] == " " else line for line in window(found, executed)]


def changed(rung, before, hot_lines, names):
    """(lines, whole): `whole` is false where only a window is shown."""
    if before is None:
        found = [(" ", number, originals(rung)[number]) for number, _ in code(rung, names) or code(rung, names, entry=True)]
        return window(found, hot_lines), False
    found = list(difference(rung, before, names))
    if all(mark == " " for mark, _, _ in found):  # the same kernel, launched otherwise
        found = list(difference(rung, before, names, entry=True))
    if sum(mark != " " for mark, _, _ in found) <= LONG:
        return with_context(found), True
    return window(found, hot_lines), False
