"""What a profiler measured, as rows: one a launch, with the columns program, launch, kernel, block, grid and the
names of Nsight Compute's metrics. A file comes in one of two forms.

A table, whose lines that begin with # are comments:

    program,launch,kernel,block,grid,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,…
    entropy,1,"void entropy_opt<16, 16>","(16, 16, 1)","(8, 8, 1)",20912,…

What `ncu --csv --page raw` prints, the program's own lines before it, a row of units below the names; the program is
the process, or the file where all processes are called main, and launches are numbered as they come. Kernels have lost their namespaces there, all but the end of `<unnamed>::`:

    "ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",…
    "","","","","","","","","",…,"sector",…
    "0","967","sgemm","127.0.0.1","naive_kernel(Problem)","1","7","(32, 32, 1)","(8, 8, 1)",…
"""
import collections
import csv
import re
import sys


def plain_name(kernel):
    """The kernel's name as both sides can spell it: no return type, no parameters, no literal suffixes or casts."""
    name = re.sub(r"\([\w: ]+\)(?=-?\d)", "", kernel)
    depth = 0
    for position, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0 and not name.startswith("(anonymous namespace)", position):
            name = name[:position]
            break
    name = re.sub(r"\b(\d+)[uUlL]+\b", r"\1", name)
    name = name.replace("true", "1").replace("false", "0").replace("> >", ">>").replace("> >", ">>")
    return re.sub(r"^void ", "", name).strip()


def shape(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def unqualified(name):
    """Without namespaces, in the kernel's template arguments too."""
    return re.sub(r"(\w+|\(anonymous namespace\))::", "", name)


def raw_rows(lines, file):
    """Rows of the raw form, under the names of the table."""
    launches = collections.Counter()
    for row in csv.DictReader(lines):
        if not row["ID"]:
            continue   # the units
        program = row["Process Name"] if row["Process Name"] != "main" else file
        yield row | {"program": program, "launch": launches[program], "kernel": row["Kernel Name"].replace("unnamed>::", ""),
                     "block": row["Block Size"], "grid": row["Grid Size"], "unqualified": True}
        launches[program] += 1


def read_profile(path):
    lines = path.read_text().splitlines()
    raw = next((number for number, line in enumerate(lines) if line.startswith('"ID","Process ID"')), None)
    if raw is not None:
        return list(raw_rows(lines[raw:], path.stem))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    missing = {"program", "launch", "kernel", "block", "grid"} - set(rows[0] if rows else ())
    if missing:
        sys.exit(f"compare_profiler.py: {path}: no column {', '.join(sorted(missing))}")
    return rows
