#!/usr/bin/env python3
"""Writes docs/schema/*.json, the JSON Schemas (2020-12) of what `--json` writes, from the tables below; counters come from
docs/counters.md, which the program writes.

    scripts/docs/schemas.py [--check]        --check: exit code 1 where a file is not what would be written

A table has a line a key: its name, its type, what it is; two spaces and more between them. A name that begins with ~ may be absent.
Types: str int num bool any; T? or null; [T] a list; {name} an object of the table of that name; 'a'|'b' one of these words.
tests/scripts/schemas.py compares them with real files both ways: each key that is written is named here, and the other way round.
"""
import json
import pathlib
import re
import sys

from sarif_tables import SARIF

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "schema"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

STALLS = ("selected not_selected wait long_scoreboard short_scoreboard barrier math_pipe_throttle lg_throttle mio_throttle "
          "dispatch_stall branch_resolving membar gmma imc_miss").split()
STATES = "'ran'|'stopped'|'refused'|'not_executed'|'measured'"
SHAPE = """
grid            [int]   blocks by x, y, z
block           [int]   threads by x, y, z
cluster         [int]?  blocks of a cluster by x, y, z; null: the launch asks for none
dynamic_shared  int     bytes a block
"""
COMMON = {
    "caveat": """
what    str  what is doubtful
cause   str  why; may be empty
advice  str  what to do; may be empty
""",
    "run_caveat": """
what     str    what is doubtful
cause    str    why; may be empty
advice   str    what to do; may be empty
kernels  [str]  those it is about; none: the run as a whole
""",
    "machine": """
name   str  what --machine takes
title  str  the GPU's name
""",
    "program": """
command     [str]  as it was started
exit_code   int    its own
signal      int?   that killed it
used_cuda   bool   some process loaded the CUDA runtime
cut_off     bool   a process left without writing its end
incomplete  bool   there was no room for a process's record
""",
    "party": """
use          str    load, store, atomic; of no kernel copy, fill, allocation, free
source       str    file:line
instruction  str    as it is printed
block        [int]  by x, y, z
thread       [int]  by x, y, z
~kernel      str    of another launch
""",
    "finding": """
kind         str      of fault, as illegal_global_load
kernel       str      demangled; empty: of the program's calls
source       str      file:line, or a line of the PTX
instruction  str      as it is printed
block        [int]    by x, y, z
thread       [int]    by x, y, z
address      str?     hexadecimal, where the fault is about one
what         str      one sentence
cuda_error   int      the code that a GPU gives; 0: none
~other       {party}  the other side, of two accesses in no order
~advice      str      what to do
~times       int      seen so often in this launch; absent: once
""",
}

