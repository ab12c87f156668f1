#!/usr/bin/env python3
"""Predicted times beside measured ones, launch by launch; half of the kernels calibrate, the other half judge.

    scripts/measure/model_visit.sh FOLDER                                     on a machine with a GPU, then model_rows.py -o visit.json
    headroom run --json RUNS/sgemm.json -- ./sgemm --size 1024 …              every command of visit.json, on the executor
    scripts/prove/compare_model.py visit.json RUNS --split results/h200/model_split.json -o results/h200/model.json
    scripts/prove/compare_model.py results/h200/model.json                    shows what it has
    scripts/prove/compare_model.py results/h100/model.json --gains 'k4'       of pairs: what the first advice gains, and what the twin does
    scripts/prove/compare_model.py results/h200/model.json RUNS --split … -o … --predicted 2026-11-26       another model, beside the times it has
    scripts/prove/compare_model.py results/h200/model.json -o results/h200/model.json       writes its classes and halves anew, of the rows it has
    scripts/prove/compare_model.py visit.json RUNS --unseen results/h200/model.json -o …      kernels of which that file has none: all judge,
                                                                                              and its calibration half gives the constants

The split is by kernel, at random, and was made before anything was calibrated: --make-split writes it, and refuses to write it
again. On a GPU that nothing was calibrated on all judge: --half all. An error is |predicted / measured − 1|. Beside the model stand three null models: the largest floor, the largest floor times
the one constant that is best for the calibration half, and that half's median time.

A class of kernels is a program. Its rank is Spearman's, of predicted and measured times.
"""
import argparse
import json
import pathlib
import random
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
import given  # noqa: E402
import run_record  # noqa: E402
from ranks import correlation  # noqa: E402

MODEL, VISIT, HALVES = "headroom-model/1", "headroom-model-visit/1", ("calibration", "judgement")
OF_MODEL = {"gpu", "driver", "toolkit", "date", "commands", "table", "stalls", "gains", "not_compared", "not_predicted"}
OF_VISIT = {"gpu", "driver", "toolkit", "date", "commands"}
LAUNCH = {"program", "launch", "kernel", "grid", "block"}


def kernel_of(launch):
    return launch["kernel"].replace("(anonymous namespace)::", "").split("(")[0].removeprefix("void ").strip()


def error(predicted, measured):
    return abs(predicted / measured - 1)


def summary(rows, predict):
    errors = sorted(error(predict(row), row["measured_us"]) for row in rows)
    if not errors:
        return None
    at = lambda share: errors[min(len(errors) - 1, int(share * len(errors)))]
    return {"launches": len(errors), "mean_percent": round(100 * statistics.mean(errors), 1),
            "median_percent": round(100 * at(0.5), 1), "p90_percent": round(100 * at(0.9), 1),
            "worst_percent": round(100 * errors[-1], 1),
            "within_25_percent": round(100 * sum(e <= 0.25 for e in errors) / len(errors), 1)}


def dominant(stalls, names):
    rest = {name: stalls.get(name, 0) for name in names if name != "selected"}
    return max(rest, key=rest.get)


def visit_of(model):
    """What was measured, of a file of this script's: the times' mean and spread, the dominant stall."""
    launches = []
    for row in model["rows"]:
        spread = row["spread_percent"] / 100
        least = 2 * row["measured_us"] * 1e3 / (2 + spread)
        launch = {key: row[key] for key in ("program", "launch", "kernel", "grid", "block")} | {"time_ns": [least, least * (1 + spread)]}
        launch |= {key: row[key] for key in ("instructions", "registers", "measured_registers") if key in row}
        if "measured_stall" in row:
            launch |= {"stalls": {row["measured_stall"]: 1}, "ipc": row["measured_ipc"]}
        launches.append(launch)
    return model | {"launches": launches}


