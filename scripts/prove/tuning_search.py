#!/usr/bin/env python3
"""Predicts the configurations of results/tuning_ranks.json again: compiles KTT's kernels by NVRTC as its records were made, launches each
once on the emulator, and writes the times of this build into the file.

    pip download nvidia-cuda-nvrtc-cu12==12.4.127 --no-deps && unzip nvidia_cuda_nvrtc_cu12-*.whl -d NVRTC
    git clone https://github.com/HiPerCoRe/KTT KTT && git -C KTT checkout 931c415
    scripts/prove/tuning_search.py HEADROOM KTT NVRTC results/tuning_ranks.json FOLDER            some 15 minutes on two cores

A part of the GPU runs a part of the problem (KERNELS and part_of below): so do the file's figures of before. Cubins and runs stay in FOLDER.
"""
import argparse
import ctypes
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
import run_record  # noqa: E402

IMAGE, REACH, POINTS, VERTICES = 2048, 7, 294118, 600


def cut(size, *parts):
    """Blocks along one extent, as KTT's modifier rounds."""
    for part in parts:
        size = (size + part - 1) // part
    return size


def convolution(c):
    grid = [cut(IMAGE, c["BLOCK_SIZE_X"], c["TILE_SIZE_X"]), cut(IMAGE, c["BLOCK_SIZE_Y"], c["TILE_SIZE_Y"]), 1]
    return grid, [c["BLOCK_SIZE_X"], c["BLOCK_SIZE_Y"], 1]


def polygon(c):
    return [cut(POINTS, c["BLOCK_SIZE_X"], c["TILE_SIZE"]), 1, 1], [c["BLOCK_SIZE_X"], 1, 1]


KERNELS = {  # of the file: source, name, what it defines, shape of a launch, SMs that run the part
    "convolution": ("KernelTunerConvolution", "Convolution", {"IMAGE_WIDTH": IMAGE, "IMAGE_HEIGHT": IMAGE, "HFS": REACH, "PADDING": 0}, convolution, 17),
    "point in polygon": ("KernelTunerPnpoly", "Pnpoly", {"VERTICES": VERTICES}, polygon, 1)}


class Nvrtc:
    def __init__(self, folder):
        found = sorted(pathlib.Path(folder).rglob("libnvrtc.so*"))
        builtins = sorted(pathlib.Path(folder).rglob("libnvrtc-builtins.so*"))
        if not found or not builtins:
            sys.exit(f"tuning_search.py: {folder}: no libnvrtc in it")
        ctypes.CDLL(str(builtins[0]), mode=ctypes.RTLD_GLOBAL)
        self.lib = ctypes.CDLL(str(found[0]))

    def cubin(self, source, name, defines):
        options = [b"-std=c++17", b"-default-device", b"--gpu-architecture=sm_75"] + [f"-D{key}={value}".encode() for key, value in defines.items()]
        program = ctypes.c_void_p()
        self.check(self.lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), 0, None, None))
        failed = self.lib.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
        size = ctypes.c_size_t()
        self.check(self.lib.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
        log = ctypes.create_string_buffer(size.value)
        self.check(self.lib.nvrtcGetProgramLog(program, log))
        if failed:
            sys.exit(f"tuning_search.py: {log.value.decode()}")
        self.check(self.lib.nvrtcGetCUBINSize(program, ctypes.byref(size)))
        image = ctypes.create_string_buffer(size.value)
        self.check(self.lib.nvrtcGetCUBIN(program, image))
        self.lib.nvrtcDestroyProgram(ctypes.byref(program))
        return image.raw

    @staticmethod
    def check(result):
        if result:
            sys.exit(f"tuning_search.py: NVRTC answers {result}")


def write_whole(path, content):
    """All of it or nothing: what stands there by this name is taken as it is the next time."""
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)


def part_of(machine, sms):
    """The machine with so many of its SMs, and DRAM and L2 in proportion, at the clock that the records ran at."""
    machine = json.loads(json.dumps(machine))
    share = sms / machine["sm_count"]["value"]
    machine["sm_count"]["value"] = sms
    machine["sm_clock"]["value"] = 1796
    for name in ("dram_bandwidth", "dram_bandwidth_measured"):
        machine[name]["value"] = round(machine[name]["value"] * share, 3)
    machine["l2_size"]["value"] = round(machine["l2_size"]["value"] * share)
    return machine