RUN = COMMON | {
    "": """
schema             'headroom-run/2'  keys are added within one id, never renamed
headroom           str               the version that wrote it
program            {program}         what ran
machine            {machine}         that was imitated
launches           [{launch}]        in the order of the calls, process by process
event_times        int               times that the program read from events: no measurements
timing_loops       int               loops of Triton or Inductor that ran what they time once
predicted_events   bool              they are sums of predicted times, not of floors
transfers          [{transfer}]      summed by direction
unsupported_calls  [str]             API functions that only returned an error
findings           [{finding}]       faults of the program, of launches and of its calls
caveats            [{run_caveat}]    each once
totals             {totals}          of all launches
""",
    "transfer": """
direction  'host_to_device'|'device_to_host'|'device_to_device'|'memset'  of the bytes
calls      int  how many
bytes      int  moved
""",
    "totals": """
launches          int         all
launches_stopped  int         did not complete
launches_not_run  int         did not even begin
launches_repeated  int        taken from one before that did the same
kernels           int         different ones by name
floor_seconds     num         sum of the largest floors
executor_seconds  num         of the host
counters          {counters}  summed
""",
    "launch": """
index                 int            of the launch in its process
process               int            its number
executor_seconds      num?           of the host, not of a kernel
~same_as              int            place in launches of an earlier one that is the same but for the three keys above: nothing else stands here then
~kernel               str            demangled, with its parameters
~mangled              str            as in the image
~grid                 [int]          blocks by x, y, z
~block                [int]          threads by x, y, z
~cluster              [int]?         blocks of a cluster by x, y, z; null: the launch asks for none
~dynamic_shared       int            bytes a block
~carveout             int?           per cent of an SM's shared memory that the program prefers
~cooperative          bool           all blocks run at once
~engine               'machine'|'ptx'  what ran and was counted
~image                str            which PTX, or machine code of which architecture
~device               int            its number
~stream               int            its number; 0: the default one
~resources            {resources}    what the kernel takes
~counters             {counters}?    null: nothing was counted
~floor_seconds        num            the largest floor
~prediction           {prediction}?  of the time model; null: none
~advice               [{advice}]     the largest gain first
~ordered              bool           its blocks ran in a fixed order
~state                STATES         what became of it
~completed            bool           it ran to its end
~findings             [{finding}]    faults in it
~caveats              [{caveat}]     what is doubtful about it
~registers            int?           a thread
~mean_active_lanes    num            of 32
~occupancy            {occupancy}    how full an SM is
~floors               [{floor}]      the certain ones first, the largest first
~floors_unknown       [str]          resources whose fact the machine lacks
~limiter              str?           resource with the largest floor
~floor_basis          'exact'|'estimate'|null  of that floor
~certain_limiter      str?           the same of floors that rest on no estimate
~certain_seconds      num            its floor
~bound_by             str?           what it is bound by, or what its warps wait for most, as reports say it; null: nothing is predicted
~fits_l2              bool           what it touches fits the L2 cache
~useful_bytes         num            of global memory, that threads asked for
~moved_bytes          num            of sectors between L1 and L2
~unique_bytes         num            of distinct sectors read, and of distinct sectors written
~footprint_bytes      num            of distinct sectors
~arithmetic_intensity  num           FLOP a unique byte
~machine_balance      num?           FLOP a byte where compute and DRAM floors meet
~source               [{line}]       with --source
""",
    "resources": """
~registers      int         a thread
~static_shared  int         bytes a block
~stack          int         bytes a thread
~spill_stores   int         bytes a thread
~spill_loads    int         bytes a thread
~constant       int         bytes
~max_threads    int         of a block, by __launch_bounds__
~accesses_kept  bool        machine code has the accesses of the PTX
from            str         who said so
~caveats        [{caveat}]  about them
""",
    "prediction": """
time_ns          num        predicted
low_ns           num        least of its range
high_ns          num        most of its range
start_ns         num        of the time, until the first block runs and after the last
sm_cycles        num        of the busiest SM
ipc              num        warp instructions a cycle on an SM
bytes_in_flight  num        of global loads of an SM, on average
needed_bytes     num        that must be for its share of DRAM's bandwidth; 0: not known
dram_share       num        of the time between begin and end DRAM is busy with what an SM asks of it
dram_bytes       num        that DRAM moves, read and written; sectors that are alone in their lines take it longer than their bytes
~host_share      num        of the time between begin and end the link to the host is busy with what the SMs ask of it
~host_bytes      num        that it moves, read and written: memory of the host that kernels access
warps            int        resident on an SM
cycles_alone     num        a warp played alone issues once in so many; 0: not known
needed_warps     num        that would fill the issue slots; 0: not known
apart            {apart}?   each without the other; null: it has not both
lines            [{stalled}]  where warps spend most
~latency_bounds  [{latency_bound}]  what comes one after the other in it, the largest first
basis            str        what was played
stalls           {stalls}   cycles a warp spends so for each instruction
""",
    "apart": """
without_arithmetic_ns  num  without its floating-point arithmetic
without_memory_ns      num  without its accesses to global and local memory
overlap                num  how much of the shorter the longer hides, 0 … 1
""",
    "latency_bound": """
id       str  of what, as critical_path
time_ns  num  that it takes, with the start of the launch
text     str  in words
""",
    "stalled": """
file   str  path
line   int  its number
share  num  of the time that warps spend
most   str  what they do there most of it
""",
    "stalls": "".join(f"{name}  num  cycles an instruction\n" for name in STALLS),
    "advice": """
id       str         of the obstacle, as uncoalesced
gain_ns  num         that the model saves without it, of a launch
text     str         the obstacle, with its numbers
next     str         a change that removes it
file     str?        of the line that costs most
line     int?        its number
~then    [{advice}]  once it is gone: what gains more than it does alone; absent: nothing
""",
    "occupancy": """
blocks_per_sm  int        that fit
warps          int        of them
max_warps      int        of an SM
fraction       num        warps / max_warps
limiters       [str]      resources that stop the next block
limits         [{limit}]  each resource's
impossible     str?       why no block can run
""",
    "limit": """
resource       str   threads, warps, blocks, registers, shared memory
blocks         int?  that it allows; null: does not apply, or is not known
arithmetic     str   by hand
relief         str   the least change that admits one more block; empty: none
relief_blocks  int   an SM would hold then
""",
    "floor": """
resource  str                 as dram cold
seconds   num                 at least
basis     'exact'|'estimate'  an estimate rests on numbers of PTX
certain   bool                false: only under a condition that the equation names
equation  str                 with its numbers
""",
    "line": """
file          str?             path; null: the code does not tell
line          int?             its number
instructions  [{instruction}]  of it, by address
""",
    "instruction": """
address           int       from the beginning of the kernel
text              str       as it is printed
executed          int       times a warp executed it
~threads          int       active lanes of these warps, summed; absent: 0, as all of the rest
~threads_on       int       of these lanes, those whose guard holds
~divergent        int       times the lanes of a warp parted at it
~requests         int       to global and local memory
~sectors          int       of these requests, and of bulk copies
~shared_requests  int       accesses of shared memory
~wavefronts       int       passes through the banks
~conflicts        int       of these, beyond what the width needs
~stalls           {cycles}  that all warps of the launch spend at it, as predicted; absent: none, or no time was predicted
~access           {access}  one as it was: of all the first that cost most
""",
    "cycles": "".join(f"~{name}  int  absent: 0\n" for name in STALLS),
    "access": """
space       'global'|'shared'           memory
use         'load'|'store'|'atomic'     what the lanes do
bytes       int    a lane
lanes       int    that take part, a bit each
first       int    address of the first of them: global modulo 128, shared from the block's beginning
offsets     [int]  from it, of the lanes that take part
sectors     int    of global memory
wavefronts  int    of shared memory; of atomics not known, 0
conflicts   int    of them, beyond what the width needs
block       int    in the grid
warp        int    in the block
""",
}