def pairs_of(ours, theirs):
    """Launches of one kernel and shape in their order; where a program launches each twice on a GPU, the second."""
    def by_shape(launches):
        groups = {}
        for launch in launches:
            groups.setdefault((re.sub(r"\w+::|<.*", "", kernel_of(launch)), tuple(launch["grid"]), tuple(launch["block"])), []).append(launch)
        return groups

    pairs, left, there = [], 0, by_shape(theirs)
    for shape, group in by_shape(ours).items():
        found = there.get(shape, [])
        if len(found) == 2 * len(group):
            found = found[1::2]
        if len(found) == len(group):
            pairs += zip(group, found)
        elif shape[0] in {name for name, _, _ in there}:  # one that was written later is not counted
            left += len(group)
    return sorted(pairs, key=lambda pair: pair[0]["index"]), left


def rows_of(visit, runs):
    rows, missing = [], 0
    for program in sorted({launch["program"] for launch in visit["launches"]}):
        path = runs / f"{program}.json"
        if not path.exists():
            continue
        ours = run_record.read_run(path)["launches"][:visit.get("first", {}).get(program)]
        theirs = [launch for launch in visit["launches"] if launch["program"] == program]
        pairs, left = pairs_of(ours, theirs)
        missing += left
        for own, launch in pairs:
            times = launch["time_ns"]
            row = {"program": program, "launch": launch["launch"], "kernel": kernel_of(own), "grid": own["grid"], "block": own["block"],
                   "measured_us": round(statistics.mean(times) / 1e3, 3), "spread_percent": round(100 * (max(times) / min(times) - 1), 1),
                   "floor_us": round(own["floor_seconds"] * 1e6, 3)}
            if "measured_registers" in launch:  # of a file that this script wrote
                row |= {key: launch[key] for key in ("instructions", "registers", "measured_registers") if key in launch}
            elif "registers" in launch:
                if launch.get("inst_executed"):
                    row["instructions"] = round(own["counters"]["warp_instructions"] / launch["inst_executed"], 3)
                row["registers"], row["measured_registers"] = own["registers"], launch["registers"]
            prediction = own.get("prediction")
            if prediction:
                row["predicted_us"] = round(prediction["time_ns"] / 1e3, 3)
                row["low_us"], row["high_us"] = (round(prediction[key] / 1e3, 3) for key in ("low_ns", "high_ns"))
                names = prediction["stalls"].keys()
                if "stalls" in launch:
                    row["stall"], row["measured_stall"] = dominant(prediction["stalls"], names), dominant(launch["stalls"], launch["stalls"].keys())
                    row["ipc"], row["measured_ipc"] = round(prediction["ipc"], 2), launch.get("ipc")
            if own.get("advice"):
                row["advice"], row["gain_us"] = own["advice"][0]["id"], round(own["advice"][0]["gain_ns"] / 1e3, 2)
                if program == "advice":
                    row["advice_us"] = {each["id"]: round(each["gain_ns"] / 1e3, 2) for each in own["advice"]}
            rows.append(row)
    return rows, missing


def models_of(calibration):
    """The model, and what a number without any model would be worth: its constants are of the same class of kernels."""
    models = {"predicted": lambda row: row["predicted_us"], "largest floor": lambda row: row["floor_us"]}
    if ratios := [row["measured_us"] / row["floor_us"] for row in calibration if row["floor_us"] > 0]:
        constant = statistics.median(ratios)
        models["floor x constant"] = lambda row: row["floor_us"] * constant
    if calibration:
        typical = statistics.median(row["measured_us"] for row in calibration)
        models["one time for all"] = lambda row: typical
    return models


def judged_by(rows, half):
    return [row for row in rows if "predicted_us" in row and half in ("all", row["half"])]


def table_of(rows, half, calibrates=()):
    classes = {"all": lambda row: True, "10 us and more": lambda row: row["measured_us"] >= 10,
               "10 us and more, every SM busy": lambda row: row["measured_us"] >= 10 and row["grid"][0] * row["grid"][1] * row["grid"][2] >= 132,
               "less than 10 us": lambda row: row["measured_us"] < 10}
    judged, calibration = judged_by(rows, half), judged_by(calibrates or rows, "calibration")
    table = {title: {name: summary(list(filter(belongs, judged)), model)
                     for name, model in models_of(list(filter(belongs, calibration))).items()}
             for title, belongs in classes.items()}
    if calibrates:  # who waits for others in loops, or tries again, executes what the order of threads makes of it
        same = [row for row in judged if row["measured_us"] >= 10 and abs(row.get("instructions", 0) - 1) <= 0.05]
        models = models_of([row for row in calibration if row["measured_us"] >= 10])
        table["10 us and more, same work"] = {name: summary(same, model) for name, model in models.items()}
    return table


