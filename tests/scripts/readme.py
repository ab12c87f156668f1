"""What the documents show is what happens: blocks of output in *.md against the commands that make them.

    <!-- begin: headroom run -- build/release/bin/sgemm --seed 1 -->
    ```text
    $ headroom run -- build/release/bin/sgemm --seed 1
    headroom: build/release/bin/sgemm: …
    ```
    <!-- end -->

    python3 readme.py SOURCE BUILD        HEADROOM_REBASE=1 rewrites the blocks: read the diff

A command is one line for sh in an empty folder where build/release is the build and studies/, scripts/ and results/ are ours; standard
output and standard error stand together. The executor's time and the version of ptxas may differ.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?<=^<!-- begin: )(.+?)( -->\n).*?(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL)
MAY_DIFFER = ((r"emulator took \d+\.\d s", "emulator took … s"), (r"ptxas \d+(\.\d+)+", "ptxas …"))


def happened(command, source, build):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "build"))
        os.symlink(build, os.path.join(folder, "build", "release"))
        for name in ("studies", "scripts", "results"):
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
        environment = os.environ | {"PATH": f"{build}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        result = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    lines = [line.rstrip() for line in result.stdout.strip("\n").splitlines()]
    return "\n".join(["```text", f"$ {command}", *lines, "```", ""])


def stable(text):
    for pattern, name in MAY_DIFFER:
        text = re.sub(pattern, name, text)
    return text


def renewed(text, run):
    """The document with what happens now; a block that differs only in what may differ stays as it is."""
    def block(match):
        shown, now = match[0], f"{match[1]}{match[2]}{run(match[1])}"
        return shown if stable(shown) == stable(now) else now
    return BLOCK.sub(block, text)


def documents(source):
    """The documents with blocks, without build folders."""
    for folder, below, names in os.walk(source):
        below[:] = [name for name in below if name not in ("build", ".git")]
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(".md") and BLOCK.search(open(path, encoding="utf-8").read()):
                yield path


def main():
    source, build = (os.path.realpath(folder) for folder in sys.argv[1:3])
    rebase, blocks, different = os.environ.get("HEADROOM_REBASE"), 0, 0
    for path in documents(source):
        with open(path, encoding="utf-8") as file:
            shown = file.read()
        blocks += len(BLOCK.findall(shown))
        now = renewed(shown, lambda command: happened(command, source, build))
        if now == shown:
            continue
        different += 1
        sys.stdout.writelines(difflib.unified_diff(shown.splitlines(True), now.splitlines(True), path, "now"))
        if rebase:
            with open(path, "w", encoding="utf-8") as file:
                file.write(now)
    print(f"{blocks} blocks, {different} documents different" + (", rewritten" if rebase and different else ""))
    sys.exit(1 if not blocks or (different and not rebase) else 0)


if __name__ == "__main__":
    main()
