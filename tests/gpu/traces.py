"""Traces as the library in the program writes them (src/gpu/trace.h), made up for tests, and read back.

    write(path, [device(), *launches("_Z4axpyPf", 3, grid=(64, 1, 1)), copy(1, 1 << 20)])
"""
import struct

HEADER, PROGRAM, DEVICE, NAME, LAUNCH, COPY, DROPPED, PROBLEM, END = range(1, 10)
LAUNCH_FORM = "<3Q6I3I3I3I4II2B6x"
COPY_FORM = "<4Q5I4B"


def block(kind, payload):
    return struct.pack("<2I", kind, len(payload)) + payload


def header(process=1, version=130001):
    return block(HEADER, struct.pack("<24sIi", b"headroom-activity/1", version, process))


def device(name="NVIDIA H200", cc=(9, 0), sms=132, number=0):
    return block(DEVICE, struct.pack("<2Q14I", 150_000_000_000, 4_800_000_000_000, number, *cc, sms, 1980000, 62914560,
                                     64, 32, 1024, 65536, 65536, 233472, 49152, 1) + name.encode())


def name(number, text):
    return block(NAME, struct.pack("<I", number) + text.encode())


def launch(number, start, nanoseconds, grid=(8, 8, 1), block_=(32, 32, 1), correlation=1, registers=32, static=0, dynamic=0,
           stream=7, node=0, cooperative=0, local=0):
    return block(LAUNCH, struct.pack(LAUNCH_FORM, start, start + nanoseconds if nanoseconds else 0, node, number, correlation,
                                     0, 1, stream, 0, *grid, *block_, 0, 0, 0, registers, static, dynamic, local, 0,
                                     cooperative, 0))


def copy(direction, size, start=1000, nanoseconds=1000, memory=(1, 3), correlation=1):
    return block(COPY, struct.pack(COPY_FORM, start, start + nanoseconds, size, 0, correlation, 0, 1, 7, 0, direction,
                                   *memory, 0))


def write(path, blocks):
    with open(path, "wb") as file:
        file.write(header() + b"".join(blocks))