def kernels_in(rows):
    return len({(row["program"], row["kernel"]) for row in rows})


def classes_of(rows, half):
    """Of each program's launches, and of all: how far off they are, and whether what takes longer is predicted to."""
    judged = judged_by(rows, half)
    classes = {}
    for program in (*sorted({row["program"] for row in judged}), "all"):
        group = [row for row in judged if program in ("all", row["program"])]
        if errors := summary(group, lambda row: row["predicted_us"]):
            rank = correlation([row["measured_us"] for row in group], [row["predicted_us"] for row in group])
            classes[program] = {"kernels": kernels_in(group)} | {key: errors[key] for key in ("launches", "mean_percent", "worst_percent", "within_25_percent")}
            classes[program]["rank_correlation"] = None if rank is None else round(rank, 3)
    return classes


def halves_of(rows):
    halves = {half: judged_by(rows, half) for half in HALVES}
    return {half: {"kernels": kernels_in(of), "launches": len(of)} for half, of in halves.items()}


def counted(rows):
    return {"classes": {half: classes_of(rows, half) for half in (*HALVES, "all")}, "halves": halves_of(rows)}


def stalls_of(rows, half):
    """Of launches of 10 us and more: how often warps wait most for what Nsight Compute says."""
    stalled = [row for row in judged_by(rows, half) if "stall" in row and row["measured_us"] >= 10]
    return {"launches": len(stalled), "dominant_equal": sum(row["stall"] == row["measured_stall"] for row in stalled)}


def spearman(rows, key):
    return correlation([row[key] for row in rows], [row["measured_us"] for row in rows])


def programs_of(rows):
    """Of launches of 10 us and more, by program; what warps wait for where a profiler was asked."""
    programs = []
    judged = [row for row in rows if "predicted_us" in row and row["measured_us"] >= 10]
    for program in sorted({row["program"] for row in judged}):
        own = [row for row in judged if row["program"] == program]
        stalls = stalls_of(own, "all")
        programs.append({"program": program, "kernels": len({row["kernel"] for row in own})} | summary(own, lambda row: row["predicted_us"])
                        | {"mean_ratio": round(statistics.geometric_mean(row["predicted_us"] / row["measured_us"] for row in own), 2),
                           "stalls": stalls["launches"], "dominant_equal": stalls["dominant_equal"]})
    kernels = {}
    for row in judged:
        kernels.setdefault((row["program"], row["kernel"]), []).append(error(row["predicted_us"], row["measured_us"]))
    means = sorted(statistics.mean(errors) for errors in kernels.values())
    return {"programs": programs, "mean_of_programs_percent": round(statistics.mean(each["mean_percent"] for each in programs), 1),
            "kernels": len(means), "mean_of_kernels_percent": round(100 * statistics.mean(means), 1),
            "median_of_kernels_percent": round(100 * statistics.median(means), 1),
            "spearman": {key: round(spearman(judged, key), 3) for key in ("predicted_us", "floor_us")}}


def show_programs(found):
    print(f"\n10 us and more, by program: launches, kernels{'':8} mean  median    p90   worst  within 25 %  predicted / measured  stall")
    for each in sorted(found["programs"], key=lambda each: each["mean_percent"]):
        stall = f"{each['dominant_equal']:3} of {each['stalls']}" if each["stalls"] else "  –"
        print(f"  {each['program']:22} {each['launches']:5} {each['kernels']:4} {each['mean_percent']:19.1f} % {each['median_percent']:5.0f} % {each['p90_percent']:4.0f} %"
              f" {each['worst_percent']:5.0f} % {each['within_25_percent']:10.0f} % {each['mean_ratio']:15.2f} {stall:>14}")
    show_kernels(found)


