#!/usr/bin/env python3
"""What a process sees of the stand-in around its calls: its symbols, its silence, its records.

    standin.py --standin build/release/lib/headroom/libcudart.so.13 --programs build/release/tests
               --symbols src/cudart/symbols.txt --driver src/driver/names.txt
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

import record

arguments = None


def run(command, **environment):
    return subprocess.run(command, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "LD_PRELOAD": arguments.standin, **environment})


def program(name):
    return os.path.join(arguments.programs, "runtime_" + name)


def records(prefix):
    return [record.lines(path) for path in sorted(glob.glob(prefix + ".*"), key=lambda name: (len(name), name))]


# Of the auditor, of headroom.hpp, of timing loops in Python.
OURS = {"headroom_redirect", "headroom_library_1", "headroom_busy_seconds", "headroom_timing_loop", "headroom_keep_handler",
        "headroom_needs_faults"}


class StandIn(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.prefix = os.path.join(folder.name, "run")

    def test_exports_the_api_and_nothing_else(self):
        listing = subprocess.run(["nm", "-D", "--defined-only", arguments.standin],
                                 capture_output=True, text=True, check=True).stdout
        names = {line.split()[-1] for line in listing.splitlines()}
        runtime = {line.strip() for line in open(arguments.symbols)}
        driver = {line.strip() for line in open(arguments.driver) if line.startswith("cu")}
        wanted = {name + "@@libcudart.so.13" for name in runtime | driver | OURS}
        self.assertEqual(names - {"libcudart.so.13", "libcudart.so.13@@libcudart.so.13"}, wanted)
        self.assertEqual(len(runtime), 422)
        self.assertGreater(len(driver), 600)

    def test_needs_no_library_that_a_program_might_lack(self):
        listing = subprocess.run(["readelf", "-d", arguments.standin],
                                 capture_output=True, text=True, check=True).stdout
        self.assertRegex(listing, r"\(SONAME\).*\[libcudart\.so\.13\]")
        for library in ("libstdc++", "libgcc_s", "libfmt", "libcuda.so"):
            self.assertNotIn(library, listing)

    def test_is_silent_where_no_cuda_is_used(self):
        done = run(["/bin/true"], HEADROOM_RECORD=self.prefix)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(records(self.prefix), [])

    def test_writes_one_record_a_process_with_a_line_a_launch(self):
        done = run(["/bin/sh", "-c", f"{program('events')}; {program('kernels')}"],
                   HEADROOM_RECORD=self.prefix)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        both = records(self.prefix)
        self.assertEqual(len(both), 2)
        for lines in both:
            self.assertEqual(lines[0]["schema"], "headroom-record/2")
            self.assertEqual(lines[0]["machine"], "h200")
            self.assertIn("end", lines[-1])
            kinds = [next(kind for kind in ("begin", "ran", "launch") if kind in line) for line in lines[1:-1]]
            self.assertRegex(" ".join(kinds), "^(begin( ran)? launch ?)+$")
            self.assertIn("ran", kinds)  # a time was predicted
            launches = [line["launch"] for line in lines if "launch" in line]
            self.assertEqual([launch["index"] for launch in launches], list(range(len(launches))))
            self.assertTrue(all(launch["completed"] for launch in launches))

    def test_counts_launches_but_runs_none_when_asked_to_do_nothing(self):
        done = run([program("kernels")], HEADROOM_RECORD=self.prefix, HEADROOM_DO_NOTHING="1")
        self.assertNotEqual(done.returncode, 0)
        lines = records(self.prefix)[0]
        launches = [line["launch"] for line in lines if "launch" in line]
        self.assertEqual(len(launches), 4)
        self.assertFalse(any(launch["completed"] for launch in launches))
        self.assertTrue(all(launch["caveats"] for launch in launches))

    def test_a_fault_stands_in_the_record_with_its_place(self):
        done = run([program("fault")], HEADROOM_RECORD=self.prefix)
        self.assertEqual(done.returncode, 0)
        self.assertIn("store(int*)", done.stderr)
        findings = [finding for line in records(self.prefix)[0] if "launch" in line
                    for finding in line["launch"]["findings"]]
        self.assertEqual(len(findings), 1)
        self.assertEqual(findings[0]["cuda_error"], 700)
        self.assertIn("fault.cu:", findings[0]["source"])

    def test_names_a_call_it_lacks_once_and_notes_it(self):
        done = run([program("unsupported")], HEADROOM_RECORD=self.prefix)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("cudaIpcGetMemHandle is not supported yet"), 1)
        self.assertIn("conditional nodes and external semaphores are not supported yet", done.stderr)
        self.assertEqual(done.stderr.count("cuIpcGetMemHandle is not supported yet"), 1)
        for name in ("cudaIpcGetMemHandle", "cuIpcGetMemHandle"):
            self.assertIn(f'"{name}"', json.dumps(records(self.prefix)[0][-1]))

    def test_a_launch_that_cannot_run_stands_in_the_record_with_the_reason(self):
        done = run([program("fault")], HEADROOM_RECORD=self.prefix, HEADROOM_IMAGE="sm_99")
        self.assertNotEqual(done.returncode, 0)
        launch = next(line["launch"] for line in records(self.prefix)[0] if "launch" in line)
        self.assertFalse(launch["completed"])
        self.assertIn("no PTX for sm_99", launch["caveats"][0]["what"])
        self.assertIn("no PTX for sm_99", done.stderr)

    def test_a_launch_that_a_gpu_refuses_stands_in_the_record_with_the_limit_and_the_fix(self):
        done = run([program("launch_errors")], HEADROOM_RECORD=self.prefix)
        refused = {caveat["what"]: caveat["advice"] for line in records(self.prefix)[0] if "launch" in line
                   for caveat in line["launch"]["caveats"] if not line["launch"]["completed"]}
        self.assertIn("not executed: a block of 1025 threads, and 1024 are the most", refused)
        opt_in = [fix for what, fix in refused.items() if "dynamic shared" in what and "cudaFuncSetAttribute" in fix]
        self.assertTrue(opt_in, refused)
        self.assertIn("did not run: a block of 1025 threads", done.stderr)

    def test_a_kernel_that_never_returned_stands_in_the_record(self):
        done = run([program("kernels")], HEADROOM_RECORD=self.prefix)
        lines = records(self.prefix)[0]
        at = next(number for number, line in enumerate(lines) if "begin" in line)
        after = next(line["launch"] for line in lines[at:] if "launch" in line)
        self.assertEqual(lines[at]["begin"]["mangled"], after["mangled"])
        self.assertEqual(done.returncode, 0)

    def test_a_program_without_standard_streams_does_not_print_into_the_record(self):
        run(["/bin/sh", "-c", program("printing") + " <&- >&- 2>&-"], HEADROOM_RECORD=self.prefix)
        self.assertIn("end", records(self.prefix)[0][-1])

    def test_a_program_that_closes_its_descriptors_keeps_its_file_and_its_record(self):
        text = self.prefix + ".text"
        done = run([program("descriptors"), text], HEADROOM_RECORD=self.prefix + ".record")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        with open(text) as file:
            self.assertEqual(file.read(), "the program's own\n")
        lines = records(self.prefix + ".record")[0]
        self.assertEqual(len([line for line in lines if "launch" in line]), 3)
        self.assertIn("end", lines[-1])

    def test_launches_of_exit_handlers_stand_in_the_record(self):
        done = run([program("at_exit")], HEADROOM_RECORD=self.prefix)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(len([line for line in records(self.prefix)[0] if "launch" in line]), 5)

    def test_a_process_that_becomes_another_program_keeps_its_first_record(self):
        done = run([program("descriptors"), "--exec", program("kernels")], HEADROOM_RECORD=self.prefix)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        first, second = records(self.prefix)
        self.assertEqual(first[0]["process"], second[0]["process"])
        self.assertEqual(len([line for line in first if "launch" in line]), 1)
        self.assertEqual(len([line for line in second if "launch" in line]), 4)
        self.assertEqual(["end" in lines[-1] for lines in (first, second)], [False, True])

    def test_many_equal_launches_take_little_room(self):
        run([program("descriptors"), "--launches", "1000"], HEADROOM_RECORD=self.prefix)
        path = glob.glob(self.prefix + ".*")[0]
        self.assertEqual(len([line for line in record.lines(path) if "launch" in line]), 1000)
        self.assertLess(os.path.getsize(path), 100_000)

    def test_says_where_a_record_has_no_room(self):
        limit = "ulimit -f 5; trap '' XFSZ; exec "  # in KiB: as a full disk, short writes and then none
        done = run(["/bin/bash", "-c", limit + f"{program('descriptors')} --launches 1000"],
                   HEADROOM_RECORD=self.prefix)
        self.assertEqual(done.returncode, 0)
        self.assertIn("the record ends here: File too large", done.stderr)
        (path,) = glob.glob(self.prefix + ".*")
        self.assertTrue(path.endswith(".incomplete.jsonl"))
        lines = record.lines(path)  # whole ones
        self.assertGreater(len([line for line in lines if "launch" in line]), 10)

    def test_prints_what_kernels_print_in_order(self):
        done = run([program("printing")])
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "before\nblock 0 thread 0: 0.50\nblock 1 thread 0: 1.50\nafter\n")

    def test_says_what_is_wrong_with_its_own_settings(self):
        done = run([program("device")], HEADROOM_MACHINE="h2000")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("h2000"), 1)

    def test_refuses_a_kernel_that_launches_a_kernel_and_no_other(self):
        done = run([program("launches_inside")], HEADROOM_RECORD=self.prefix)
        self.assertEqual((done.returncode, done.stdout), (0, "cudaErrorInvalidKernelImage\n"))
        self.assertIn("parent(int*)", done.stderr)
        self.assertIn("a kernel that launches a kernel (dynamic parallelism) is not supported", done.stderr)
        launches = [line["launch"] for line in records(self.prefix)[0] if "launch" in line]
        self.assertEqual([launch["completed"] for launch in launches], [True, False])

    def test_says_on_what_registers_of_linked_device_code_rest(self):
        run([program("relocatable")], HEADROOM_RECORD=self.prefix, HEADROOM_MACHINE="h200")
        run([program("relocatable")], HEADROOM_RECORD=self.prefix + "_a100", HEADROOM_MACHINE="a100")
        said = [next(line["launch"]["resources"]["from"] for line in records(prefix)[0] if "launch" in line)
                for prefix in (self.prefix, self.prefix + "_a100")]
        self.assertRegex(said[0], r"^ptxas 13\..* -arch=sm_90 -c, nvlink$")
        self.assertEqual(said[1], "cubin sm_80 in the image")

    def test_simulates_as_many_devices_as_asked(self):
        done = run([program("device")], HEADROOM_DEVICES="2")
        self.assertIn("count == 1", done.stdout)

    def test_children_of_a_fork_have_records_of_their_own(self):
        done = run([program("forks")], HEADROOM_RECORD=self.prefix)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("the parent had begun to use CUDA", done.stderr)
        both = records(self.prefix)
        self.assertEqual(len(both), 2)
        self.assertEqual([len([line for line in lines if "launch" in line]) for lines in both], [1, 1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--standin", "--programs", "--symbols", "--driver"):
        parser.add_argument(name, required=True)
    arguments, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest)
