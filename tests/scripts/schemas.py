#!/usr/bin/env python3
"""docs/schema/*.json and what --json writes, both ways: a file is valid, has no key that its schema lacks, and all files of a
schema together have every key that it has, but for a few that no program of ours brings about.

    tests/scripts/schemas.py HEADROOM PROGRAMS SGEMM
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's, for a Python that is not
import jsonschema  # noqa: E402

HEADROOM, PROGRAMS, SGEMM = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "tests/gpu/recorded/kinds.activity"
# Tables and keys that these programs do not bring about: of kernels with __launch_bounds__, of races between launches, and the like.
UNSEEN = {"run": {"resources.constant", "resources.max_threads", "resources.caveats", "finding.other", "finding.times", "party",
                  "instruction.divergent", "instruction.conflicts", "cycles.membar", "cycles.gmma", "cycles.imc_miss"},
          "timing": set(), "check": {"party.kernel"}, "compare": set(), "doctor": set(),
          "sarif": {"invocation.exitSignalNumber"}}


def strict(schema):
    """The same, where no other key may stand."""
    whole = copy.deepcopy(schema)
    for table in (whole, *whole["$defs"].values()):
        table["additionalProperties"] = False
    return whole


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        path = f"{PROGRAMS}:{pathlib.Path(HEADROOM).parent}:{os.environ['PATH']}"
        cls.environment = {**os.environ, "PATH": path, "FAKE_CUPTI_TRACE": str(RECORDED)}

    def written(self, *command, cwd=None):
        subprocess.run([str(word) for word in command], env=self.environment, cwd=cwd or self.folder, capture_output=True, timeout=120)
        return [json.loads((self.folder / word).read_text()) for word in command if str(word).endswith(".json")][-1]

    def run_of(self, name, *program, options=()):
        return self.written(HEADROOM, "run", "--report", "r.txt", *options, "--json", name, "--", *program)

    def checked(self, name, files):
        schema = json.loads((ROOT / f"docs/schema/{name}.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(strict(schema))
        for file in files:
            errors = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in validator.iter_errors(file)]
            self.assertEqual(errors[:5], [])
        seen = set()
        for file in files:
            self.keys(schema, schema, "", file, seen)
        all_keys = {f"{table}.{key}" for table, one in [("", schema), *schema["$defs"].items()] for key in one["properties"]}
        unseen = {key for key in all_keys if key in UNSEEN[name] or key.split(".")[0] in UNSEEN[name]}
        self.assertEqual(all_keys - seen, unseen)
        return schema

    def keys(self, schema, part, table, value, seen):
        if "anyOf" in part:
            return self.keys(schema, part["anyOf"][0], table, value, seen) if value is not None else None
        if "$ref" in part:
            table = part["$ref"].rsplit("/", 1)[1]
            part = schema["$defs"][table]
        if isinstance(value, dict):
            for key, inner in value.items():
                seen.add(f"{table}.{key}")
                self.keys(schema, part["properties"][key], table, inner, seen)
        if isinstance(value, list) and "items" in part:
            for each in value:
                self.keys(schema, part["items"], table, each, seen)

    def test_are_what_their_tables_say(self):
        check = subprocess.run([sys.executable, "-B", ROOT / "scripts/docs/schemas.py", "--check"], capture_output=True, text=True)
        self.assertEqual((check.returncode, check.stdout), (0, ""))

    def test_a_run_and_a_comparison(self):
        files = [self.run_of("saxpy.json", PROGRAMS / "golden_saxpy"), self.run_of("refused.json", PROGRAMS / "golden_refused"),
                 self.run_of("ptx.json", PROGRAMS / "golden_saxpy", options=["--engine", "ptx", "--no-model"]),
                 self.run_of("past.json", PROGRAMS / "golden_past_the_end"), self.run_of("shapes.json", PROGRAMS / "golden_shapes"),
                 self.run_of("sgemm.json", SGEMM, "--size", "512", "--rung", "coalesced,shared_tile", "--seed", "1",
                             options=["--source", "--kernel", "."])]
        schema = self.checked("run", files)
        validator = jsonschema.Draft202012Validator(schema)
        for key in ("state", "counters", "same_as"):
            hurt = copy.deepcopy(files[2])  # without predictions the second launch is as the first
            del hurt["launches"][1 if key == "same_as" else 0][key]
            self.assertFalse(validator.is_valid(hurt), "a launch is whole, or the same as another")
        changed = copy.deepcopy(files[0])
        changed["launches"][0]["prediction"]["time_ns"] *= 2
        changed["launches"][0]["kernel"] = "other(int)"
        (self.folder / "changed.json").write_text(json.dumps(changed))
        gates = ["--fail-if", "registers > -1", "--fail-if", "predicted_ns > -90 %", "--fail-if", "measured_ns > 0"]
        compared = [self.written(HEADROOM, "compare", "saxpy.json", "changed.json", *gates, "--json", "compared.json"),
                    self.written(HEADROOM, "compare", "saxpy.json", "ptx.json", *gates, "--json", "compared.json")]
        if (PROGRAMS / "with_fake_gpu").exists():
            gpu = ["with_fake_gpu", HEADROOM, "run", "--gpu", "0", "--report", "r.txt"]
            program = ["--", "gpu_program", "cuda", "launch=100"]
            timed = [self.written(*gpu, "--json", "timed.json", *program),
                     self.written(*gpu, "--counters", "saxpy.json", "--json", "joined.json", *program)]
            self.checked("timing", timed)
            compared.append(self.written(HEADROOM, "compare", "timed.json", "joined.json", "--json", "compared.json"))
            self.checked("compare", compared)

    def test_a_check(self):
        files = [self.written(HEADROOM, "check", "--report", "r.txt", "--json", f"{name}.json", "--", PROGRAMS / name)
                 for name in ("golden_past_the_end", "golden_saxpy")]
        files.append(self.written(HEADROOM, "check", "--engine", "machine", "--report", "r.txt", "--json", "cluster.json", "--",
                                  PROGRAMS / "check_cases", "mended", "ended_peer"))
        self.checked("check", files)

    def test_findings_and_advice_for_code_hosts(self):
        (self.folder / "known.txt").write_text("race_shared *neighbour* *\n")
        check = [HEADROOM, "check", "--report", "r.txt", "--sarif", "sarif.json"]
        cases = PROGRAMS / "check_cases"
        files = [self.written(HEADROOM, "check", "--report", self.folder / "r.txt", "--sarif", self.folder / "sarif.json", "--", cases, "faulty",
                              "neighbour", cwd=ROOT),   # below which its source is named
                 self.written(*check, "--suppressions", "known.txt", "--", cases, "faulty", "neighbour"),
                 self.written(*check, "--engine", "machine", "--", cases, "mended", "ended_peer"),
                 self.written(*check, "--only", "leak", "--", PROGRAMS / "golden_saxpy"),
                 self.written(HEADROOM, "run", "--report", "r.txt", "--sarif", "sarif.json", "--", SGEMM, "--size", "256", "--rung", "naive")]
        schema = self.checked("sarif", files)
        levels = [{each["level"] for each in file["runs"][0]["results"]} for file in files]
        self.assertEqual(levels, [{"error"}, {"error"}, set(), {"error"}, {"note"}])
        hurt = copy.deepcopy(files[0])
        hurt["runs"][0]["results"][0]["level"] = "fatal"
        self.assertFalse(jsonschema.Draft202012Validator(schema).is_valid(hurt))

    def test_a_doctor_with_and_without_a_toolkit(self):
        files = [self.written(HEADROOM, "doctor", "--json", "here.json")]
        self.environment = self.environment | {"HEADROOM_TOOLKIT": "none"}
        files.append(self.written(HEADROOM, "doctor", "--json", "hidden.json"))
        self.checked("doctor", files)
        self.assertFalse(files[1]["well"])
        schema = json.loads((ROOT / "docs/schema/doctor.json").read_text())
        hurt = copy.deepcopy(files[0])
        hurt["checks"][0]["state"] = "unwell"
        self.assertFalse(jsonschema.Draft202012Validator(schema).is_valid(hurt))


if __name__ == "__main__":
    unittest.main()