TIMING = COMMON | {
    "": """
schema     'headroom-timing/1'  keys are added within one id, never renamed
headroom  str  the version that wrote it
program    {timed_program}      what ran
gpu        {gpu}                where
machine    {machine}?           whose facts give occupancy and floors
counters   str?                 the file of --counters
kernels    [{group}]            launches of one shape together
transfers  [{copies}]           copies of one kind together
caveats    [{caveat}]           what is doubtful
totals     {timed_totals}       of all launches
launches   [{timed_launch}]     in the order of the calls
copies     [{copy}]             in the order of the calls
""",
    "timed_program": """
command    [str]  as it was started
exit_code  int    its own
signal     int?   that killed it
processes  int    that used the GPU
""",
    "gpu": """
~id                  int  its number
name                 str  as the driver tells it
~compute_capability  num  as 9.0
~multiprocessors     int  SMs
~clock_mhz           num  the highest
~memory_bytes        int  of the device
~memory_bandwidth    num  bytes a second
~l2_bytes            int  of its cache
driver_version       int  as 13000
cupti_version        int  as 130001
""",
    "group": """
kernel         str              demangled
grid           [int]            blocks by x, y, z
block          [int]            threads by x, y, z
launches       int              of this shape
seconds        {distribution}?  null: no time is known
share          num              of the time of all kernels
joined         int              launches that counters were found for
floor_seconds  num?             the largest floor
limiter        str?             its resource
headroom       num?             measured time over the floor
useful_rate    num?             bytes a second that threads asked for
moved_rate     num?             bytes a second between L1 and L2
""",
    "distribution": """
count   int   of times
median  num   of them
least   num   of them
most    num   of them
total   num   their sum
spread  num?  the middle 80 % over the median; null: below three
""",
    "copies": """
direction  str   host_to_device …, peer_to_peer, memset
from       str   kind of memory
to         str   kind of memory
calls      int   how many
bytes      int   moved
seconds    num   together
rate       num?  bytes a second
""",
    "timed_totals": """
launches        int  all
kernels         int  different ones by name
kernel_seconds  num  together
""",
    "timed_launch": """
index             int                          of the launch in its process
kernel            str                          demangled
mangled           str                          as in the image
""" + SHAPE + """
carveout          int?                         not told by the profiling interface
cooperative       bool                         all blocks run at once
state             STATES                       measured, or stopped: its end was not seen
start             num?                         seconds from the first activity of all processes
seconds           num?                         measured
registers         int                          a thread
static_shared     int                          bytes a block
local_per_thread  int                          bytes
shared_carveout   int?                         bytes of an SM's shared memory
device            int                          its number
context           int                          its number
stream            int                          its number
in_graph          bool                         launched by a graph
process           int                          its number
occupancy         num?                         warps over those that an SM holds
joined            'no'|'by order'|'by shape'   how counters were found for it
floor_seconds     num?                         the largest floor
limiter           str?                         its resource
floor_basis       'exact'|'estimate'|null      of it
certain_seconds   num?                         of floors that rest on no estimate
useful_bytes      num?                         that threads asked for
moved_bytes       num?                         between L1 and L2
headroom          num?                         measured time over the floor
useful_rate       num?                         bytes a second
moved_rate        num?                         bytes a second
""",
    "copy": """
direction     str   host_to_device …, peer_to_peer, memset
from          str?  kind of memory
to            str?  kind of memory
bytes         int   moved
start         num?  seconds from the first activity of all processes
seconds       num?  measured
device        int   its number
to_device     int   its number
context       int   its number
stream        int   its number
asynchronous  bool  as it was called
in_graph      bool  of a graph
""",
}

