"""The rungs of the studies' ladders: what each says of itself, and what the emulator counts of it.

A rung is a file of studies/<study>/ that begins with four lines and, after an empty one, a paragraph on what changed:

    // rung    coalesced
    // idea    consecutive threads take consecutive columns: a warp reads neighbours of B
    // expect  global_load_sectors / 6.6, global_store_sectors / 8 against naive
    // next    shared_tile: read each element of A and B once per block, not once per warp
    //
    // Only the numbering of threads differs: the fast index of the block now runs along a row of C, …

`expect` holds claims: a counter of `headroom run --json`, the factor by which it falls, and the rung that it is compared
with; or a counter and its value, as in "shared_load_conflicts = 0". Words around the claims are for the reader.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

STUDIES = pathlib.Path(__file__).resolve().parents[2] / "studies"
# The options with which a study runs one rung on the emulator, small; the rung's name follows.
CHOICE = {"copy": ["--occupancy", "6.25", "--bytes", "256K", "--variant"],
          "fft": ["--size", "1024", "--bytes", "4M", "--blocks", "1", "--rung"], "sgemm": ["--size", "256", "--rung"],
          "interval_move": ["--size", "100000", "--rung"], "merge_sort": ["--size", "50000", "--records", "pairs", "--rung"], "latency": ["--threads", "64", "--variant"], "registers": ["--warps", "4", "--chains", "4", "--variant"],
          "spills": ["--rung"],
          "nbody": ["--bodies", "1280", "--precision", "single", "--rung"]}
# What a page of docs/studies shows of a rung: large enough that every SM has work, small enough for a test.
PROFILE = {"copy": ["--occupancy", "6.25", "--bytes", "16M", "--variant"],
           "fft": ["--size", "1024", "--bytes", "16M", "--blocks", "1", "--rung"], "sgemm": ["--size", "2048x2048x64", "--rung"],
           "interval_move": ["--size", "1000000", "--rung"], "merge_sort": ["--size", "500000", "--records", "pairs", "--rung"],
           "latency": ["--threads", "256", "--steps", "16384", "--variant"],
           "registers": ["--warps", "16", "--chains", "4", "--steps", "4096", "--variant"],
           "nbody": ["--bodies", "4096", "--precision", "single", "--rung"]}
PARTS = ["rung", "idea", "expect", "next"]


@dataclass
class Rung:
    study: str
    file: pathlib.Path
    lines: dict        # the four lines, in the order in which they stand
    change: str        # the paragraph; "" where there is none

    @property
    def name(self):
        return self.file.stem

    @property
    def follower(self):
        """The rung that `next` leads to, or None: it names an idea."""
        found = re.match(r"(\w+):", self.lines.get("next", ""))
        return found[1] if found and found[1] != "none" else None

    @property
    def is_peer(self):
        """It stands beside the ladder: nothing builds on it."""
        return self.lines.get("idea", "").startswith("a peer")

    def claims(self):
        """(counter, factor, rung compared with) of every claim."""
        for factors, rung in re.findall(r"((?:\w+ / [\d.]+,? ?)+)against (\w+)", self.lines.get("expect", "")):
            for counter, factor in re.findall(r"(\w+) / ([\d.]+)", factors):
                yield counter, float(factor), rung

    def values(self):
        """(counter, value) of every claim that compares with no rung."""
        for counter, value in re.findall(r"(\w+) = (\d+)", self.lines.get("expect", "")):
            yield counter, int(value)

    def is_checked(self):
        """Whether tests/scripts/ladder.py holds any of it against the emulator."""
        return any(True for _ in self.claims()) or any(True for _ in self.values())


def read(study, file):
    text = file.read_text().splitlines()
    heads = [re.fullmatch(r"// (rung|idea|expect|next) +(.+)", line) for line in text[:4]]
    paragraph = []
    if text[4:5] == ["//"]:
        for line in text[5:]:
            if not line.startswith("//"):
                break
            paragraph.append(line[2:].strip())
    return Rung(study, file, {head[1]: head[2] for head in heads if head}, "\n".join(paragraph).strip())


def rungs(study):
    """{name: Rung} of the files that begin as a rung does; main.cu and what serves several rungs begin otherwise."""
    files = sorted((STUDIES / study).glob("*.cu"))
    return {file.stem: read(study, file) for file in files if file.read_text().startswith("// rung")}


def run(headroom, command, *options):
    """What `headroom run --json` says of the launches of a program."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        process = subprocess.run([headroom, "run", *(options or ["--no-model"]), "--report", "/dev/null", "--json", str(path), "--", *command],
                                 capture_output=True, text=True)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}\n{process.stdout}{process.stderr}")
        return run_record.read_run(path)["launches"]


def launches(headroom, programs, study, rung):
    """The launches of a rung, at the small size of CHOICE."""
    return run(headroom, [f"{programs}/{study}", "--seed", "1", *CHOICE[study], rung])


def profile(headroom, programs, study, rung):
    """(launches with predicted times, advice and every instruction; the study's own rows, whose times are the launches' floors)."""
    with tempfile.TemporaryDirectory() as folder:
        rows = pathlib.Path(folder) / "rows.json"
        found = run(headroom, [f"{programs}/{study}", "--seed", "1", "--json", str(rows), *PROFILE.get(study, CHOICE[study]), rung],
                    "--source", "--kernel", ".")
        return found, json.loads(rows.read_text())["rows"]


def counters(headroom, programs, study, rung):
    """The counters of all launches of a rung, added up."""
    total = {}
    for launch in launches(headroom, programs, study, rung):
        for name, count in launch["counters"].items():
            total[name] = total.get(name, 0) + count
    return total
