"""scripts/tidy on a made-up tree: what it finds, once; what it reads; what ends it."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Tidy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.entries = []
        for name in ("scripts/tidy", ".clang-tidy"):
            (self.root / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)

    def source(self, path, text, options="", compiled=True):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        if compiled:
            self.entries.append({"directory": str(self.root), "file": str(file), "command": f"c++ {options} -o a.o -c {file}"})
        return file

    def tidy(self, *words, **environment):
        build = self.root / "build" / "release"
        build.mkdir(parents=True, exist_ok=True)
        (build / "compile_commands.json").write_text(json.dumps(self.entries))
        done = subprocess.run([sys.executable, self.root / "scripts" / "tidy", *words], cwd=self.root, text=True,
                              env={**os.environ, "HEADROOM_CACHE": str(self.root / "cache"), "PATH": f"{self.root}:{os.environ['PATH']}", **environment},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def test_what_is_wrong_is_a_line_and_the_last_line_counts(self):
        self.source("src/base/a.cpp", "int whole(double of) { return int(of + 0.5); }\n")
        self.source("studies/b.cpp", "int other(double of) { return int(of + 0.5); }\n")   # is no room
        code, lines, _ = self.tidy()
        self.assertEqual((code, len(lines)), (1, 2), lines)
        self.assertRegex(lines[0], r"^src/base/a\.cpp:1:35: warning: .* \[bugprone-incorrect-roundings\]$")
        self.assertRegex(lines[1], r"^tidy: 1 finding in 1 source, \d+ s$")

    def test_gcc_s_options_and_its_warnings_are_no_findings(self):
        self.source("src/base/a.cpp", "int nothing(int of) { return of & 1 == 0; }\n",
                    "-Wall -Wno-such-warning --param=inline-unit-growth=1000 -std=c++20")
        code, lines, _ = self.tidy()
        self.assertEqual((code, len(lines)), (0, 1), lines)
        self.assertRegex(lines[0], r"^tidy: no findings in 1 source, ")

    def test_files_compiled_together_are_read_as_one(self):
        header = self.source("src/sim/both.h", "inline int whole(double of) { return int(of + 0.5); }\n", compiled=False)
        files = [self.source(f"src/sim/{name}.cpp", f'#include "{header}"\nint {name}() {{ return 0; }}\n', compiled=False)
                 for name in ("one", "two", "three")]
        header.write_text("#pragma once\n" + header.read_text())
        for number, parts in enumerate((files[:2], files[2:])):
            self.source(f"build/release/src/sim/Unity/unity_{number}_cxx.cxx", "".join(f'#include "{part}"\n' for part in parts))
        code, lines, _ = self.tidy()
        self.assertEqual((code, len(lines)), (1, 2), lines)
        self.assertIn("src/sim/both.h:2:", lines[0])
        self.assertIn("in 3 sources", lines[1])
        self.assertIn("in 1 source,", self.tidy("src/sim/two.cpp")[1][-1])

    def test_what_is_compiled_for_several_instruction_sets_is_read_once_and_not_when_quick(self):
        for name in ("portable", "avx2"):
            self.source("src/sim/lanes/a.cpp", "int lanes();\n", f"-DHEADROOM_ISA={name}")
        self.assertIn("in 1 source,", self.tidy()[1][-1])
        self.assertIn("in 0 sources", self.tidy("--quick")[1][-1])

    def test_a_file_that_does_not_compile_is_a_finding(self):
        self.source("src/base/a.cpp", "int half(\n")
        code, lines, _ = self.tidy()
        self.assertEqual(code, 1)
        self.assertIn("[clang-diagnostic-error]", lines[0])

    def test_what_was_said_of_a_text_is_said_again_and_of_another_anew(self):
        reader = self.root / "clang-tidy"   # the first in PATH
        reader.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>{self.root}/calls\nPATH=${{PATH#*:}} exec clang-tidy "$@"\n')
        reader.chmod(0o755)
        read = lambda: (self.root / "calls").read_text().count("--quiet")
        source = self.source("src/base/a.cpp", "int whole(double of) { return int(of + 0.5); }\n")
        first = self.tidy()[1][0]
        self.assertEqual((self.tidy()[1][0], read()), (first, 1))
        source.write_text(source.read_text().replace("; }", "; }  // NOLINT"))
        self.assertEqual((len(self.tidy()[1]), read()), (1, 2))
        rules = self.root / ".clang-tidy"
        rules.write_text(rules.read_text().replace("  readability-string-compare", "  readability-else-after-return"))
        self.assertEqual((len(self.tidy()[1]), read()), (1, 3))

    def test_without_a_home_nothing_is_kept_and_nothing_is_said_of_it(self):
        self.source("src/base/a.cpp", "int a();\n")
        code, lines, said = self.tidy(HOME="", XDG_CACHE_HOME="", HEADROOM_CACHE="")
        self.assertEqual((code, len(lines), said), (0, 1, ""))
        self.assertEqual([str(path) for path in self.root.rglob("tidy") if path.is_dir()], [str(self.root / "build/release/tidy")])

    def test_a_name_that_is_no_source_ends_it(self):
        self.source("src/base/a.cpp", "int a();\n")
        code, lines, said = self.tidy("src/base/b.cpp")
        self.assertEqual((code, lines), (1, []))
        self.assertEqual(said, "tidy: src/base/b.cpp is no source of src/ or lab/ that is compiled\n")


if __name__ == "__main__":
    unittest.main()