CHECK = COMMON | {
    "": """
schema        'headroom-check/1'  keys are added within one id, never renamed
headroom  str  the version that wrote it
program       {program}           what ran
machine       {machine}           that was imitated
findings      [{distinct}]        each fault once
suppressed    [{distinct}]        known ones, by --suppressions
unused_rules  [str]               of --suppressions, that met nothing
not_checked   [{not_checked}]     classes that were asked for, and not looked for in some kernels
caveats       [{run_caveat}]      each once
totals        {check_totals}      of all launches
""",
    "not_checked": """
classes  [str]  of findings
kernels  [str]  by name
why      str    for people
""",
    "distinct": COMMON["finding"].replace("~times       int      seen so often in this launch; absent: once\n", "") + """
class     str  of faults, as --only takes it
times     int  seen in all launches
launches  int  in which it was seen
""",
    "check_totals": """
launches          int  all
launches_stopped  int  did not complete
launches_not_run  int  did not even begin
kernels           int  different ones by name
executor_seconds  num  of the host
""",
}

COMPARE = COMMON | {
    "": """
schema          'headroom-compare/1'  keys are added within one id, never renamed
headroom  str  the version that wrote it
old             {side}                the first record
new             {side}                the second record
kernels         [{compared}]          that are in both
only_old        [{alone}]             that only the first has
only_new        [{alone}]             that only the second has
caveats         [{caveat}]            what is doubtful
violations      [{violation}]         gates of --fail-if that hold
not_comparable  [str]                 gates that could not be asked, and why
""",
    "side": """
file               str     that was read
command            [str]   of the program
~machine           str?    that was imitated
~gpu               str?    where it ran; null: not told
profiled           bool    by Nsight Compute: only what was asked for is known
findings_of_calls  num?    of the program's calls
""",
    "shape": SHAPE,
    "compared": """
kernel        str           demangled
old           {shape}       of the first record
new           {shape}       of the second record
old_launches  int           of this shape
new_launches  int           of this shape
changed       bool          a figure differs, or a state, a shape, their number, or measured times beyond their spread
launches      [{pairs}]     launches with the same figures before, and the same after
measured      {measured}?   null: not measured
""",
    "pairs": """
launches   int         so many
old_state  STATES      of the first record
new_state  STATES      of the second record
changes    [{change}]  figures that differ
because    {change}?   the figure that moved the time
""",
    "change": """
figure   str   docs/compare.md names them
old      num?  null: not known
new      num?  null: not known
change   num?  new less old
percent  num?  of old; null where that is 0 or not known
""",
    "measured": """
old      {samples}                     of the first record
new      {samples}                     of the second record
p        num                           of the rank test
verdict  'tie'|'differ'|'too few'      what it says
""",
    "samples": """
count              int  of times
median_ns          num  of them
lower_quartile_ns  num  of them
upper_quartile_ns  num  of them
""",
    "alone": """
kernel    str      demangled
shape     {shape}  of its launches
launches  int      of this shape
""",
    "violation": """
gate      str       as it was given
kernel    str       demangled, or the program's calls
launches  int       so many; 0: of the program's calls
change    {change}  that holds
""",
}

