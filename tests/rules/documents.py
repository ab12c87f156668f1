"""What *.md name is there, and what they quote of the code stands in it.

    [the tour](docs/tour.md)         a relative link: from the document's folder
    `src/ptx/parse.cpp`              a path in backticks that begins with a folder of the project: from the root;
                                     src/ptx/forms_*.cpp and src/sim/meaning/{float,half}.h stand for files that exist
    `parse` (`src/ptx/parse.cpp`)    a name with its file, also `parse` in `src/…`: the name stands there
    <!-- from: src/sim/warp.cpp -->  above a block of code: its lines stand in that file in this order; a line … skips
"""
import glob
import os
import re

import tree

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s#]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:src|docs|tests|machines|studies|scripts|cmake|results|bench|include|peers)/[^`\s]*)`")
NAMED = re.compile(r"`(\w+)`\s+(?:\(|in\s+)`(src/[^`\s*{]+)`")
QUOTE = re.compile(r"^<!-- from: (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
BRACES = re.compile(r"\{([^}]*)\}")


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def without_code(text):
    return FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)


def alternatives(path):
    """a/{b,c}.h -> a/b.h, a/c.h"""
    braces = BRACES.search(path)
    if not braces:
        return [path]
    return [way for each in braces[1].split(",") for way in alternatives(path.replace(braces[0], each, 1))]


def exists(root, path):
    return bool(glob.glob(os.path.join(root, path)))


def missing_links(root, document, text):
    for match in LINK.finditer(text):
        if re.match(r"[a-z]+:", match[1]):
            continue
        if not exists(root, os.path.join(os.path.dirname(document), match[1])):
            yield f"{document}:{line_of(text, match.start())}: links to {match[1]}, which is not there"


def missing_paths(root, document, text):
    for match in PATH.finditer(text):
        for path in alternatives(match[1]):
            if not exists(root, path):
                yield f"{document}:{line_of(text, match.start())}: names {path}, which is not there"


def missing_names(root, document, text):
    for match in NAMED.finditer(text):
        name, path = match.groups()
        if exists(root, path) and not re.search(rf"\b{name}\b", "\n".join(tree.lines(root, path))):
            yield f"{document}:{line_of(text, match.start())}: {path} has no {name}"


def squeezed(line):
    return " ".join(line.split())


def wrong_quotes(root, document, text):
    for match in QUOTE.finditer(text):
        if not exists(root, match[1]):
            yield f"{document}:{line_of(text, match.start())}: quotes {match[1]}, which is not there"
            continue
        source = iter([squeezed(line) for line in tree.lines(root, match[1])])
        for line in filter(None, map(squeezed, match[2].splitlines())):
            if line != "…" and line not in source:   # `in` goes on where the last line was found
                yield f"{document}:{line_of(text, match.start())}: {match[1]} has no line '{line}' here"
                break


def documents(root):
    for document in tree.files(root, (".md",)):
        text = "\n".join(tree.lines(root, document))
        prose = without_code(text)
        yield from missing_links(root, document, prose)
        yield from missing_paths(root, document, prose)
        yield from missing_names(root, document, prose)
        yield from wrong_quotes(root, document, text)


if __name__ == "__main__":
    tree.main(documents)