def show_kernels(found):
    print(f"of {found['kernels']} kernels and {len(found['programs'])} programs, each for one: median error {found['median_of_kernels_percent']} %"
          f" and {statistics.median(each['mean_percent'] for each in found['programs']):.1f} %")
    print(f"Spearman's rank correlation with measured times: predicted {found['spearman']['predicted_us']}, largest floor {found['spearman']['floor_us']}")


def make_split(rows, path):
    if path.exists():
        given.stop(f"{path} is there: a split is made once", "give --split another name, or leave out --make-split")
    kernels = sorted({f"{row['program']}: {row['kernel']}" for row in rows})
    random.Random(2026).shuffle(kernels)
    half = len(kernels) // 2
    path.write_text(json.dumps({"schema": "headroom-model-split/1", "title": "Split of the kernels that are predicted",
                                "about": "halves at random, made before anything was calibrated", "calibration": sorted(kernels[:half]), "judgement": sorted(kernels[half:])}, indent=1) + "\n")


def split_of(path):
    hint = "give a file as results/h200/model_split.json, which --make-split writes"
    split = given.read_json(path, hint)
    if not isinstance(split, dict) or not isinstance(split.get("calibration"), list):
        given.stop(f"{path}: has no kernels that calibrate", hint)
    return split


def read(path):
    """A visit or a model, whose times are above 0."""
    hint = "give a visit, which scripts/measure/model_rows.py writes, or a file as results/h200/model.json"
    data = given.read_json(path, hint)
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema == VISIT:
        data = given.read_results(path, VISIT, "scripts/measure/model_rows.py writes", LAUNCH | {"time_ns"}, lambda data: data["launches"], OF_VISIT)
        wrong = [launch for launch in data["launches"] if not all(time and time > 0 for time in launch["time_ns"] or [0])]
    elif schema == MODEL:
        data = given.read_results(path, MODEL, "results/h200/model.json", LAUNCH | {"measured_us", "spread_percent", "floor_us", "half"}, of_file=OF_MODEL)
        wrong = [row for row in data["rows"] if not row["measured_us"] > 0]
    else:
        given.stop(f"{path}: its schema is neither {MODEL} nor {VISIT}", hint)
    for row in wrong[:1]:
        given.stop(f"{path}: {row['program']}, launch {row['launch']}: its measured time is not above 0", "measure it again, or leave it out")
    return data


