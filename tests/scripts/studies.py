"""Studies on the executor, as their tests run them.

    done, found = run_study(headroom, "bin/copy", "--variant", "naive")
    done.returncode, done.stdout         0, the table
    found["rows"]                        what it wrote with --json; found is None where it wrote nothing
"""
import json
import os
import pathlib
import subprocess
import tempfile


def run_study(headroom, program, *options, on=(), environment=None, predicted=False):
    """What it computes; its launches have predicted times if that is asked for. `on` are options of `headroom run`, `environment` what differs from ours."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results.json"
        model = () if predicted else ("--no-model",)
        done = subprocess.run([headroom, "run", *model, "--report", "/dev/null", *on, "--", program, "--json", str(path), *options],
                              capture_output=True, text=True, timeout=120, env=os.environ | (environment or {}))
        return done, json.loads(path.read_text()) if path.exists() and path.stat().st_size else None


def rows_of(found):
    return found["rows"] if found else []
