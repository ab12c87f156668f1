"""Files stay short and finished: at most 600 lines, a comment at the top, no words of unfinished work."""
import re

import tree

MOST_LINES = 600
# Written apart, so that this file does not speak them. (A kernel's host stub is CUDA's own word.)
UNFINISHED = re.compile("|".join((r"\bTO" r"DO\b", r"\bFIX" r"ME\b", r"\bXX" r"X\b", r"\bHA" r"CK\b", r"\bst" r"ubbed\b",
                                  r"\bdum" r"my\b", r"\bfor n" r"ow\b", r"\bplace" r"holder\b")), re.IGNORECASE)


def opens_with_comment(lines):
    first = next((line for line in lines if line.strip() and not line.startswith("#!")), "")
    return first.startswith(("//", "/*", "#", '"""'))


def shape(root):
    for path in tree.files(root):
        lines = tree.lines(root, path)
        if len(lines) > MOST_LINES:
            yield f"{path}: {len(lines)} lines, {MOST_LINES} are the most"
        if path.startswith(("src/", "include/")) and path.endswith((".h", ".cuh")) and not opens_with_comment(lines):
            yield f"{path}:1: a comment at the top says what the file is"
        for number, line in enumerate(lines, 1):
            if found := UNFINISHED.search(line):
                yield f"{path}:{number}: '{found[0]}' is unfinished work or says nothing"


if __name__ == "__main__":
    tree.main(shape)