def write(result, path):
    head = {key: value for key, value in result.items() if key != "rows"}
    lines = ",\n  ".join(json.dumps(row) for row in result["rows"])
    path.write_text(json.dumps(head, indent=1)[:-2] + f',\n "rows": [\n  {lines}]}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("visit", type=pathlib.Path)
    parser.add_argument("runs", type=pathlib.Path, nargs="?")
    parser.add_argument("--split", type=pathlib.Path)
    parser.add_argument("--make-split", action="store_true")
    parser.add_argument("--unseen", type=pathlib.Path, metavar="FILE", help="of kernels whose calibration half gives the constants")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--title", default="Predicted times")
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("--half", choices=["calibration", "judgement", "all"], default="judgement")
    parser.add_argument("--programs", action="store_true", help="of unseen kernels: by program, too")
    parser.add_argument("--gains", metavar="REGEX")
    parser.add_argument("--predicted", metavar="DATE", help="of the model, where it is another day than that of the times")
    options = parser.parse_args()
    visit = read(options.visit)
    if visit["schema"] == MODEL:
        if options.gains:
            return show_gains(visit["gains"], options.gains)
        if not options.runs:
            show(visit, "unseen" if "unseen" in visit["table"] else options.half, options.worst, options.programs)
            if options.output:
                write(visit | counted(visit["rows"]), options.output)
            return None
        visit = visit_of(visit)
    if not options.runs or not (options.split or options.unseen):
        parser.error("a visit needs the folder of runs and --split or --unseen")
    rows, missing = rows_of(visit, options.runs)
    missing += visit.get("not_compared", 0)
    if not rows:
        given.stop(f"{options.runs}: no run of a program of {options.visit} has the launches that were measured", "run its commands: headroom run --json RUNS/PROGRAM.json -- …")
    if options.unseen:
        return judge_unseen(visit, rows, missing, options)
    if options.make_split:
        make_split(rows, options.split)
    calibrates = set(split_of(options.split)["calibration"])
    for row in rows:
        row["half"] = "calibration" if f"{row['program']}: {row['kernel']}" in calibrates else "judgement"
    result = {"schema": MODEL, "title": options.title,
              "about": "predicted beside measured, launch by launch, of kernels that calibrated the model and of kernels that judge it",
              "gpu": visit["gpu"], "driver": visit["driver"], "toolkit": visit["toolkit"], "date": visit["date"], "predicted": options.predicted or visit["date"], "commands": visit["commands"],
              "table": {half: table_of(rows, half) for half in HALVES}, "stalls": stalls_of(rows, "judgement"),
              "gains": gains_of(rows), "not_compared": missing, "not_predicted": sum("predicted_us" not in row for row in rows), **counted(rows), "rows": rows}
    show(result, options.half, options.worst)
    if options.output:
        write(result, options.output)
    return None


def judge_unseen(visit, rows, missing, options):
    """Of kernels that the other file has none of; not a launch of them calibrated anything."""
    seen = json.loads(options.unseen.read_text(encoding="utf-8"))["rows"]
    known = {(row["program"], row["kernel"]) for row in seen}
    rows = [row | {"half": "unseen"} for row in rows if (row["program"], row["kernel"]) not in known]
    result = {"schema": MODEL, "title": "Predicted times of kernels unseen before",
              "about": "predicted beside measured, launch by launch, of programs that nothing was calibrated on: all judge",
              **{key: visit[key] for key in ("gpu", "driver", "toolkit", "date")}, "predicted": options.predicted or visit["date"],
              **{key: visit[key] for key in ("commands", "first", "built") if key in visit},
              "table": {"unseen": table_of(rows, "unseen", seen)}, "stalls": stalls_of(rows, "unseen"), "by_program": programs_of(rows),
              "gains": gains_of(rows), "not_compared": missing, "not_predicted": sum("predicted_us" not in row for row in rows), "rows": rows}
    show(result, "unseen", options.worst)
    if options.output:
        write(result, options.output)


def planted():
    """Kernels of tests/advice with a problem, and the advice that names it. Not of tiny launches: their twin does other work."""
    sys.path.append(str(ROOT / "tests/advice"))
    from named import IDS
    table = re.findall(r'{"(k\d+)",\s*"(\w+)"', (ROOT / "tests/advice/pairs.h").read_text(encoding="utf-8"))
    return {f"{pair}_a": IDS[problem] for pair, problem in table if problem in IDS and problem != "tiny_launch"}


def gains_of(rows):
    """Of pairs of kernels, one with a problem and its twin without: what the advice that names the problem says is to gain, and what
    the twin gains; means over the launches."""
    times, names = {}, planted()
    for row in rows:
        if row["program"] == "advice":
            times.setdefault(row["kernel"].split("::")[-1], []).append(row)
    gains = []
    for kernel, group in sorted(times.items()):
        twin = times.get(kernel[:-1] + "b")
        if kernel not in names or not twin:
            continue
        said = [next(((each, gain) for each, gain in row.get("advice_us", {}).items() if each in names[kernel]), ("none", 0)) for row in group]
        measured = statistics.mean(row["measured_us"] for row in group) - statistics.mean(row["measured_us"] for row in twin)
        gains.append({"kernel": kernel, "half": group[-1]["half"], "advice": said[-1][0],
                      "gain_us": round(statistics.mean(gain for _, gain in said), 2), "measured_us": round(measured, 2)})
    return gains


def is_close(pair):
    """Where the twin gains nothing only no gain is close."""
    return pair["measured_us"] / 1.5 <= pair["gain_us"] <= 1.5 * pair["measured_us"]


def show_gains(gains, chosen):
    print("kernel  advice              predicted, us  measured, us")
    chosen = [each for each in gains if re.match(chosen, each["kernel"])]
    for each in chosen:
        print(f"{each['kernel']:7} {each['advice']:20} {each['gain_us']:12.1f} {each['measured_us']:13.1f}{'' if is_close(each) else '  not within 1.5'}")
    print(f"{sum(map(is_close, chosen))} of {len(chosen)} within a factor of 1.5")


def name_of(row):
    return row["kernel"].split("<")[0].split("::")[-1]


def cause_of(row, name):
    """Known causes stand in a file; what a launch does not tell is how much of its data lies in L2, which makes its range."""
    for each in json.loads((ROOT / "results/model_causes.json").read_text(encoding="utf-8"))["rows"]:
        if (each["program"], each["kernel"]) == (row["program"], name):
            return each["cause"]
    low, high = row.get("low_us", 0), row.get("high_us", 0)
    if low < 0.95 * high and 0.97 * low <= row["measured_us"] <= 1.03 * high:
        return f"in its range, {low:.1f} us with all of its data in L2 to {high:.1f} us with none"
    return ""


def show_classes(result, half):
    halves = result.get("halves") or halves_of(result["rows"])
    print(f"\n{'by class':16} kernels launches   mean   worst  within 25 %   rank")
    for name, each in (result.get("classes", {}).get(half) or classes_of(result["rows"], half)).items():
        rank = "–" if each["rank_correlation"] is None else f"{each['rank_correlation']:.3f}"
        print(f"{name:16} {each['kernels']:7} {each['launches']:8} {each['mean_percent']:5.1f} % {each['worst_percent']:5.0f} % {each['within_25_percent']:9.0f} % {rank:>8}")
    print("; ".join(f"{each['kernels']} kernels ({each['launches']} launches) are of the {name} half" for name, each in halves.items()))


def show(result, half, worst, programs=True):
    median = half == "unseen"
    print(f"{'':44} launches   mean{'  median' * median}    p90   worst  within 25 %")
    table = result["table"].get(half) or table_of(result["rows"], half)
    for title, by_model in table.items():
        for name, each in by_model.items():
            if each:
                middle = f" {each['median_percent']:5.0f} %" if median else ""
                print(f"{title:30} {name:16} {each['launches']:5} {each['mean_percent']:6.1f} %"
                      f"{middle} {each['p90_percent']:5.0f} % {each['worst_percent']:5.0f} %"
                      f" {each['within_25_percent']:7.0f} %")
    if half != "unseen":  # which has a table by program
        show_classes(result, half)
    stalls, gains = result["stalls"] if half in ("judgement", "unseen") else stalls_of(result["rows"], half), result["gains"]
    close = {key: [is_close(each) for each in gains if key in ("all", each["half"])]
             for key in ("all", half)}
    print(f"\nwhat warps wait for most is what Nsight Compute says: {stalls['dominant_equal']} of {stalls['launches']} launches of 10 us and more")
    both = "" if half in ("all", "unseen") else f" (of both halves: {sum(close['all'])} of {len(close['all'])})"
    print(f"the gain that the advice on a planted problem tells is within a factor of 1.5 of what the twin gains: {sum(close[half])} of {len(close[half])} pairs{both}")
    print(f"not compared, as a program launches otherwise on a GPU: {result['not_compared']}; not predicted: {result['not_predicted']}")
    if programs and "by_program" in result:
        show_programs(result["by_program"])
    elif "by_program" in result:
        show_kernels(result["by_program"])
    print(f"\nthe {worst} worst {'kernels ' if half == 'unseen' else ''}of 10 us and more:")
    judged = [row for row in judged_by(result["rows"], half) if row["measured_us"] >= 10]
    judged.sort(key=lambda row: -error(row["predicted_us"], row["measured_us"]))
    if half == "unseen":  # a kernel's worst launch alone
        judged = list({(row["program"], name_of(row)): row for row in reversed(judged)}.values())[::-1]
        judged.sort(key=lambda row: -error(row["predicted_us"], row["measured_us"]))
    told = set()
    for row in judged[:worst]:
        name = name_of(row)
        print(f"  {row['program']:8} {name:28} measured {row['measured_us']:8.1f} us  predicted {row['predicted_us']:8.1f} us"
              f" {100 * (row['predicted_us'] / row['measured_us'] - 1):+5.0f} %")
        if (why := cause_of(row, name)) and why not in told:
            told.add(why)
            print(f"           {why}")


if __name__ == "__main__":
    main()
