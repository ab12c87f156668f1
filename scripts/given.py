"""What a script was given: a file of results with all that is asked of it, or one message and exit code 125.

    data = given.read_results(path, "headroom-model-cost/1", "results/model_cost.json", {"program", "model_s"})
    model_cost.py: cost.json: is empty
      hint: give a file as results/model_cost.json

Every row has the keys that are named, and so has the file; rows() may tell where its rows are.
"""
import json
import pathlib
import sys


def stop(what, hint):
    print(f"{pathlib.Path(sys.argv[0]).name}: {what}\n  hint: {hint}", file=sys.stderr)
    sys.exit(125)


def read_json(path, hint):
    path = pathlib.Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        stop(f"{path}: {getattr(error, 'strerror', None) or 'is no text'}", hint)
    if not text.strip():
        stop(f"{path}: is empty", hint)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        stop(f"{path}:{error.lineno}: is no JSON, or not all of it: {error.msg}", hint)


def rows_of(data):
    return data["rows"]


def read_results(path, schema, sample, keys, rows=rows_of, of_file=frozenset()):
    """`sample`: a file that is right."""
    hint = f"give a file as {sample}"
    data = read_json(path, hint)
    if not isinstance(data, dict) or data.get("schema") != schema:
        stop(f"{path}: its schema is not {schema}", hint)
    if absent := sorted(of_file - data.keys()):
        stop(f"{path}: has no {', '.join(absent)}", hint)
    try:
        found = rows(data)
        missing = next((sorted(keys - row.keys()) for row in found if keys - row.keys()), [])
    except (AttributeError, KeyError, TypeError):
        stop(f"{path}: has no rows", hint)
    if not found:
        stop(f"{path}: has no rows", hint)
    if missing:
        stop(f"{path}: a row has no {', '.join(missing)}", hint)
    return data