DOCTOR = {
    "": """
schema    'headroom-doctor/1'  what this file is
headroom  str                  the version that wrote it
well      bool                 nothing is to be mended
checks    [{check}]            in the order of the text
""",
    "check": """
group  str                         headroom, CUDA toolkit, GPU, machine: a heading of the text
part   str                         what was looked for
state  'ok'|'none'|'missing'       none: not here, and not needed by what runs here
found  str                         what and where, or that it was not
costs  str                         what does not work without it; may be empty
mend   str                         what to do; may be empty
""",
}

SCHEMAS = {"run": (RUN, "what headroom run --json writes"), "timing": (TIMING, "what headroom run --gpu --json writes"),
           "check": (CHECK, "what headroom check --json writes"), "compare": (COMPARE, "what headroom compare --json writes"),
           "doctor": (DOCTOR, "what headroom doctor --json writes"), "sarif": (SARIF, "what --sarif writes of SARIF 2.1.0")}
PLAIN = {"str": "string", "int": "integer", "num": "number", "bool": "boolean"}


def type_of(text):
    if text == "STATES":
        text = STATES
    if text.endswith("?"):
        inner = type_of(text[:-1])
        if "type" in inner and set(inner) <= {"type", "items"}:
            return inner | {"type": [inner["type"], "null"]}
        return {"anyOf": [inner, {"type": "null"}]}
    if text in PLAIN:
        return {"type": PLAIN[text]}
    if text.startswith("["):
        return {"type": "array", "items": type_of(text[1:-1])}
    if text.startswith("{"):
        return {"$ref": "#/$defs/" + text[1:-1]}
    words = [None if word == "null" else word.strip("'") for word in text.split("|")]
    return {"const": words[0]} if len(words) == 1 else {"enum": words}


def object_of(table):
    properties, required = {}, []
    for line in table.strip().splitlines():
        if not line:
            continue
        name, kind, meaning = re.split(r"  +", line, maxsplit=2)
        if not name.startswith("~"):
            required.append(name)
        properties[name.lstrip("~")] = type_of(kind) | {"description": meaning}
    return {"type": "object", "properties": properties, "required": required}


def counters():
    """Every counter with its unit and meaning; those of machine code alone may be absent."""
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \| (.*?) \|", (ROOT / "docs" / "counters.md").read_text(), re.MULTILINE)
    table = "".join(f"{'~' if name.startswith(('pipe_', 'register_')) else ''}{name}  int  {unit}: {meaning}\n" for name, unit, meaning, _ in rows)
    return object_of(table)


def schema(name):
    tables, about = SCHEMAS[name]
    whole = {"$schema": DIALECT, "title": about} | object_of(tables[""])
    whole["$defs"] = {key: object_of(table) for key, table in sorted(tables.items()) if key}
    if name == "run":
        whole["$defs"]["counters"] = counters()
        full = [key for key in whole["$defs"]["launch"]["properties"] if key not in ("same_as", "source", "index", "process", "executor_seconds")]
        whole["$defs"]["launch"]["if"] = {"not": {"required": ["same_as"]}}
        whole["$defs"]["launch"]["then"] = {"required": full}
    return whole | {"$defs": reached(whole)}


def reached(whole):
    """Of its $defs those that it needs."""
    needed, found = set(), {"whole"}
    while found:
        part = {key: value for key, value in whole.items() if key != "$defs"} if "whole" in found else [whole["$defs"][key] for key in found]
        needed |= found
        found = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(part))) - needed
    return {key: value for key, value in whole["$defs"].items() if key in needed}


def main():
    wrong = 0
    for name in SCHEMAS:
        path, text = FOLDER / f"{name}.json", json.dumps(schema(name), indent=1, ensure_ascii=False) + "\n"
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{path.relative_to(ROOT)} is not what scripts/docs/schemas.py writes: run it, and read the diff")
            wrong = 1
    sys.exit(wrong)


if __name__ == "__main__":
    main()
