"""Runs transcripts: commands, what they print and their exit code, in one file as a person would see them.

    # Anything that is no command is refused with what there is.
    $ headroom walk
    headroom: headroom: no command 'walk'
      hint: one of: run, occupancy, machine
    [125]

    python3 transcript.py --path build/release/bin [--rebase] FILE...

A command is one line for sh, run in an empty folder of the file's own (which its later commands share), with the
programs of --path and nvcc found first and $HERE the folder of the transcript. Standard output and standard error
stand together; what differs from machine to machine is written as <folder>, <here> or <version>. --rebase writes what happened into the
file: read the diff.
"""
import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

CUDA = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
DIFFERS = ((r"ptxas \d+(\.\d+)+", "ptxas <version>"), (r"emulator took \d+\.\d s", "emulator took <time> s"))
BLOCK = re.compile(r"^\$ .*\n(?:(?!\$ |\[\d+\]$).*\n)*\[\d+\]\n", re.MULTILINE)


def happened(command, folder, here, path):
    environment = {"PATH": f"{path}:{CUDA}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": folder, "TMPDIR": folder,
                   "HERE": here, "LC_ALL": "C.UTF-8", "CUDA_HOME": CUDA}
    result = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    text = result.stdout.decode("utf-8", "replace").replace(folder, "<folder>").replace(here, "<here>")
    for pattern, name in DIFFERS:
        text = re.sub(pattern, name, text)
    if text and not text.endswith("\n"):
        text += "\n"
    code = result.returncode if result.returncode >= 0 else 128 - result.returncode
    return f"$ {command}\n{text}[{code}]\n"


def play(text, here, path):
    """The transcript again, with what happens now in place of what was expected."""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        return BLOCK.sub(lambda block: happened(block[0].splitlines()[0][2:], folder, here, path), text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--path", required=True)
    parser.add_argument("--rebase", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    path = ":".join(os.path.realpath(folder) for folder in options.path.split(":"))
    different = 0
    for name in options.files:
        with open(name, encoding="utf-8") as file:
            expected = file.read()
        if not BLOCK.search(expected):
            sys.exit(f"{name}: no command in it: a block is '$ command', its output and '[exit code]'")
        now = play(expected, os.path.dirname(os.path.realpath(name)), path)
        if now == expected:
            continue
        different += 1
        sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), now.splitlines(True), name, "now"))
        if options.rebase:
            with open(name, "w", encoding="utf-8") as file:
                file.write(now)
    print(f"{len(options.files)} transcripts, {different} different" + (", rewritten" if options.rebase else ""))
    sys.exit(1 if different and not options.rebase else 0)


if __name__ == "__main__":
    main()
