"""Runs transcripts: commands, what they print and their exit code, in one file as a person would see them.

    # Anything that is no command is refused with what there is.
    $ headroom walk
    headroom: headroom: no command 'walk'
      hint: one of: run, occupancy, machine
    [125]

    python3 transcript.py --path build/release/bin [--rebase] FILE...

A command is one line for sh, run in an empty folder of the file's own (which its later commands share), with the
programs of --path found first. Standard output and standard error stand together; what may differ from machine to
machine is written as <folder>, <bin> and <cuda>. --rebase writes what happened into the file: read the diff.
"""
import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^\$ .*\n(?:(?!\$ |\[\d+\]$).*\n)*\[\d+\]\n", re.MULTILINE)


def happened(command, folder, path):
    environment = {"PATH": path + ":/usr/local/bin:/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "LC_ALL": "C.UTF-8",
                   "BIN": path, "CUDA_HOME": os.environ.get("CUDA_HOME", "/usr/local/cuda")}
    result = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    text = result.stdout.decode("utf-8", "replace")
    for place, name in ((folder, "<folder>"), (path, "<bin>"), (environment["CUDA_HOME"], "<cuda>")):
        text = text.replace(place, name)
    if text and not text.endswith("\n"):
        text += "\n"
    code = result.returncode if result.returncode >= 0 else 128 - result.returncode
    return f"$ {command}\n{text}[{code}]\n"


def play(text, path):
    """The transcript again, with what happens now in place of what was expected."""
    with tempfile.TemporaryDirectory() as folder:
        return BLOCK.sub(lambda block: happened(block[0].splitlines()[0][2:], os.path.realpath(folder), path), text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--path", required=True)
    parser.add_argument("--rebase", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    different = 0
    for name in options.files:
        with open(name, encoding="utf-8") as file:
            expected = file.read()
        if not BLOCK.search(expected):
            sys.exit(f"{name}: no command in it: a block is '$ command', its output and '[exit code]'")
        now = play(expected, os.path.realpath(options.path))
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
