"""What `headroom run --json` wrote, with every launch whole: one that is as an earlier one has only that one's place there.

    read_run(path)["launches"][7]["counters"]["branches"]
"""
import given


def whole_launches(launches):
    result = []
    for launch in launches:
        result.append(result[launch["same_as"]] | launch if "same_as" in launch else launch)
    return result


def read_run(path):
    hint = "headroom run --json FILE writes one"
    run = given.read_json(path, hint)
    if not isinstance(run, dict) or "launches" not in run:
        given.stop(f"{path}: has no launches", hint)
    return run | {"launches": whole_launches(run["launches"])}
