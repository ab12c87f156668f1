#!/usr/bin/env python3
"""Runs the programs of a list and keeps what each printed, on the executor or on a GPU, so that both can be compared.

    scripts/prove/prove_runs.py LIST… FOLDER… --work DIR [--headroom build/release/bin/headroom]     on the executor
    scripts/prove/prove_runs.py LIST… FOLDER… --work DIR --preload attributes.so                     on a GPU

LISTs (*.txt) and the FOLDERs of programs are those of scripts/corpus/corpus.py. DIR gets, for every program:

    NAME.out          standard output
    NAME.run          {"arguments": ["-n", "128"], "exit": 0, "seconds": 0.4, "errors": "…end of standard error…"}
    NAME.json         the report of `headroom run --json`, on the executor
    NAME.attributes   a line of JSON for every kernel, on a GPU (scripts/prove/function_attributes.cpp)

What has been run is not run again. Exit code: 0 when every program was found and ended with 0.
"""
import argparse
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))
import corpus  # noqa: E402  (the path has to be there first)


def run_one(program, path, options):
    stem = options.work / program["name"]
    environment = dict(os.environ)
    command = [str(path), *program["arguments"]]
    if options.preload:
        environment |= {"LD_PRELOAD": str(options.preload), "FUNCTION_ATTRIBUTES": f"{stem}.attributes"}
    else:
        command = [str(options.headroom), "run", "--machine", "h200", "--report", os.devnull, "--json", f"{stem}.json",
                   "--", *command]
    code, output, errors, seconds = corpus.run(command, path.parent, options.timeout, 12, environment)
    stem.with_suffix(".out").write_text(output)
    stem.with_suffix(".run").write_text(json.dumps({"arguments": program["arguments"], "exit": code,
                                                    "seconds": round(seconds, 3), "errors": errors[-2000:]}) + "\n")
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=pathlib.Path, nargs="+", metavar="LIST… FOLDER…")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--headroom", type=pathlib.Path, default="build/release/bin/headroom")
    parser.add_argument("--preload", type=pathlib.Path, help="run natively, with this library loaded first")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds a run (default 1800)")
    options = parser.parse_args()
    for path in (*options.paths, *([options.preload] if options.preload else [options.headroom])):
        if not path.exists():
            sys.exit(f"prove_runs.py: {path}: no such file or folder")
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    options.headroom = options.headroom.resolve()
    options.preload = options.preload and options.preload.resolve()

    folders = [path for path in options.paths if path.is_dir()]
    failed = []
    for program in (program for path in options.paths if path.is_file() for program in corpus.read_list(path)):
        name = program["name"]
        path = next((found for folder in folders if (found := corpus.find_program(folder, program))), None)
        if path is None:
            failed.append(f"{name}: not built")
        elif not (options.work / f"{name}.run").exists():
            code = run_one(program, path, options)
            print(f"{name:<24}{code}", flush=True)
        if path and json.loads((options.work / f"{name}.run").read_text())["exit"] != 0:
            failed.append(f"{name}: did not end with 0")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
