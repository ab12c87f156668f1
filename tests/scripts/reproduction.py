#!/usr/bin/env python3
"""docs/reproduction.md is what `headroom reproduce` says of the results in results/, without a GPU.

    tests/scripts/reproduction.py HEADROOM        HEADROOM_REBASE=1 rewrites the page: read the diff
"""
import difflib
import os
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reproduction.md"

said = subprocess.run([sys.argv[1], "reproduce", "--gpu", "none", "--markdown", "-"], capture_output=True, text=True)
if said.returncode:
    sys.exit(said.stdout + said.stderr)
shown = PAGE.read_text() if PAGE.exists() else ""
sys.stdout.writelines(difflib.unified_diff(shown.splitlines(True), said.stdout.splitlines(True), str(PAGE), "now"))
if os.environ.get("HEADROOM_REBASE"):
    PAGE.write_text(said.stdout)
elif shown != said.stdout:
    sys.exit("docs/reproduction.md is not what headroom says now: HEADROOM_REBASE=1 writes it")
