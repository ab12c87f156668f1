"""The man page and the completions name every command and option, and shells take them.

    generated.py HEADROOM
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HEADROOM = str(pathlib.Path(sys.argv.pop()).resolve())
COMMANDS = ("run", "check", "compare", "occupancy", "machine measure")


def headroom(*words):
    return subprocess.run([HEADROOM, *words], check=True, capture_output=True, text=True).stdout


def options(command):
    return re.findall(r"(--[a-z-]+)", "\n".join(line[:28] for line in headroom(*command.split(), "--help").splitlines()))


class Generated(unittest.TestCase):
    def completed(self, *words):
        """What bash offers for the last word."""
        with tempfile.NamedTemporaryFile("w") as script:
            script.write(headroom("generate", "bash"))
            script.flush()
            array = " ".join(f"'{word}'" for word in ("headroom", *words))
            ask = f"source {script.name}; COMP_WORDS=({array}); COMP_CWORD={len(words)}; _headroom; echo \"${{COMPREPLY[*]}}\""
            return subprocess.run(["bash", "--norc", "-c", ask], check=True, capture_output=True, text=True).stdout.split()

    def test_every_option_stands_in_every_file(self):
        for kind in ("man", "bash", "zsh", "fish"):
            text = headroom("generate", kind).replace("\\-", "-")
            for command in COMMANDS:
                for option in options(command):
                    self.assertIn(f"-l {option[2:]} " if kind == "fish" else option, text, (kind, command))

    def test_bash_completes_commands_options_and_machines(self):
        self.assertIn("occupancy", self.completed(""))
        self.assertEqual(self.completed("compa"), ["compare"])
        self.assertEqual(sorted(self.completed("machine", "")[:3]), ["list", "measure", "show"])
        self.assertEqual(self.completed("run", "--sched"), ["--scheduling"])
        self.assertEqual(self.completed("run", "--machine", "h1"), ["h100"])
        self.assertEqual(self.completed("machine", "show", "a6"), ["a6000"])

    def test_after_two_dashes_and_for_files_bash_is_left_alone(self):
        self.assertEqual(self.completed("run", "--", "--mach"), [])
        self.assertEqual(self.completed("run", "--report", ""), [])

    def test_other_shells_and_groff_take_them(self):
        for kind, check in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "-n"]), ("man", ["groff", "-man", "-ww", "-z", "-K", "utf8"])):
            if shutil.which(check[0]):
                result = subprocess.run([*check, "/dev/stdin"], input=headroom("generate", kind), capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""), kind)

    def test_another_kind_is_refused(self):
        result = subprocess.run([HEADROOM, "generate", "tcsh"], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (125, "headroom: generate: no 'tcsh' is made\n  hint: one of: man, bash, zsh, fish\n"))


if __name__ == "__main__":
    unittest.main()
