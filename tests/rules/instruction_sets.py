"""Code compiled for one instruction set stays there: the linker must not choose it for another processor.

    python3 instruction_sets.py NAME OBJECT…      run.cpp.o: std::string::append(char const*) is code of avx2 for all

Of an inline function outside the namespaces of its set the linker keeps any one copy, perhaps one this processor
cannot run. Data such as type names are the same in all copies.
"""
import os
import re
import subprocess

import tree

SYMBOL = re.compile(r"^[0-9a-f]+ ([A-Za-z]) (.*)$")


def instruction_sets(isa, *objects):
    for path in objects:
        listing = subprocess.run(["nm", "-C", "--defined-only", path], check=True, capture_output=True, text=True).stdout
        for kind, name in (SYMBOL.match(line).groups() for line in listing.splitlines()):
            if kind == "W" and f"headroom::sim::{isa}::" not in name and f"meaning_{isa}::" not in name:
                yield f"{os.path.basename(path)}: {name} is code of {isa} for all"


if __name__ == "__main__":
    tree.main(instruction_sets)
