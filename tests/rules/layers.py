"""Rooms include only rooms below them: docs/layers.txt against every #include in src/."""
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
    for path in tree.files(root, (".h", ".cpp", ".inc")):
        if not path.startswith("src/"):
            continue
        room = path.split("/")[1]
        if room not in rooms:
            yield f"{path}: room {room} is not in docs/layers.txt"
            continue
        for number, line in enumerate(tree.lines(root, path), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            other = match[1].split("/")[0]
            if "/" not in match[1]:
                yield f"{path}:{number}: write the room: #include \"{room}/{match[1]}\""
            elif os.path.isdir(os.path.join(root, "src", other)) and other != room and other not in rooms[room]:
                yield f"{path}:{number}: room {room} may not include {match[1]}"


if __name__ == "__main__":
    tree.main(layers)
