"""headroom run --gpu from end to end without a GPU: driver and CUPTI are ours and play traces back.

    python3 chain.py build/release
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import run_record  # noqa: E402

import traces

BUILD = os.path.realpath(sys.argv.pop(1))
HEADROOM = os.path.join(BUILD, "bin/headroom")
PROGRAM = os.path.join(BUILD, "tests/programs/gpu_program")
SAXPY = os.path.join(BUILD, "tests/programs/golden_saxpy")
FAKE = os.path.join(BUILD, "tests/programs/fake_gpu")
RECORDED = os.path.join(os.path.dirname(os.path.realpath(__file__)), "recorded")


class Chain(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.trace = self.path("trace")
        traces.write(self.trace, [
            traces.device(), traces.name(1, "_Z4axpyiPf"), traces.name(2, "_Z4gemmPf"),
            *(traces.launch(1, 10_000 + 5_000 * i, 2_000 + 100 * i, correlation=2 + i) for i in range(4)),
            traces.launch(2, 50_000, 40_000, grid=(4, 4, 1), correlation=20, dynamic=65536),
            traces.copy(1, 1 << 20, 1_000, 50_000), traces.copy(1, 1 << 20, 60_000, 20_000, memory=(2, 3)),
            traces.copy(2, 4096, 90_000, 1_000, memory=(3, 5)), traces.copy(0, 512, 95_000, 500, memory=(0, 3))])

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def environment(self, **more):
        clean = {k: v for k, v in os.environ.items()
                 if not k.startswith(("FAKE_", "HEADROOM_", "CUDA_"))}
        return {**clean, "LD_LIBRARY_PATH": FAKE, "HEADROOM_CUPTI": FAKE, "FAKE_CUPTI_TRACE": self.trace,
                "TMPDIR": self.folder.name, **more}

    def run_gpu(self, *words, options=(), gpu="0", **more):
        return subprocess.run([HEADROOM, "run", "--gpu", gpu, *options, "--", PROGRAM, *words], capture_output=True,
                              text=True, timeout=60, env=self.environment(**more))

    def measured(self, *words, options=(), **more):
        out = self.path("out.json")
        result = self.run_gpu(*words, options=["--json", out, *options], **more)
        with open(out, encoding="utf-8") as file:
            return result, json.load(file)

    def whats(self, report):
        return " | ".join(caveat["what"] for caveat in report["caveats"])

    # the whole chain
    def test_launches_and_copies_arrive_with_all_they_have(self):
        result, report = self.measured("cuda", "launch=100", "say=hello", "exit=7")
        self.assertEqual((result.returncode, result.stdout), (7, "hello\n"))
        self.assertEqual(report["schema"], "headroom-timing/1")
        self.assertEqual([l["kernel"] for l in report["launches"]], ["axpy(int, float*)"] * 4 + ["gemm(float*)"])
        first, last = report["launches"][0], report["launches"][-1]
        self.assertAlmostEqual(first["seconds"], 2e-6)
        self.assertAlmostEqual(first["start"], 9e-6)  # from the first copy
        self.assertEqual((first["grid"], first["block"], first["registers"], first["stream"]),
                         ([8, 8, 1], [32, 32, 1], 32, 7))
        self.assertEqual((last["dynamic_shared"], last["occupancy"]), (65536, 1.0))
        self.assertEqual(report["machine"]["name"], "h200")
        self.assertEqual(report["gpu"]["multiprocessors"], 132)
        self.assertIn("Floors are unknown", result.stderr)
        self.assertEqual(report["caveats"], [])

    def test_copies_are_summed_by_direction_and_memory(self):
        _, report = self.measured("cuda", "launch=100")
        rows = [(t["direction"], t["from"], t["to"], t["calls"], t["bytes"]) for t in report["transfers"]]
        self.assertEqual(rows, [("host_to_device", "pageable", "device", 1, 1 << 20),
                                ("host_to_device", "pinned", "device", 1, 1 << 20),
                                ("device_to_host", "device", "managed", 1, 4096), ("memset", "", "device", 1, 512)])
        self.assertAlmostEqual(report["transfers"][0]["rate"], (1 << 20) / 50e-6)

    def test_ten_thousand_launches_come_through_several_buffers_in_order(self):
        traces.write(self.trace, [traces.device(), traces.name(1, "_Z4tinyv")] +
                     [traces.launch(1, 1000 + 3 * i, 2, correlation=i) for i in range(10_000)])
        _, report = self.measured("cuda", "launch=20000")
        starts = [launch["start"] for launch in report["launches"]]
        self.assertEqual((len(starts), starts == sorted(starts)), (10_000, True))

    def test_the_cupti_of_cuda_12_is_known_too(self):
        result, report = self.measured("cuda", "launch=100", FAKE_CUPTI_VERSION="28")
        self.assertEqual((report["gpu"]["cupti_version"], len(report["launches"])), (28, 5))
        self.assertIn("by CUPTI API 28", result.stderr)

    def test_recorded_traces_of_a_gpu_play_back_as_they_were(self):
        names = sorted(n for n in os.listdir(RECORDED) if n.endswith(".activity")) if os.path.isdir(RECORDED) else []
        for name in names:
            self.trace = os.path.join(RECORDED, name)
            _, report = self.measured("cuda", "launch=1000000")
            with self.subTest(name):
                with open(self.trace, "rb") as file:
                    data = file.read()
                kinds = []
                while data:
                    kind, size = traces.struct.unpack("<2I", data[:8])
                    kinds.append(kind)
                    data = data[8 + size:]
                self.assertEqual(len(report["launches"]), kinds.count(traces.LAUNCH))
                self.assertEqual(len(report["copies"]), kinds.count(traces.COPY))
                self.assertTrue(all(launch["seconds"] for launch in report["launches"]))

    def test_every_process_has_a_trace_of_its_own(self):
        result, report = self.measured("cuda", "launch=3", "child", "cuda", "launch=2", "exit=5")
        self.assertEqual(result.returncode, 5)
        self.assertEqual(report["program"]["processes"], 2)
        self.assertEqual(len({launch["process"] for launch in report["launches"]}), 2)
        self.assertEqual(len(report["launches"]), 5)

    def test_a_fork_without_exec_leaves_its_parents_trace_alone(self):
        _, report = self.measured("cuda", "launch=3", "fork", "launch=1", "exit=0")
        self.assertEqual((report["program"]["processes"], len(report["launches"])), (1, 4))
        self.assertEqual(report["caveats"], [])

    # beside the floors
    def counted_saxpy(self, *options):
        """A run of saxpy on the executor, and a trace of the same launches, each twice as long as its floor."""
        counters = self.path("counters.json")
        subprocess.run([HEADROOM, "run", *options, "--json", counters, "--", SAXPY], capture_output=True, check=True, timeout=60,
                       env={**self.environment(), "LD_LIBRARY_PATH": ""})
        with open(counters, encoding="utf-8") as file:
            launches = run_record.whole_launches(json.load(file)["launches"])
        blocks = [traces.device()]
        for number, launch in enumerate(launches, 1):
            blocks += [traces.name(number, launch["mangled"]),
                       traces.launch(number, 1000 * number, round(2e9 * launch["floor_seconds"]), tuple(launch["grid"]),
                                     tuple(launch["block"]), number, launch["registers"])]
        return counters, launches, blocks

    def test_counters_of_the_executor_join_measured_launches(self):
        counters, launches, blocks = self.counted_saxpy()
        traces.write(self.trace, blocks)
        result, report = self.measured("cuda", "launch=100", options=["--counters", counters])
        self.assertGreater(len(launches), 0)
        for counted, launch in zip(launches, report["launches"], strict=True):
            self.assertEqual((launch["joined"], launch["limiter"]), ("by order", counted["limiter"]))
            self.assertAlmostEqual(launch["floor_seconds"] / counted["floor_seconds"], 1)
            self.assertAlmostEqual(launch["headroom"], 2, delta=0.01)
            self.assertAlmostEqual(launch["useful_rate"] * launch["seconds"] / counted["useful_bytes"], 1)
        self.assertIn("Against the floors of NVIDIA H200", result.stderr)
        self.assertEqual(report["caveats"], [])

    def test_counters_of_another_machine_are_told(self):
        counters, _, blocks = self.counted_saxpy("--machine", "a100")
        traces.write(self.trace, blocks)
        _, report = self.measured("cuda", "launch=100", options=["--counters", counters])
        self.assertEqual(self.whats(report), "counted as on the machine a100, measured on h200")

    def test_what_was_not_counted_keeps_its_time_and_is_named(self):
        counters, launches, blocks = self.counted_saxpy()
        traces.write(self.trace, [*blocks, traces.name(99, "_Z5otherv"), traces.launch(99, 90_000, 500, correlation=99)])
        _, report = self.measured("cuda", "launch=100", options=["--counters", counters])
        last = report["launches"][-1]
        self.assertEqual((last["joined"], last["floor_seconds"]), ("no", None))
        self.assertAlmostEqual(last["seconds"], 5e-7, places=12)
        self.assertIn("1 launches were not counted, their floors are unknown: other", self.whats(report))

    def test_one_process_that_could_not_be_measured_is_told(self):
        _, report = self.measured("cuda", "launch=3", "child", "env=FAKE_CUPTI_FAILS=cuptiSubscribe=39", "cuda")
        self.assertEqual(len(report["launches"]), 3)
        self.assertIn("was not measured", self.whats(report))

    # ends of all kinds
    def test_a_crash_keeps_what_was_done(self):
        for word, number in (("crash", signal.SIGSEGV), ("abort", signal.SIGABRT), ("breakpoint", signal.SIGTRAP)):
            result, report = self.measured("cuda", "launch=4", word)
            with self.subTest(word):
                self.assertEqual((result.returncode, len(report["launches"])), (-number, 4))
                self.assertIn("ended without our noticing", self.whats(report))

    def test_a_crash_waits_for_what_is_not_written_yet_however_late_it_comes(self):
        result, report = self.measured("cuda", "launch=2", "sleep=700", "launch=3", "crash", FAKE_CUPTI_FLUSH="50")
        self.assertEqual((result.returncode, len(report["launches"])), (-signal.SIGSEGV, 5))

    def test_a_signal_that_comes_twice_at_once_loses_nothing(self):
        twice = [f"raise={signal.SIGTERM.value}"] * 2
        result, report = self.measured("cuda", "launch=4", *twice, "sleep=9000", FAKE_CUPTI_FLUSH="50")
        self.assertEqual((result.returncode, len(report["launches"])), (-signal.SIGTERM, 4))

    def test_a_signal_ends_a_program_that_runs_into_its_end_meanwhile(self):
        result, report = self.measured("cuda", "launch=4", f"raise={signal.SIGTERM.value}", "exit=3")
        self.assertEqual((result.returncode, len(report["launches"])), (-signal.SIGTERM, 4))

    def test_leaving_without_exit_is_told(self):
        result, report = self.measured("cuda", "launch=100", "say=x", "leave")
        self.assertEqual(result.returncode, 0)
        self.assertIn("ended without our noticing", self.whats(report))

    def test_an_interrupt_gives_the_report_of_what_was_seen(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            out = self.path("out.json")
            with subprocess.Popen([HEADROOM, "run", "--gpu", "0", "--json", out, "--", PROGRAM, "cuda", "launch=2", "wait"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment(),
                                  start_new_session=True) as process:
                self.assertEqual(process.stdout.readline(), "ready\n")
                os.killpg(process.pid, number)  # as a terminal does
                _, error = process.communicate(timeout=30)
            with self.subTest(number), open(out, encoding="utf-8") as file:
                self.assertEqual((process.returncode, len(json.load(file)["launches"])), (-number, 2), error)

    # doubts
    def test_dropped_records_are_told(self):
        _, report = self.measured("cuda", "launch=100", FAKE_CUPTI_DROPPED="3")
        self.assertIn("CUPTI lost 3 activities", self.whats(report))

    def test_what_had_not_ended_is_told_and_not_summed(self):
        traces.write(self.trace, [traces.device(), traces.name(1, "_Z4tinyv"), traces.launch(1, 1000, 500),
                                  traces.launch(1, 3000, 0, correlation=2)])
        _, report = self.measured("cuda", "launch=9")
        self.assertIn("1 launch or copy without a time", self.whats(report))
        self.assertEqual(report["kernels"][0]["seconds"]["count"], 1)
        self.assertIsNone(report["launches"][1]["seconds"])

    def test_an_unknown_gpu_has_occupancy_but_no_floors(self):
        traces.write(self.trace, [traces.device("NVIDIA GH200 480GB"), traces.name(1, "_Z4tinyv"),
                                  traces.launch(1, 1000, 500)])
        _, report = self.measured("cuda", "launch=9", FAKE_CUDA_DEVICES="NVIDIA GH200 480GB")
        self.assertIn("no machine is known", self.whats(report))
        self.assertEqual(report["launches"][0]["occupancy"], 1.0)

    def test_a_machine_that_is_not_the_gpu_is_told(self):
        _, report = self.measured("cuda", "launch=9", options=["--machine", "a100"])
        self.assertIn("--machine a100 is not the GPU that ran", self.whats(report))

    # refusals: one message, 125
    def refused(self, *words, expect, code=125, **more):
        result = self.run_gpu(*words, **more)
        self.assertIn(expect, result.stderr)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("headroom: "), 1, result.stderr)
        self.assertIn("hint: ", result.stderr)
        return result

    def test_no_cuda(self):
        self.refused("say=hello", expect="made no CUDA call")
        self.refused("exit=4", expect="made no CUDA call", code=4)  # its own failure comes first

    def test_another_profiler(self):
        result = self.refused("cuda", "say=hello", FAKE_CUPTI_FAILS="cuptiSubscribe=39", expect="another profiler is at work")
        self.assertEqual(result.stdout, "hello\n")
        self.refused(CUDA_INJECTION64_PATH="/opt/nsys.so", expect="CUDA_INJECTION64_PATH is /opt/nsys.so")

    def test_forbidden(self):
        self.refused("cuda", FAKE_CUPTI_FAILS="cuptiActivityEnable=35", expect="profiling is forbidden to this user")

    def test_other_failures_of_cupti(self):
        self.refused("cuda", FAKE_CUPTI_FAILS="cuptiActivityRegisterCallbacks=999", expect="CUPTI refused")
        self.refused("cuda", FAKE_CUPTI_VERSION="140000", expect="version 140000, which this version of headroom")
        self.refused("cuda", FAKE_CUPTI_VERSION="18", expect="version 18, which")

    def test_no_cupti(self):
        result = self.refused("cuda", HEADROOM_CUPTI=self.folder.name, expect="no libcupti.so.13 in " + self.folder.name)
        self.assertEqual(result.stdout, "")
        with open(self.path("libcupti.so.13"), "wb"):
            self.refused("cuda", HEADROOM_CUPTI=self.folder.name, expect="could not be loaded into the program")

    def test_no_gpu(self):
        self.refused("cuda", FAKE_CUDA_INIT="100", expect="sees no GPU (100: no CUDA-capable device is detected)")
        self.refused("cuda", FAKE_CUDA_INIT="100", CUDA_VISIBLE_DEVICES="7", expect="CUDA_VISIBLE_DEVICES is '7'")
        self.refused("cuda", gpu="2", FAKE_CUDA_DEVICES="NVIDIA H200;NVIDIA T4", expect="there are: 0 NVIDIA H200, 1 NVIDIA T4")
        self.refused("cuda", FAKE_CUDA_VERSION="11080", expect="no CUPTI that serves a driver of CUDA 11 is known")

    def test_a_wrong_counters_file(self):
        self.measured("cuda", "launch=1")
        self.refused("cuda", options=["--counters", self.path("out.json")], expect='has the schema "headroom-timing/1"')
        self.refused("cuda", options=["--counters", self.trace], expect="is no record of a run")
        self.refused("cuda", options=["--counters", self.path("nowhere")], expect="cannot be read")
        self.refused("cuda", options=["--counters", self.folder.name], expect="is a folder")
        with open(self.path("damaged"), "w", encoding="utf-8") as file:
            json.dump({"schema": "headroom-run/1", "machine": {"name": "h200"}, "launches": None}, file)
        self.refused("cuda", options=["--counters", self.path("damaged")], expect="is damaged")

    def test_the_choice_of_a_gpu_respects_the_list(self):
        script = self.path("show.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho $CUDA_VISIBLE_DEVICES\n")
        os.chmod(script, 0o755)
        for list_now, wanted in ((None, "1"), ("3,GPU-89", "GPU-89")):
            more = {"CUDA_VISIBLE_DEVICES": list_now} if list_now else {}
            result = subprocess.run([HEADROOM, "run", "--gpu", "1", "--", script], capture_output=True, text=True,
                                    env=self.environment(FAKE_CUDA_DEVICES="A;B", **more))
            self.assertEqual(result.stdout.strip(), wanted)


if __name__ == "__main__":
    unittest.main()
