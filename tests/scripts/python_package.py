"""headroom's Python package, and what Python starts with under `headroom run`: launches and their counters, pytest's
fixture, timing loops that run once. Kernels are PTX, launched by the driver API through ctypes, so that no wheel is needed.

    python_package.py HEADROOM
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from run_record import whole_launches

HEADROOM = pathlib.Path(sys.argv.pop()).resolve()

# Each lane of a warp writes a word of shared memory, 128 bytes from its neighbour's (all 32 in one bank) or 4.
DEVICE = '''
import ctypes

PTX = b"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry NAME() {
  .reg .u32 %r<4>;
  .shared .align 4 .b8 tile[4096];
  mov.u32 %r0, %tid.x;
  mul.lo.u32 %r1, %r0, STRIDE;
  mov.u32 %r2, tile;
  add.u32 %r1, %r1, %r2;
  st.volatile.shared.u32 [%r1], %r0;
  ret;
}
"""
cuda = ctypes.CDLL("libcuda.so.1")
context = ctypes.c_void_p()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0


def load(name, stride):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    text = PTX.replace(b"NAME", name).replace(b"STRIDE", str(stride).encode())
    assert cuda.cuModuleLoadData(ctypes.byref(module), text) == 0
    assert cuda.cuModuleGetFunction(ctypes.byref(function), module, name) == 0
    return function


def launch(function, blocks=1, threads=32):
    assert cuda.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, None, None, None) == 0


