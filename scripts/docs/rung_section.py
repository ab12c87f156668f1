"""One rung of a page of docs/studies: its idea, what changed in the code, its drawing, its hot loop with counts, and what limits it.

    section = Section(rung, before, profile, names)       profile: what rungs.profile gives
    section.diagnosis()     "**Limiter:** shared-memory bandwidth … **Why:** … **Next:** …"

Everything comes from the rung's file, the emulator's record of it and headroom's advice.
"""
import math
import pathlib
import re

import access
import hot_loop
import rung_code

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What headroom calls a resource or a wait, as a sentence has it.
RESOURCES = {"issue": "issue slots", "shared": "shared-memory bandwidth", "l1": "L1 throughput", "l2": "L2 bandwidth", "dram": "DRAM bandwidth",
             "load/store": "the load/store units", "fma": "the FMA pipe", "alu": "the ALU pipe", "fp32": "the FP32 lanes", "fp64": "the FP64 lanes"}
WAITS = {"not_selected": "the scheduler, which chose another warp", "wait": "an instruction of fixed latency", "long_scoreboard": "global memory",
         "short_scoreboard": "shared memory", "barrier": "a barrier", "math_pipe_throttle": "a busy pipe", "lg_throttle": "the queue of global accesses",
         "mio_throttle": "the queue of shared memory", "dispatch_stall": "register banks", "branch_resolving": "a branch", "membar": "a fence",
         "gmma": "products of its warpgroup", "imc_miss": "operands in constant memory"}
LOOP_LINES = 12  # of the hot loop; the rest is summed up


def grouped(number):
    return f"{number:,}".replace(",", " ")


def microseconds(seconds):
    value = seconds * 1e6
    return f"{value:.3g}" if value < 1000 else grouped(round(value))


def share(part):
    return f"{100 * part:.0f} %" if part >= 0.095 else f"{100 * part:.1f} %"


def short(kernel):
    """`void sgemm::tile<true>(…)` -> `tile`"""
    return kernel.replace("(anonymous namespace)::", "").split("(")[0].split("<")[0].removeprefix("void ").split("::")[-1]


def claim(expect):
    """`fp32_instructions / 0.5` says "doubled" to a program; a reader is told `fp32_instructions × 2`."""
    return re.sub(r"(\w+) / (0?\.\d+|1\.0*(?=\D|$)|1(?![\d.]))", lambda found: f"{found[1]} × {1 / float(found[2]):.3g}" if float(found[2]) < 1 else
                  f"{found[1]} as many", expect)


def time_of(launch):
    prediction = launch.get("prediction") or {}
    return (prediction.get("time_ns") or 0) / 1e9 or launch.get("floor_seconds") or 0


def reads_shared(launch):
    """As src/record/stall.h in_words has it."""
    counters = launch.get("counters") or {}
    return bool(counters.get("shared_load_instructions") or counters.get("shared_atomic_instructions"))


def plain(text):
    """A sentence of headroom's, with its places in this repository as links from docs/studies."""
    return re.sub(r"studies/[\w/]+(\.\w+)?", lambda found: f"[{pathlib.Path(found[0]).name}](../../{found[0]})" if (ROOT / found[0]).exists() else found[0],
                  text)


