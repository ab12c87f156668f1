"""Rooms include only rooms below them: docs/layers.txt against every #include in src/ and lab/, and no permission that nobody uses.

    python3 layers.py ROOT      src/ptx/parse.cpp:3: room ptx may not include kernel/kernel.h
                                docs/layers.txt: no file of report includes one of machine: take the permission away
"""
import os
import re

import tree

INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def read_layers(root):
    """{"report": {"model", "record", …}} from lines such as `report: model record`."""
    rooms = {}
    for line in tree.lines(root, "docs/layers.txt"):
        if line.strip() and not line.startswith("#"):
            room, below = line.split(":")
            rooms[room.strip()] = set(below.split())
    return rooms


def cycles(rooms):
    for room, below in rooms.items():
        for other in below:
            if room in rooms.get(other, set()) or room == other:
                yield f"docs/layers.txt: {room} and {other} stand below each other"


def layers(root):
    rooms = read_layers(root)
    yield from cycles(rooms)
    used = set()
    for path in tree.files(root, (".h", ".cpp", ".inc")):
        folders = path.split("/")
        if folders[0] not in ("src", "lab"):
            continue
        room = folders[1] if folders[0] == "src" else "lab"
        if room not in rooms:
            yield f"{path}: room {room} is not in docs/layers.txt"
            continue
        for number, line in enumerate(tree.lines(root, path), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            other = match[1].split("/")[0]
            used.add((room, other))
            if "/" not in match[1]:
                yield f"{path}:{number}: write the room: #include \"{room}/{match[1]}\""
            elif (other in rooms or os.path.isdir(os.path.join(root, "src", other))) and other != room and other not in rooms[room]:
                yield f"{path}:{number}: room {room} may not include {match[1]}"
    for room, below in rooms.items():
        for other in sorted(below):
            if (room, other) not in used:
                yield f"docs/layers.txt: no file of {room} includes one of {other}: take the permission away"


if __name__ == "__main__":
    tree.main(layers)
