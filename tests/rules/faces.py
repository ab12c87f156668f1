"""Only the faces speak an API: no other room includes CUDA's headers or names what a face has, so that the device stays
the same whatever API a program is written to. gpu/ measures through CUPTI and may include that.

    python3 faces.py ROOT      src/device/session.h:9: room device may not include cuda_runtime_api.h: translate it in a face
                               src/device/session.h:25: room device may not name cudart: translate it in a face
"""
import re

import tree

FACES = {"cudart", "driver"}
INCLUDE = re.compile(r"\s*#\s*include\s+[<\"]((?:cu|nv)\w+\.hp?p?|(?:driver|vector|texture|surface|device|library|builtin)_types\.h|"
                     r"channel_descriptor\.h|crt/\w+\.h)[>\"]")
NAMED = re.compile(r"\b(cudart|driver)\s*::|\bnamespace\s+headroom::(cudart|driver)\b")
ALLOWED = {"gpu": {"cupti.h"}}


def faces(root):
    for path in tree.files(root, (".h", ".cpp", ".inc")):
        folders = path.split("/")
        if folders[0] != "src" or folders[1] in FACES:
            continue
        room = folders[1]
        for number, line in enumerate(tree.lines(root, path), 1):
            if (found := INCLUDE.match(line)) and found[1] not in ALLOWED.get(room, ()):
                yield f"{path}:{number}: room {room} may not include {found[1]}: translate it in a face"
            if found := NAMED.search(line.split("//")[0]):
                yield f"{path}:{number}: room {room} may not name {found[1] or found[2]}: translate it in a face"


if __name__ == "__main__":
    tree.main(faces)
