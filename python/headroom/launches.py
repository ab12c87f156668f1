"""The launches of this process, read from the record that the emulator writes while they run (src/record/writer.h).

    seen = Launches()                 from now on
    kernel[grid](…)
    seen[0].kernel, seen[0].counters["global_load_sectors"]
"""
from __future__ import annotations

import collections.abc
import contextlib
import dataclasses
import difflib
import glob
import json
import os


class Counters(dict):
    """By the names of docs/counters.md; empty where the launch did not run to its end, and where `headroom check` runs it."""

    def __missing__(self, name):
        if is_checking():
            raise KeyError(f"no {name!r}: headroom check looks for faults and counts nothing; headroom run does")
        near = difflib.get_close_matches(name, self, 1)
        raise KeyError(
            f"no counter is called {name!r}" + (f": did you mean {near[0]!r}?" if near else "")
            if self
            else f"no {name!r}: the launch did not run to its end, and counted nothing"
        )


@dataclasses.dataclass(frozen=True)
class Launch:
    """One launch. Times are of the machine that is imitated, in seconds; a time is None where it is not known. `record` has
    all that the emulator tells of it, as `headroom run --json` names it."""

    kernel: str
    grid: tuple
    block: tuple
    counters: Counters
    registers: int | None
    predicted_seconds: float | None
    floor_seconds: float | None
    state: str  # ran, stopped, refused
    findings: tuple
    record: dict = dataclasses.field(repr=False)


def is_running():
    """Whether `headroom run` started this process, and CUDA is the emulator's."""
    return bool(os.environ.get("HEADROOM_RECORD"))


def is_checking():
    return os.environ.get("HEADROOM_CHECK", "0") != "0"


class Record:
    """The file that this process writes, read as it grows: what is told once is remembered by its number."""

    MOST_KEPT = 256  # shapes and outcomes; then their numbers begin again

    def __init__(self):
        self.process = os.getpid()
        self.file = None
        self.rest = b""
        self.names, self.shapes, self.outcomes = [], [], []
        self.watchers = []

    def open(self):
        # A process that became another program by exec has several: the last one is its own.
        paths = glob.glob(glob.escape(f"{os.environ.get('HEADROOM_RECORD', '')}.{self.process}") + ".*jsonl")
        paths = [path for path in paths if "incomplete" not in path]
        if paths:
            self.file = open(max(paths, key=lambda path: (len(path), path)), "rb", buffering=0)

    def read(self):
        if self.file is None:
            self.open()
        if self.file is None:
            return
        room = self.file.read()  # zeros, behind what is written so far
        written = room.rstrip(b"\0")
        self.file.seek(len(written) - len(room), os.SEEK_CUR)
        *lines, self.rest = (self.rest + written).split(b"\n")
        for line in lines:
            self.take(json.loads(line))

    def take(self, line):
        if "launch" in line:
            shape, outcome, _ = line["launch"]
            launch = self.launch(self.shapes[shape], self.outcomes[outcome])
            for watcher in self.watchers:
                watcher.all.append(launch)
        elif "shape" in line:
            self.keep(self.shapes, line["shape"])
        elif "outcome" in line:
            self.keep(self.outcomes, line["outcome"])
        elif "counters" in line:
            self.names = line["counters"]

    def keep(self, known, what):
        if len(known) == self.MOST_KEPT:
            known.clear()
        known.append(what)

    def launch(self, shape, outcome):
        record = {**shape, **outcome}
        ran, prediction = record["state"] == "ran", record.get("prediction")
        record["counters"] = Counters(zip(self.names, outcome["counters"]) if ran and not is_checking() else ())
        return Launch(
            kernel=record["kernel"],
            grid=tuple(record["grid"]),
            block=tuple(record["block"]),
            counters=record["counters"],
            registers=(record.get("resources") or {}).get("registers"),
            predicted_seconds=prediction["time_ns"] * 1e-9 if prediction else None,
            floor_seconds=record.get("floor_seconds"),
            state=record["state"],
            findings=tuple(record.get("findings") or ()),
            record=record,
        )


_record = None


def _own_record():
    global _record
    if _record is None or _record.process != os.getpid():  # a forked process writes one of its own
        _record = Record()
    return _record


class Launches(collections.abc.Sequence):
    """The launches since it was made, a list that grows with them."""

    def __init__(self):
        self.all = []
        self.record = _own_record()
        self.record.read()
        self.record.watchers.append(self)

    def stop(self):
        self.record.read()
        self.record.watchers.remove(self)

    def __getitem__(self, index):
        if self in self.record.watchers:
            self.record.read()
        return self.all[index]

    def __len__(self):
        if self in self.record.watchers:
            self.record.read()
        return len(self.all)

    def __eq__(self, other):
        return self is other

    __hash__ = None


@contextlib.contextmanager
def launches():
    """The launches inside the `with`."""
    seen = Launches()
    try:
        yield seen
    finally:
        seen.stop()