class Section:
    def __init__(self, rung, before, profile, names):
        self.rung, self.before, self.names = rung, before, names
        self.launches, self.rows = profile
        ran = [launch for launch in self.launches if launch.get("counters")]
        self.main = max(ran, key=time_of) if ran else None  # the launch that takes longest stands for the rung
        self.loop = hot_loop.hot(self.main) if self.main else None

    def ours(self, file):
        return pathlib.Path(file).name == self.rung.file.name

    def place(self, part):
        """The rung's own file first, then headers by name: the order must not hang on where the project or the toolkit lies."""
        return not self.ours(part.file or ""), pathlib.Path(part.file or "").name, part.line

    def hot_lines(self):
        return {part.line: part.executed for part in (self.loop.parts if self.loop else []) if self.ours(part.file)}

    def code(self):
        lines, whole = rung_code.changed(self.rung, self.before, self.hot_lines(), self.names)
        if not whole and not self.hot_lines() and self.header():  # of the file only what launches the kernel
            yield from self.header_code()
            return
        if not lines:
            yield f"Its file differs from that of `{self.before.name}` in nothing but names; what differs stands in the headers."
            yield ""
            yield from self.header_code()
            return
        if self.before is None:
            yield "Where it spends its time:"
        elif whole:
            yield f"What changed against `{self.before.name}`:"
        else:
            yield f"Where it spends its time; `+` marks what `{self.before.name}` does not have:"
        yield ""
        yield "```diff" if self.before else "```cpp"
        yield from (lines if self.before else [line[1:] if line[:1] in " +" else line for line in lines])
        yield "```"
        yield ""
        yield from self.header_code()

    def header(self):
        """The header with many of the hot lines that this rung includes and the one before does not: (path, {line: executed}), or None."""
        def included(rung):
            return set(re.findall(r'#include "(studies/[^"]+)"', rung.file.read_text())) if rung else set()
        new = included(self.rung) - included(self.before)
        executed = {}
        for part in self.loop.parts if self.loop else []:
            at = str(part.file or "").find("/studies/")
            if at >= 0 and part.file[at + 1:] in new:
                executed.setdefault(part.file[at + 1:], {})[part.line] = part.executed
        name = max(executed, key=lambda each: sum(executed[each].values()), default=None)
        is_much = name and 10 * sum(executed[name].values()) >= sum(self.hot_lines().values())
        return (ROOT / name, executed[name]) if is_much else None

    def header_code(self):
        """Where a rung's own file only names sizes, its loop stands in a header of its own."""
        found = self.header()
        if not found:
            return
        path, executed = found
        lines = rung_code.lines_around(path.read_text().splitlines(), executed)
        yield f"Its loop stands in [{path.name}](../../{path.relative_to(ROOT)}):"
        yield ""
        yield "```cpp"
        yield from lines
        yield "```"
        yield ""

    def loop_table(self):
        if not self.loop:
            return
        loop = self.loop
        what = (f"The hot loop: {loop.instructions} machine instructions, {grouped(loop.rounds)} rounds of a warp, {share(loop.share)} of all that "
                f"`{short(self.main['kernel'])}` executes" if loop.is_loop else
                f"`{short(self.main['kernel'])}` has no loop that is most of it: {loop.instructions} machine instructions ran")
        yield f"{what} (executed: warp instructions):"
        yield ""
        yield "```text"
        yield f"{'executed':>12}  {'line':<24} machine instructions"
        parts = sorted(loop.parts, key=lambda part: -part.executed)
        kept = sorted(parts[:LOOP_LINES], key=self.place)
        for part in kept:
            place = f"{pathlib.Path(part.file).name}:{part.line}" if part.file else "no line"
            most = sorted(part.opcodes.items(), key=lambda one: (-one[1], one[0]))
            mix = ", ".join(f"{name} × {count}" if count > 1 else name for name, count in most[:4]) + (", …" if len(most) > 4 else "")
            yield f"{grouped(part.executed):>12}  {place:<24} {mix}"
            if text := self.source_line(part):
                yield f"{'':>12}    {text}"
        if len(parts) > LOOP_LINES:
            rest = parts[LOOP_LINES:]
            yield f"{grouped(sum(part.executed for part in rest)):>12}  {len(rest)} lines more"
        yield "```"
        yield ""

    @staticmethod
    def source_line(part):
        name = str(part.file or "")
        at = name.find("/studies/")  # of any checkout
        path = ROOT / name[at + 1:] if at >= 0 else None
        if path is None or not path.exists():
            return ""
        lines = path.read_text().splitlines()
        return lines[part.line - 1].strip()[:96] if 0 < part.line <= len(lines) else ""

    def accesses(self):
        """(place, access) of the dearest to global and to shared memory."""
        found = [access.dearest(self.main, space) for space in ("global", "shared")] if self.main else []
        return [(f"{pathlib.Path(file or '?').name}:{line}", each["access"]) for file, line, each in filter(None, found)]

    def diagnosis(self):
        """The limiter, why, and what is next, of the launch that takes longest."""
        if not self.main:
            return "No kernel of it ran on the emulator."
        launch, prediction = self.main, self.main.get("prediction") or {}
        limiter = RESOURCES.get(launch["limiter"], launch["limiter"]) if launch.get("limiter") else "no resource whose rate is known"
        floor = microseconds(launch["floor_seconds"]) if launch.get("floor_seconds") else None
        lead = f"its largest lower bound is {limiter}" + (f" ({floor} µs" if floor else "")
        if prediction.get("time_ns"):
            lead += f", of {microseconds(time_of(launch))} µs predicted)" if floor else f"; {microseconds(time_of(launch))} µs are predicted"
        else:
            lead += "); it has no predicted time" if floor else "; it has no predicted time"
        lines = [f"**Limiter:** {lead}."]
        waits = {name: value for name, value in prediction.get("stalls", {}).items() if name != "selected"}
        total = sum(prediction.get("stalls", {}).values())
        if waits and total:
            worst = max(waits, key=waits.get)
            what = WAITS.get(worst, worst.replace("_", " "))
            if worst == "short_scoreboard" and not reads_shared(launch):
                what = "special functions, conversions or the like"
            lines.append(f"**Its warps** spend {share(waits[worst] / total)} of their time waiting for {what}.")
        # Sizes are small, so that they run soon: that blocks are too few for an H200 is of the size, unless it is one block.
        advice = [each for each in launch.get("advice", []) if each.get("gain_ns") and (each["id"] != "few_blocks" or math.prod(launch["grid"]) == 1)]
        if advice:
            first = max(advice, key=lambda each: each["gain_ns"])
            gain = share(first["gain_ns"] / prediction["time_ns"]) if prediction.get("time_ns") else f"{microseconds(first['gain_ns'] / 1e9)} µs"
            lines.append(f"**Why:** {plain(first['text'])}. Mending it gains {gain} of the time, by the model. **Next:** {plain(first['next'])}.")
        else:
            lines.append("headroom has no advice for it.")
        return " ".join(lines)