column, row = load(b"column", 128), load(b"row", 4)
'''


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("device.py", DEVICE)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def python(self, *words, options=(), interpreter=sys.executable, **variables):
        """What `headroom run -- python WORDS` leaves: its output, and the record of its launches."""
        command = [HEADROOM, "run", "--json", "run.json", *options, "--", interpreter, *words]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)
        return done, json.loads((self.folder / "run.json").read_text())

    def script(self, text, **more):
        self.write("script.py", text)
        done, run = self.python("script.py", **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split(), run


class Launches(Package):
    def test_are_those_inside_the_with(self):
        words, run = self.script("""
            import headroom
            from device import *
            launch(row)
            with headroom.launches() as seen:
                launch(column, 3)
                print(len(seen), seen[0].kernel)
                with headroom.launches() as inner:
                    launch(row, 2, 64)
            launch(row)
            print(len(seen), len(inner), inner[0].grid, inner[0].block, seen[0].counters["shared_store_wavefronts"])
            print(seen[1].registers, seen[1].floor_seconds, seen[1].predicted_seconds, seen[1].state)
            """)
        self.assertEqual(words[:2], ["1", "column"])
        self.assertEqual(" ".join(words[2:11]), "2 1 (2, 1, 1) (64, 1, 1) 96")
        told = run["launches"][2]
        self.assertEqual(words[11:], [str(told["registers"]), str(told["floor_seconds"]),
                                      str(told["prediction"]["time_ns"] * 1e-9), "ran"])

    def test_have_every_number_however_many_kinds_there_are(self):
        words, run = self.script("""
            import headroom
            from device import *
            with headroom.launches() as seen:
                for i in range(300):
                    launch(row, i + 1)
                    launch(column, i + 1)
            print(sum(each.counters["shared_store_conflicts"] for each in seen))
            """)
        self.assertEqual(int(words[0]), 31 * 300 * 301 // 2)
        self.assertEqual(len(run["launches"]), 600)

    def test_of_a_fault_are_stopped_with_a_finding(self):
        words, _ = self.script("""
            import headroom
            from device import *
            with headroom.launches() as seen:
                launch(column, 1, 64)
            print(seen[0].state, seen[0].findings[0]["kind"], seen[0].counters)
            """)
        self.assertEqual(words, ["stopped", "illegal_shared_store", "{}"])

    def test_name_the_nearest_counter_where_none_is_called_so(self):
        words, _ = self.script("""
            import headroom
            from device import *
            with headroom.launches() as seen:
                launch(column)
                launch(column, 1, 64)
            print(seen[0].counters["shared_store_conflicts"])
            for launch in seen:
                try:
                    launch.counters["shared_store_conflict"]
                except KeyError as error:
                    print(error)
            """)
        said = " ".join(words)
        self.assertTrue(said.startswith("31 "), said)
        self.assertIn("did you mean 'shared_store_conflicts'?", said)
        self.assertIn("the launch did not run to its end", said)

    def test_count_nothing_where_check_runs_them(self):
        self.write("checked.py", """
            import headroom
            from device import *
            with headroom.launches() as seen:
                launch(column)
            print(seen[0].state, dict(seen[0].counters))
            seen[0].counters["shared_store_conflicts"]
            """)
        done = subprocess.run([HEADROOM, "check", "--", sys.executable, "checked.py"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("ran {}", done.stdout)
        self.assertIn("headroom check looks for faults and counts nothing", done.stderr)

    def test_there_are_none_without_headroom(self):
        done = subprocess.run([sys.executable, "-c", "import headroom; print(headroom.is_running())"], text=True,
                              capture_output=True, env={**os.environ, "PYTHONPATH": str(HEADROOM.parents[1] / "lib/headroom/python")})
        self.assertEqual(done.stdout, "False\n", done.stderr)


def interpreter_with_pytest():
    for path in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([path, "-c", "import pytest"], capture_output=True).returncode == 0:
            return path
    raise AssertionError("no Python here has pytest: scripts/setup installs python3-pytest")


class Pytest(Package):
    def test_the_fixture_has_the_launches_of_the_test(self):
        self.write("test_kernels.py", """
            from device import *

            def test_before():
                launch(column)

            def test_row_has_no_conflicts(headroom):
                launch(row)
                assert all(each.counters["shared_store_conflicts"] == 0 for each in headroom.launches)
                assert len(headroom.launches) == 1

            def test_column_has_none_either(headroom):
                launch(column)
                assert headroom.kernel("column").counters["shared_store_conflicts"] == 0

            def test_there_is_one_launch_of_that_name(headroom):
                launch(row)
                headroom.kernel("column")
            """)
        done, _ = self.python("-m", "pytest", "-q", "-p", "no:cacheprovider", interpreter=interpreter_with_pytest())
        self.assertIn("2 failed, 2 passed", done.stdout, done.stderr)
        self.assertIn("assert 31 == 0", done.stdout)
        self.assertIn("0 launches of 'column'; launches of this test: row", done.stdout)

    def test_without_headroom_such_a_test_is_skipped(self):
        self.write("test_kernels.py", "def test_it(headroom):\n    assert False\n")
        done = subprocess.run([interpreter_with_pytest(), "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "headroom.pytest"],
                              cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": str(HEADROOM.parents[1] / "lib/headroom/python")})
        self.assertIn("1 skipped", done.stdout, done.stderr)


EVENT_MS = 0.5e-3


def predicted_ms(launch):
    return launch["prediction"]["time_ns"] * 1e-6


# Written as Triton's is: until enough time has gone by.
LOOP = """
def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean"):
    for _ in range(7):
        fn()
    return 7.0
"""
INDUCTOR = """
class Benchmarker:
    pass


class TritonBenchmarker(Benchmarker):
    def benchmark_gpu(self, _callable, **kwargs):
        from triton.testing import do_bench
        return do_bench(_callable, return_mode="median")


class InductorBenchmarker(TritonBenchmarker):
    def benchmark_gpu(self, _callable, **kwargs):
        for _ in range(7):
            _callable()
        return 7.0
"""


class TimingLoops(Package):
    def setUp(self):
        super().setUp()
        self.write("triton/__init__.py", "")
        self.write("triton/testing.py", LOOP)

    def test_run_once_and_answer_the_predicted_time(self):
        words, run = self.script("""
            from triton.testing import do_bench
            from device import *
            print(do_bench(lambda: launch(column, 1000)), *do_bench(lambda: launch(row), quantiles=(0.5, 0.2)))
            print(*do_bench(lambda: launch(row), return_mode="all"))
            """)
        self.assertEqual(len(run["launches"]), 3)
        column, row = [EVENT_MS + predicted_ms(launch) for launch in run["launches"][:2]]
        for word, told in zip(words, (column, row, row, row)):
            self.assertAlmostEqual(float(word), told, 9)
        self.assertEqual(len(words), 4)
        self.assertEqual(run["timing_loops"], 3)
        self.assertIn("3 timing loops of Triton or Inductor ran what it times once", [each["what"] for each in run["caveats"]])

    def test_what_tunes_itself_runs_again(self):
        words, run = self.script("""
            from triton.testing import do_bench
            from device import *
            tuned = []
            def kernel():
                if not tuned:
                    do_bench(lambda: launch(column, 1000))
                    tuned.append(True)
                launch(row)
            print(do_bench(kernel))
            """)
        self.assertEqual([launch["kernel"] for launch in whole_launches(run["launches"])], ["column", "row", "row"])
        self.assertAlmostEqual(float(words[0]), EVENT_MS + predicted_ms(whole_launches(run["launches"])[2]), 9)

    def test_of_inductor_too(self):
        for package in ("torch", "torch/_inductor", "torch/_inductor/runtime"):
            self.write(f"{package}/__init__.py", "class cuda:\n    is_initialized = lambda: False\n")
        self.write("torch/_inductor/runtime/benchmarking.py", INDUCTOR)
        words, run = self.script("""
            from torch._inductor.runtime.benchmarking import InductorBenchmarker
            from device import *
            InductorBenchmarker().benchmark_gpu(lambda: launch(row))
            InductorBenchmarker().benchmark_gpu_with_cuda_graph(lambda: launch(row), cudagraph_unroll=3)
            """)
        self.assertEqual(len(run["launches"]), 2)

    def test_stay_as_written_where_that_is_asked_for(self):
        _, run = self.script("""
            from triton.testing import do_bench
            from device import *
            assert do_bench(lambda: launch(row)) == 7.0
            """, options=("--timing-loops", "as-written"))
        self.assertEqual(len(run["launches"]), 7)
        self.assertEqual(run["timing_loops"], 0)


class Libraries(Package):
    def test_one_with_a_runtime_of_its_own_is_named_at_its_call(self):
        self.write("cublas.c", """
            int cuGetExportTable(const void**, const void*);
            int cublasCreate_v2(void) { const void* table; char id[16] = {0}; return cuGetExportTable(&table, id); }
            """)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "libcublas.so.13", "cublas.c"], cwd=self.folder, check=True)
        self.write("script.py", """
            from device import *
            library = ctypes.CDLL("./libcublas.so.13")
            launch(row)
            print("loaded", flush=True)
            print(library.cublasCreate_v2())
            """)
        done, run = self.python("script.py")
        self.assertEqual(done.stdout.split(), ["loaded", "500"])  # CUDA_ERROR_NOT_FOUND
        self.assertIn("libcublas.so.13: cannot run on the emulator", done.stderr)
        self.assertEqual(len(run["launches"]), 1)


class Tensors(Package):
    def check(self, **variables):
        self.write("torch.py", "")
        self.write("script.py", "import torch\nfrom device import *\nlaunch(row)\n")
        return subprocess.run([HEADROOM, "check", "--", sys.executable, "script.py"], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **variables}, timeout=120)

    def test_check_tells_that_pytorch_hides_where_they_end(self):
        told = "PYTORCH_NO_CUDA_MEMORY_CACHING=1 headroom check"
        done = self.check()
        self.assertEqual((done.returncode, done.stderr.count(told)), (0, 1), done.stderr)
        self.assertNotIn(told, self.check(PYTORCH_NO_CUDA_MEMORY_CACHING="1").stderr)


class MachineCode(Package):
    def test_of_another_architecture_is_refused_with_both_names(self):
        self.write("kernel.cu", "extern \"C\" __global__ void nothing() {}\n")
        nvcc = pathlib.Path(os.environ["CUDA_HOME"], "bin/nvcc")
        subprocess.run([nvcc, "-cubin", "-arch=sm_80", "kernel.cu"], cwd=self.folder, check=True)
        self.write("script.py", """
            from device import *
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            code = cuda.cuModuleLoad(ctypes.byref(module), b"kernel.cubin")
            print(code)
            if code == 0:
                assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"nothing") == 0
                launch(function)
            """)
        done, _ = self.python("script.py", options=("--machine", "h200"))
        self.assertEqual(done.stdout, "209\n")  # CUDA_ERROR_NO_BINARY_FOR_GPU
        self.assertIn("machine code only (sm_80), and no PTX; the machine is of sm_90", done.stderr)
        # … of the same major version and a higher minor one it runs as it came
        for machine in ("a100", "l4"):
            done, record = self.python("script.py", options=("--machine", machine))
            self.assertEqual((done.returncode, done.stdout), (0, "0\n"), done.stderr)
            self.assertEqual([(launch["engine"], launch["image"]) for launch in record["launches"]], [("machine", "sm_80")])


    def test_alone_is_checked_for_races_and_told_in_words_of_python(self):
        self.write("kernel.cu", """
            extern "C" __global__ void turned() {
              __shared__ int tile[128];
              tile[threadIdx.x] = threadIdx.x;
              if (tile[127 - threadIdx.x] < 0) __trap();
            }
            """)
        nvcc = pathlib.Path(os.environ["CUDA_HOME"], "bin/nvcc")
        subprocess.run([nvcc, "-cubin", "-arch=sm_90", "kernel.cu"], cwd=self.folder, check=True)
        self.write("script.py", """
            from device import *
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            assert cuda.cuModuleLoad(ctypes.byref(module), b"kernel.cubin") == 0
            assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"turned") == 0
            launch(function, 1, 128)
            """)
        done = subprocess.run([HEADROOM, "check", "--json", "check.json", "--", sys.executable, "script.py"], cwd=self.folder,
                              capture_output=True, text=True, timeout=120)
        findings = json.loads((self.folder / "check.json").read_text())["findings"]
        # a warp that comes first reads what nobody wrote
        self.assertEqual((done.returncode, [each["kind"] for each in findings]), (1, ["race_shared", "uninitialised"]), done.stderr)
        self.assertIn("cuda.syncthreads() in Numba", findings[0]["advice"])
        self.assertIn("lineinfo=True", findings[0]["source"])


class Interrupted(Package):
    LONG = b"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry counts() {
  .reg .u64 %rd<2>;
  .reg .pred %p<2>;
  .shared .align 8 .b8 now[8];
  mov.u64 %rd0, 0;
more:
  st.volatile.shared.u64 [now], %rd0;
  add.u64 %rd0, %rd0, 1;
  setp.ne.u64 %p1, %rd0, 0;
  @%p1 bra more;
  ret;
}
"""

    def test_ctrl_c_ends_a_kernel_and_keeps_what_ran_before(self):
        self.write("script.py", f"""
            import device
            device.launch(device.row)
            device.PTX = {self.LONG!r}
            counts = device.load(b"counts", 0)
            print("begun", flush=True)
            device.launch(counts)
            print("not interrupted")
            """)
        with subprocess.Popen([HEADROOM, "run", "--no-model", "--", sys.executable, "script.py"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "begun\n")
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            pressed = time.monotonic()
            out, error = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - pressed, 20)
        self.assertEqual((process.returncode, out), (-signal.SIGINT, ""), error)  # 130 to a shell
        self.assertIn("KeyboardInterrupt", error)
        self.assertIn("2 launches of 2 kernels, 1 stopped", " ".join(error.split()))
        self.assertIn("ended by Ctrl-C", error)


class Start(Package):
    def test_a_sitecustomize_of_the_user_follows(self):
        self.write("own/sitecustomize.py", "import sys\nsys.own_was_started = __file__\n")
        words, _ = self.script("import sys, sitecustomize, device\nprint(sys.own_was_started, sitecustomize.__file__)\n",
                               PYTHONPATH=str(self.folder / "own"))
        self.assertEqual(words, [str(self.folder / "own/sitecustomize.py")] * 2)

    def test_devices_are_those_of_the_emulator(self):
        words, _ = self.script("import os, device\nprint(os.environ['CUDA_VISIBLE_DEVICES'])", options=("--simulated-devices", "2"))
        self.assertEqual(words, ["0,1"])

    def test_plugins_of_the_user_stay(self):
        words, _ = self.script("import os, device\nprint(os.environ['PYTEST_PLUGINS'])", PYTEST_PLUGINS="mine,yours")
        self.assertEqual(words, ["headroom.pytest,mine,yours"])


if __name__ == "__main__":
    unittest.main()
