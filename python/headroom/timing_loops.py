"""Loops that time a kernel repeat it until enough time has gone by on the GPU: of Triton's do_bench 100 ms, which would be
hundreds of thousands of launches on the emulator. They run it once here, and answer with the time that is predicted of it;
the report tells how many did. `headroom run --timing-loops as-written` leaves them as they are.

Changed as soon as it is imported: do_bench and its kin in triton.testing, the benchmarkers of torch's Inductor.
"""
import ctypes
import functools
import inspect
import sys

from headroom.importing import when_imported

EVENT_SECONDS = 0.5e-6  # as long as an event takes on the emulator: no loop finds a time of 0


class Emulator:
    """What the library that stands in for CUDA answers; none where the process has another."""

    def __init__(self):
        library = ctypes.CDLL(None)
        self.busy_seconds = library.headroom_busy_seconds
        self.busy_seconds.restype = ctypes.c_double
        self.count_loop = library.headroom_timing_loop
        self.wait = library.cuCtxSynchronize
        self.loops = 0

    def seconds_of(self, fn):
        loops = self.loops
        seconds = self.seconds_of_one_run(fn)
        if self.loops != loops:  # it has tuned itself: another run shows what it takes
            seconds = self.seconds_of_one_run(fn)
        self.loops += 1
        self.count_loop()
        return seconds

    def seconds_of_one_run(self, fn):
        before = self.busy_seconds()
        fn()
        self.wait_for_device()
        return self.busy_seconds() - before

    def wait_for_device(self):
        torch = sys.modules.get("torch")
        if torch is not None and torch.cuda.is_initialized():
            torch.cuda.synchronize()  # a fault becomes an exception of torch's
        else:
            self.wait()


def once(original, emulator):
    signature = inspect.signature(original)

    @functools.wraps(original)
    def timed(*args, **kwargs):
        given = signature.bind(*args, **kwargs).arguments
        for tensor in given.get("grad_to_none") or ():
            tensor.grad = None
        milliseconds = 1e3 * (emulator.seconds_of(given["fn"]) + EVENT_SECONDS)
        quantiles = given.get("quantiles")
        if quantiles is not None:
            return [milliseconds] * len(quantiles) if len(quantiles) > 1 else milliseconds
        return [milliseconds] if given.get("return_mode") == "all" else milliseconds

    return timed


def change_triton(testing, emulator):
    for name in ("do_bench", "do_bench_cudagraph", "do_bench_proton", "do_bench_cudagraph_proton"):
        if hasattr(testing, name):
            setattr(testing, name, once(getattr(testing, name), emulator))


def change_inductor(benchmarking, emulator):
    def without_graph(self, _callable, grad_to_none=None, cudagraph_unroll=None, **kwargs):
        return self.benchmark_gpu(_callable, grad_to_none=grad_to_none, **kwargs)

    by_do_bench = benchmarking.TritonBenchmarker.benchmark_gpu
    for kind in list(vars(benchmarking).values()):
        if isinstance(kind, type) and issubclass(kind, benchmarking.TritonBenchmarker):
            kind.benchmark_gpu = by_do_bench
            kind.benchmark_gpu_with_cuda_graph = without_graph


CHANGES = {"triton.testing": change_triton, "torch._inductor.runtime.benchmarking": change_inductor}


@functools.lru_cache(maxsize=None)
def the_emulator():
    return Emulator()


def changed_by(change):
    def task(module):
        try:
            change(module, the_emulator())
        except AttributeError:
            pass  # another process's CUDA, or a release that has none of this: its loops stay

    return task


def cut():
    when_imported({name: changed_by(change) for name, change in CHANGES.items()})