def launch_all(listed):
    """In a process of its own, on the emulator: every cubin of the list once."""
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        result = getattr(cuda, name)(*arguments)
        if result:
            sys.exit(f"tuning_search.py: {name} answers {result}")

    call("cuInit", 0)
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    work = json.loads(pathlib.Path(listed).read_text())
    buffers = [ctypes.c_uint64() for _ in range(3)]
    for buffer in buffers:
        call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(work["bytes"]))
        call("cuMemsetD32_v2", buffer, ctypes.c_uint(0x3f000000), ctypes.c_size_t(work["bytes"] // 4))  # 0.5: between no two vertices
    count = ctypes.c_int(POINTS)
    for each in work["launches"]:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        call("cuModuleLoad", ctypes.byref(module), each["cubin"].encode())
        call("cuModuleGetFunction", ctypes.byref(function), module, each["mangled"].encode())
        values = [*buffers, count][:each["arguments"]]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in values])
        call("cuLaunchKernel", function, *each["grid"], *each["block"], 0, None, pointers, None)
        call("cuCtxSynchronize")
        call("cuModuleUnload", module)


def predict(options, kernel, found, machine):
    example, name, defines, shape, sms = KERNELS[kernel]
    source = (options.ktt / "Examples" / example / f"{example}.cu").read_text()
    folder = options.folder / example
    folder.mkdir(parents=True, exist_ok=True)
    nvrtc, launches = Nvrtc(options.nvrtc), []
    mangled, arguments, size = {"Convolution": ("_Z11ConvolutionPfS_S_", 3, 4 * (IMAGE + 2 * REACH) ** 2),
                                "Pnpoly": ("_Z6PnpolyPiP6float2S1_i", 4, 8 * POINTS)}[name]
    for number, row in enumerate(found["rows"]):
        cubin = folder / f"{number:03}.cubin"
        if not cubin.exists():
            write_whole(cubin, nvrtc.cubin(source, f"{example}.cu", defines | row["configuration"]))
        grid, block = shape(row["configuration"])
        launches.append({"cubin": str(cubin), "mangled": mangled, "arguments": arguments, "grid": grid, "block": block})
    (folder / "launches.json").write_text(json.dumps({"bytes": size, "launches": launches}))
    (folder / "machine.json").write_text(json.dumps(part_of(machine, sms), indent=1))
    record = folder / "run.json"
    subprocess.run([options.headroom, "run", "--machine", folder / "machine.json", "--report", folder / "report.txt", "--json", record, "--", sys.executable,
                    "-B", __file__, "--launch", folder / "launches.json"], check=True, env=os.environ)
    played = run_record.read_run(record)["launches"]
    for row, launch in zip(found["rows"], played, strict=True):
        row["predicted_us"] = round(launch["prediction"]["time_ns"] / 1e3, 1)
        row["floor_us"] = round(launch["floor_seconds"] * 1e6, 1)
        row["registers"] = launch["resources"]["registers"]


def written(data):
    """As the file is: a row a line."""
    text = json.dumps(data | {"kernels": {}}, indent=1)
    kernels = []
    for name, found in data["kernels"].items():
        rows = ",\n    ".join(json.dumps(row) for row in found["rows"])
        kernels.append(f'{json.dumps(name)}: {{\n   "of": {found["of"]},\n   "rows": [\n    {rows}]}}')
    return text.replace('"kernels": {}', '"kernels": {\n  ' + ",\n  ".join(kernels) + "}") + "\n"


def main():
    if sys.argv[1:2] == ["--launch"]:
        return launch_all(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headroom", type=pathlib.Path)
    parser.add_argument("ktt", type=pathlib.Path)
    parser.add_argument("nvrtc", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", choices=KERNELS)
    parser.add_argument("--commit", help="of the build, for the file's predicted_by")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    data = json.loads(options.file.read_text())
    machine = json.loads((ROOT / "machines/rtx2080ti.json").read_text())
    for kernel, found in data["kernels"].items():
        if options.only in (None, kernel):
            predict(options, kernel, found, machine)
    if options.commit:
        data["predicted_by"] = options.commit
    options.file.write_text(written(data), encoding="utf-8")


if __name__ == "__main__":
    main()
