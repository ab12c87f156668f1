#!/usr/bin/env python3
"""headroom check's edge: exit codes, JSON, SARIF, suppressions, and what it refuses.

    check.py HEADROOM CHECK_CASES SAXPY PAST_THE_END LAUNCH_ERRORS WRITTEN_BY_HOST HOST_FAULTS UNCHECKED_ERRORS
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command, **wishes):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **wishes)


def refused(done, *words):
    assert done.returncode == 125, done
    assert len(done.stderr.strip().splitlines()) <= 3, done.stderr
    for word in words:
        assert word in done.stderr, (word, done.stderr)


def same_findings(sarif, record):
    results = sarif["runs"][0]["results"]
    assert [each["ruleId"] for each in results] == [each["kind"] for each in record["findings"] + record["suppressed"]]
    rules = {rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]}
    assert rules == {each["ruleId"] for each in results}
    prints = [each["partialFingerprints"]["headroom/v1"] for each in results]
    assert len(set(prints)) == len(prints)
    return results


def marked(source, mark):
    return [n for n, line in enumerate(source.read_text().splitlines(), 1) if f"// {mark}" in line]


def check_own_handlers(headroom, program, record):
    """A program that handles, ignores or blocks SIGSEGV goes on as it would, and its early read is told."""
    source = pathlib.Path(__file__).resolve().parents[1] / "programs/host_faults.cu"
    for mode, handled in (("before", 1), ("after", 1), ("jump", 1), ("ignore", 0), ("block", 0), ("fork", 0)):
        done = run(headroom, "check", "--json", record, "--report", "/dev/null", "--", program, mode)
        found = json.loads(record.read_text())["findings"]
        assert done.returncode == 1 and done.stdout.split() == ["5", "6", str(handled)], (mode, done)
        assert [each["kind"] for each in found] == ["race_host"], (mode, found)
        assert int(found[0]["source"].rpartition(":")[2]) in marked(source, "too early"), (mode, found)
    assert run(headroom, "check", "--report", "/dev/null", "--", program, "own").returncode == -11  # its own


def check_unchecked(headroom, program, record):
    source = pathlib.Path(__file__).resolve().parents[1] / "programs/unchecked_errors.cu"
    for what, code, lines in (("faulty", 1, marked(source, "unchecked")), ("mended", 0, [])):
        done = run(headroom, "check", "--json", record, "--report", "/dev/null", "--", program, what)
        found = json.loads(record.read_text())["findings"]
        assert done.returncode == code and {each["kind"] for each in found} <= {"api_error"}, (done, found)
        places = [each["source"].rpartition(":") for each in found]
        assert [int(line) for name, _, line in places if name.endswith(source.name)] == lines, (lines, found)
        assert len(places) == len(lines), found


def text_of(path):
    return " ".join(path.read_text().split())


def main():
    headroom, cases, saxpy, past, errors, host, faults, unchecked = sys.argv[1:9]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = ["--json", folder / "a.json", "--sarif", folder / "a.sarif", "--report", folder / "a.txt"]

        clean = run(headroom, "check", *files, "--", saxpy)
        assert clean.returncode == 0, clean
        assert json.loads((folder / "a.json").read_text())["findings"] == []
        assert "no findings; " in text_of(folder / "a.txt") and text_of(folder / "a.txt").endswith("; exit code 0")
        assert json.loads((folder / "a.sarif").read_text())["runs"][0]["results"] == []

        root = pathlib.Path(__file__).resolve().parents[2]
        done = run(headroom, "check", *files, "--", cases, "faulty", cwd=root)
        assert done.returncode == 1 and "race" not in done.stderr, done.stderr  # only what ends a launch is told at once
        record, sarif = json.loads((folder / "a.json").read_text()), json.loads((folder / "a.sarif").read_text())
        assert record["schema"] == "headroom-check/1" and sarif["version"] == "2.1.0"
        results = same_findings(sarif, record)
        first = next(i for i, each in enumerate(record["findings"]) if "shared.cu" in each["source"])
        place = results[first]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "tests/check/shared.cu", "uriBaseId": "%SRCROOT%"}, place
        assert place["region"]["startLine"] == int(record["findings"][first]["source"].rpartition(":")[2])
        assert results[first]["relatedLocations"][0]["message"]["text"] == "the " + record["findings"][first]["other"]["use"]
        text = text_of(folder / "a.txt")
        assert text.count("finding: ") == text.count(" to do: ") == len(record["findings"])

        assert run(headroom, "check", "--error-exitcode", "7", *files, "--", cases, "faulty").returncode == 7
        assert run(headroom, "check", "--error-exitcode", "0", *files, "--", cases, "faulty").returncode == 0
        assert run(headroom, "check", *files, "--", cases, "nonsense").returncode == 2  # the program's own

        rules = folder / "known.txt"
        rules.write_text("# all of a file\nrace_shared * shared.cu:*\nrace_global void?*stencil<* *  # one kernel\nrace_global nobody *\n")
        done = run(headroom, "check", "--suppressions", rules, *files, "--", cases, "faulty")
        few, sarif = json.loads((folder / "a.json").read_text()), json.loads((folder / "a.sarif").read_text())
        gone = few["suppressed"]
        assert len(few["findings"]) + len(gone) == len(record["findings"]) and done.returncode == 1
        assert any("stencil" in each["kernel"] for each in gone)
        assert not any("shared.cu" in each["source"] for each in few["findings"])
        assert [each for each in same_findings(sarif, few) if "suppressions" in each] == same_findings(sarif, few)[len(few["findings"]):]
        assert few["unused_rules"] == [f"{rules}:4: race_global nobody *"]
        assert f"{len(gone)} suppressed" in text_of(folder / "a.txt")
        rules.write_bytes(b"\xef\xbb\xbf* * *\r\n")  # as an editor of Windows writes it
        assert run(headroom, "check", "--suppressions", rules, *files, "--", cases, "faulty").returncode == 0

        done = run(headroom, "check", *files, "--", past)
        finding = json.loads((folder / "a.json").read_text())["findings"][0]
        assert done.returncode == 1 and finding["class"] == "bounds" and finding["kind"] == "out_of_bounds_global_load", finding
        assert run(headroom, "run", "--error-exitcode", "9", "--report", "/dev/null", "--", past).returncode == 9
        assert run(headroom, "run", "--error-exitcode", "9", "--report", "/dev/null", "--", saxpy).returncode == 0

        def found(program, *options):
            done = run(headroom, "check", *options, *files, "--", program)
            listed = json.loads((folder / "a.json").read_text())["findings"]
            same_findings(json.loads((folder / "a.sarif").read_text()), {"findings": listed, "suppressed": []})
            return done.returncode, [(each["class"], each["what"].split(" returned ")[0], each["times"]) for each in listed]

        source = pathlib.Path(__file__).resolve().parents[1] / "programs/written_by_host.cu"
        one = ("leak", "1 allocation of device memory, 262144 bytes, never freed", 1)
        assert found(saxpy, "--only", "leak") == (1, [one, one])
        places = [each["source"] for each in json.loads((folder / "a.json").read_text())["findings"]]
        assert all(re.fullmatch(r"main in golden_saxpy\+0x[0-9a-f]+ \(compile with -g for the line\)", each) for each in places), places
        assert found(host, "--only", "leak")[0] == 1  # built with -g
        places = [each["source"] for each in json.loads((folder / "a.json").read_text())["findings"]]
        leaks = [n for n, line in enumerate(source.read_text().splitlines(), 1) if "// leaks" in line]
        assert {pathlib.Path(each).name for each in places} == {f"written_by_host.cu:{n}" for n in leaks} and len(places) == 5, places
        assert found(saxpy, "--only", "race,uninitialised,api") == (0, [])
        code, listed = found(errors)
        assert code == 1 and {each[1] for each in listed} == {"cudaLaunchKernel", "cudaFuncSetAttribute", "cudaLaunchCooperativeKernel"}, listed
        assert all("in runtime_launch_errors+0x" in each["source"] for each in json.loads((folder / "a.json").read_text())["findings"])
        assert found(errors, "--only", "race") == (0, [])
        done = run(headroom, "check", "--only", "uninitialised", *files, "--", cases, "faulty")
        assert {each["class"] for each in json.loads((folder / "a.json").read_text())["findings"]} == {"uninitialised"}

        run(headroom, "check", *files, "--", host)
        listed = json.loads((folder / "a.json").read_text())["findings"]
        marked = [n for n, line in enumerate(source.read_text().splitlines(), 1) if "// here" in line]
        assert [int(each["source"].rpartition(":")[2]) for each in listed] == marked, listed
        assert all(each["kind"] == "uninitialised" and each["times"] == 1 for each in listed), listed

        # Classes that were asked for, and that nobody could look for, are no green end.
        done = run(headroom, "check", *files, "--engine", "machine", "--", cases, "mended", "ended_peer")
        assert done.returncode == 0 and "races and uninitialised values: not checked in" in text_of(folder / "a.txt"), done
        asked = run(headroom, "check", "--only", "race", *files, "--engine", "machine", "--", cases, "mended", "ended_peer")
        assert asked.returncode == 1 and "; races: not checked in" in text_of(folder / "a.txt"), asked
        record = json.loads((folder / "a.json").read_text())
        assert record["findings"] == [] and record["not_checked"][0]["classes"] == ["race"], record
        levels = [each["level"] for each in json.loads((folder / "a.sarif").read_text())["runs"][0]["invocations"][0]
                  ["toolExecutionNotifications"]]
        assert "warning" in levels, levels

        # Nor is a program without a CUDA call; one that failed before it has its own code.
        silent = run(headroom, "check", *files, "--", "sh", "-c", "exit 0")
        assert silent.returncode == 125 and "no CUDA call was seen: nothing was checked" in text_of(folder / "a.txt"), silent
        failed = run(headroom, "check", *files, "--", "sh", "-c", "exit 7")
        assert failed.returncode == 7 and "caveat" not in text_of(folder / "a.txt"), failed

        check_own_handlers(headroom, faults, folder / "a.json")
        check_unchecked(headroom, unchecked, folder / "a.json")

        (folder / "bad.txt").write_text("race_shared kernel\n")
        refused(run(headroom, "check", "--suppressions", folder / "bad.txt", "--", saxpy), "bad.txt:1", "three words")
        refused(run(headroom, "check", "--suppressions", folder / "none.txt", "--", saxpy), "none.txt")
        refused(run(headroom, "check"), "no program to check")
        refused(run(headroom, "check", "--json", "-", "--sarif", "-", "--", saxpy), "--sarif")
        refused(run(headroom, "check", "--sarif", saxpy, "--", saxpy), "--sarif")
        refused(run(headroom, "check", "--error-exitcode", "256", "--", saxpy), "--error-exitcode")
        refused(run(headroom, "check", "--engine", "both", "--", saxpy), "--engine")
        refused(run(headroom, "check", "--only", "race,lake", "--", saxpy), "'lake'", "uninitialised")
        refused(run(headroom, "check", "--", "/bin/true"))


if __name__ == "__main__":
    main()
