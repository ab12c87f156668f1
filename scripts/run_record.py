"""What `headroom run --json` wrote, with every launch whole: one that is as an earlier one has only that one's place there.

    read_run(path)["launches"][7]["counters"]["branches"]
"""
import json
import pathlib


def whole_launches(launches):
    result = []
    for launch in launches:
        result.append(result[launch["same_as"]] | launch if "same_as" in launch else launch)
    return result


def read_run(path):
    run = json.loads(pathlib.Path(path).read_text())
    return run | {"launches": whole_launches(run["launches"])}
