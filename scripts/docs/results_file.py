"""The files of results/, as the documents and their tests read them.

    results("copy")              results/h200/copy.json as Python values; None where nothing was measured yet
    results("corpus", ".")       results/corpus.json
"""
import json
import pathlib

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "results"


def results(name, folder="h200"):
    path = RESULTS / folder / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None
