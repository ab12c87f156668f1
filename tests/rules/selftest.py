"""The rules themselves: on a small made-up tree with one fault each, every rule complains about exactly that."""
import os
import subprocess
import sys
import tempfile
import unittest

import documents
import faces
import format
import headers
import layers
import shape
import subjects


def tree_of(files):
    folder = tempfile.TemporaryDirectory()
    for path, text in files.items():
        place = os.path.join(folder.name, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
    return folder


LAYERS = {"docs/layers.txt": "# rooms\nupper: lower\nlower:\n", "src/lower/a.h": "// a\n",
          "src/upper/b.h": "// b\n#include \"lower/a.h\"\n"}


class Rules(unittest.TestCase):
    def complaints(self, rule, files, *arguments):
        with tree_of(files) as root:
            return list(rule(root, *arguments))

    def test_a_room_may_include_what_is_below(self):
        self.assertEqual(self.complaints(layers.layers, LAYERS), [])

    def test_a_room_may_not_include_what_is_above(self):
        files = LAYERS | {"src/lower/c.cpp": "\n#include \"upper/b.h\"\n"}
        self.assertEqual(self.complaints(layers.layers, files), ["src/lower/c.cpp:2: room lower may not include upper/b.h"])

    def test_rooms_below_each_other_are_found(self):
        files = LAYERS | {"docs/layers.txt": "upper: lower\nlower: upper\n"}
        self.assertEqual([c for c in self.complaints(layers.layers, files) if "each other" in c],
                         ["docs/layers.txt: upper and lower stand below each other", "docs/layers.txt: lower and upper stand below each other"])

    def test_a_permission_that_nobody_uses_is_found(self):
        files = LAYERS | {"docs/layers.txt": "upper: middle lower\nmiddle: lower\nlower:\n", "src/middle/m.h": "// m\n#include \"lower/a.h\"\n"}
        self.assertEqual(self.complaints(layers.layers, files),
                         ["docs/layers.txt: no file of upper includes one of middle: take the permission away"])

    def test_a_room_that_nobody_planned_is_found(self):
        self.assertEqual(len(self.complaints(layers.layers, LAYERS | {"src/attic/d.h": "// d\n"})), 1)

    def test_only_faces_speak_an_api(self):
        files = {"src/cudart/a.h": "#include <cuda_runtime_api.h>\n", "src/gpu/b.h": "#include <cupti.h>\n",
                 "src/device/good.h": "// cudart::call, as people say\n#include <cstdio>\nint cudaLike;\n",
                 "src/device/header.h": "#include <driver_types.h>\n", "src/sim/driver.h": "\n#include <cuda.h>\n",
                 "src/device/name.h": "namespace headroom::cudart {\nstruct Node;\n}\ncudart::Node* node;\n"}
        self.assertEqual([c.split(": ")[0] + " " + c.split()[-6] for c in self.complaints(faces.faces, files)],
                         ["src/device/header.h:1 driver_types.h:", "src/device/name.h:1 cudart:", "src/device/name.h:4 cudart:",
                          "src/sim/driver.h:2 cuda.h:"])

    def test_a_header_that_needs_another_first_is_found(self):
        files = {"src/a/good.h": "#include <vector>\nstd::vector<int> x;\n", "src/a/bad.h": "std::vector<int> y;\n"}
        found = self.complaints(headers.headers, files, os.environ.get("CXX", "g++"))
        self.assertEqual([c.split(":")[0] for c in found], ["src/a/bad.h"])

    def test_a_header_that_only_its_user_makes_compile_is_found(self):
        files = {"src/a/base.h": "#include <vector>\n", "src/a/bad.h": "std::vector<int> y;\n",
                 "src/a/user.h": '#include "a/base.h"\n#include "a/bad.h"\n', "src/a/last.h": '#include "a/user.h"\n'}
        found = self.complaints(headers.headers, files, os.environ.get("CXX", "g++"))
        self.assertEqual([c.split(":")[0] for c in found], ["src/a/bad.h"])

    def test_headers_are_read_in_chains_of_what_includes_them(self):
        files = {"src/a/one.h": "", "src/a/two.h": '#include "a/one.h"\n', "src/a/three.h": '#include "a/two.h"\n', "src/a/other.h": '#include "a/one.h"\n'}
        with tree_of(files) as root:
            found = list(headers.chains(root, sorted(files)))
        self.assertEqual((len(found), sorted(sum(found, []))), (2, sorted(files)))
        order = ["src/a/one.h", "src/a/two.h", "src/a/three.h"]
        for chain in found:
            self.assertIn(chain, [order, order[:2], order[1:], ["src/a/one.h", "src/a/three.h"], ["src/a/one.h", "src/a/other.h"],
                                  ["src/a/two.h"], ["src/a/three.h"], ["src/a/other.h"]])

    def test_what_users_include_is_compiled_by_older_and_newer_standard(self):
        files = {"include/a/good.h": "#include <vector>\nstd::vector<int> x;\n",
                 "include/a/b/new.h": "#include <span>\nstd::span<int> y;\n",
                 "include/a/old.h": "inline int concept = 0;\n"}
        found = self.complaints(headers.headers, files, os.environ.get("CXX", "g++"))
        self.assertEqual([c.split(":")[0] for c in found], ["include/a/b/new.h", "include/a/old.h"])

    def test_a_header_for_the_gpu_goes_through_nvcc_if_it_is_there(self):
        files = {"include/a/kernel.cuh": "__global__ void kernel();\n"}
        self.assertEqual(self.complaints(headers.headers, files, "g++", "--nvcc", "/bin/true"), [])
        found = self.complaints(headers.headers, files, "g++", "--nvcc", "/bin/false")
        self.assertEqual([c.split(":")[0] for c in found], ["include/a/kernel.cuh"] * 2)

    def test_long_files_unfinished_words_and_missing_comments_are_found(self):
        files = {"src/a/long.cpp": "\n" * 601, "src/a/word.cpp": "// TO" "DO later\n", "src/a/bare.h": "int x;\n",
                 "src/a/good.h": "// stubborn words may stay\n"}
        found = self.complaints(shape.shape, files)
        self.assertEqual([c.split(":")[0] for c in found], ["src/a/bare.h", "src/a/long.cpp", "src/a/word.cpp"])

    def test_a_file_that_clang_format_would_change_is_found(self):
        files = {".clang-format": "BasedOnStyle: Google\n", "src/a/good.cpp": "int a = 1;\n", "src/a/bad.cu": "int  a=1;\n"}
        self.assertEqual(self.complaints(format.format, files), ["src/a/bad.cu: is not formatted: clang-format -i src/a/bad.cu"])

    def test_subjects_name_their_room_and_are_short(self):
        def git(*words):
            return subprocess.run(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True,
                                  capture_output=True, text=True).stdout.strip()
        with tree_of({"a": ""}) as root:
            git("init", "-q")
            for subject in ("Old way", "sim: new way", "No room", "sim: " + "a" * 68, "tests, docs: two rooms", "scripts/docs: a folder"):
                git("commit", "-q", "--allow-empty", "-m", subject)
            first = git("rev-list", "--max-parents=0", "HEAD")
            self.assertEqual([c.split(": ", 1)[1] for c in subjects.subjects(root, first)],
                             [f"'sim: {'a' * 68}' has 73 characters, 72 are the most", "'No room' is not 'room: what'"])
            self.assertEqual(list(subjects.subjects(root, "0" * 40)), [])   # a clone without its history
        with tree_of({"a": ""}) as root:
            self.assertEqual(list(subjects.subjects(root, first)), [])      # no clone at all

    def test_documents_name_what_is_there(self):
        code = "```cpp\nint b;\n…\nint a;\n```\n"
        files = {"src/a/good.cpp": "int a;\nint b;\nint c;\n", "docs/good.md": "[up](../src/a/good.cpp#L1) `src/a/{good,g*d}.cpp`\n`a` (`src/a/good.cpp`)\n",
                 "docs/name.md": "`b` in\n`src/a/good.cpp`, `e` in `src/a/good.cpp`\n",
                 "docs/gone.md": "one\n[gone](good.cpp) and `src/a/gone.cpp`\n",
                 "docs/order.md": "<!-- from: src/a/good.cpp -->\n" + code}
        found = self.complaints(documents.documents, files)
        self.assertEqual([c.split(": ")[0] for c in found], ["docs/gone.md:2", "docs/gone.md:2", "docs/name.md:2", "docs/order.md:1"])


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
