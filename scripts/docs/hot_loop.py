"""The loop of a kernel in which most of its instructions ran, by source line: from a record with --source.

    hot(launch)                       Loop(first=1808, last=11104, rounds=32768, share=0.97, parts=[…]), or None

A loop is what lies between a branch of machine code and the earlier address it goes to; the innermost one that has most of the executed
instructions counts. Loops that ptxas unrolled whole are none any more: then the kernel as a whole is shown.
"""
import re
from dataclasses import dataclass

import access

BRANCH = re.compile(r"\bBRA(?:\.\w+)* (?:\S+, )*(0x[0-9a-f]+)")


@dataclass
class Part:
    """What one source line became."""
    file: str
    line: int
    executed: int
    opcodes: dict      # opcode -> instructions


@dataclass
class Loop:
    first: int
    last: int
    rounds: int
    share: float       # of the kernel's executed instructions
    instructions: int
    is_loop: bool
    parts: list


def opcode(text):
    """`@!P0 LDS.U.128 R4, [R2]` -> `LDS.U.128`"""
    return re.sub(r"^@!?U?P\w+ ", "", text).split()[0].rstrip(";")


def back_edges(code):
    for _, _, each in code:
        found = BRANCH.search(each["text"])
        if found and each["executed"] and int(found[1], 16) < each["address"]:
            yield int(found[1], 16), each["address"], each["executed"]


def hot(launch):
    code = access.instructions(launch)
    total = sum(each["executed"] for _, _, each in code)
    if not total:
        return None

    def inside(first, last):
        return [one for one in code if first <= one[2]["address"] <= last]
    best = None
    for first, last, rounds in back_edges(code):
        within = inside(first, last)
        ran = sum(each["executed"] for _, _, each in within)
        if ran < 0.4 * total:
            continue
        if best is None or len(within) < len(best[0]):  # the innermost that is most of the kernel
            best = within, first, last, rounds, ran
    within, first, last, rounds, ran = best or (code, code[0][2]["address"], code[-1][2]["address"], 0, total)
    lines = {}
    for file, line, each in within:
        if each["executed"]:
            part = lines.setdefault((file, line), Part(file, line, 0, {}))
            part.executed += each["executed"]
            name = opcode(each["text"])
            part.opcodes[name] = part.opcodes.get(name, 0) + 1
    return Loop(first, last, rounds, ran / total, sum(bool(each["executed"]) for _, _, each in within), best is not None,
                list(lines.values()))
