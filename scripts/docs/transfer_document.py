#!/usr/bin/env python3
"""Writes docs/transfer.md from what was measured on a GPU: the study transfer, nvbandwidth beside it, and the peer blas.

    scripts/docs/transfer_document.py [--check]

Reads results/h200/{transfer,transfer_two_gpus,transfers_vs_nvbandwidth,blas}.json. --check compares instead of writing.
Exit code: 1 if the document on disk says something else.
"""
import argparse
import pathlib
import re
import sys

from results_file import results as results_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "transfer.md"
MEMORIES = ["pageable", "pinned", "write-combined", "mapped", "managed"]
PATTERNS = ["host to device", "device to host", "both at once", "round trip", "device to device", "peer"]

# [timing], host and device: PCIe x16 gen 2, GB/s.
PUBLISHED = {"link": "PCIe gen 2 x16", "peak": 8.0, "pinned": 5.0}
# PCI Express Base Specification: a lane carries 128 payload bits in 130 from gen 3 on.
ENCODING = 128 / 130


def table(columns, rows):
    yield "| " + " | ".join(columns) + " |"
    yield "|---|" + "---:|" * (len(columns) - 1)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
    yield ""


def size(count):
    for unit, bytes_of in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= bytes_of:
            return f"{count / bytes_of:.3g} {unit}"
    return f"{count:.0f} B"


def figure(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}".replace(",", " ")


def link_peak(link):
    """GB/s of "32.0 GT/s PCIe x16", before packet headers."""
    rate, lanes = re.fullmatch(r"([\d.]+) GT/s PCIe x(\d+)", link).groups()
    return float(rate) * int(lanes) / 8 * ENCODING


def line_of(results, pattern, memory, api):
    return next((line for line in results["lines"] if line["pattern"] == pattern and line["api"] == api
                 and line.get("memory") in (memory, None)), None)


def origin(results):
    clocks = results.get("clocks") or []
    said = f", SM {clocks[0]['sm_mhz']} MHz, memory {clocks[0]['memory_mhz']} MHz" if clocks else ""
    link = f", link {results['link']}" if "link" in results else ""
    return f"{results['gpu']}, driver {results['driver']}, CUDA {results['runtime']}{link}{said}; {results['date']}"


def published(results, link):
    ours = line_of(results, "host to device", "pinned", "runtime")["b"] * 1e-9
    peak = link_peak(link)
    yield from table(["", "published", "here"],
                     [["link", PUBLISHED["link"], link],
                      ["its peak, GB/s", figure(PUBLISHED["peak"]), f"{peak:.1f}"],
                      ["pinned memory reaches, GB/s", figure(PUBLISHED["pinned"]), f"{ours:.1f}"],
                      ["share of the peak", f"{100 * PUBLISHED['pinned'] / PUBLISHED['peak']:.0f} %",
                       f"{100 * ours / peak:.0f} %"]])


def lines(one, two):
    rows = []
    for pattern in PATTERNS:
        results = two if pattern == "peer" else one
        for memory in MEMORIES if pattern not in PATTERNS[4:] else [None]:
            line = line_of(results, pattern, memory, "kernel" if memory == "mapped" else "runtime")
            driver = line_of(results, pattern, memory, "driver")
            if line:
                rows.append([pattern, memory or "–", f"{line['a'] * 1e6:.1f}", f"{driver['a'] * 1e6:.1f}" if driver else "–",
                             f"{line['b'] * 1e-9:.1f}", size(line["half"]), f"{100 * line['typical_residual']:.1f}",
                             f"{100 * line['worst_residual']:.0f}"])
    yield from table(["", "memory", "a, µs", "a by the driver's API", "b, GB/s", "n½", "residual, %", "worst, %"], rows)


def both_machines(one, two):
    rows = []
    for pattern in PATTERNS[:4]:
        for memory in ("pageable", "pinned"):
            pair = [line_of(each, pattern, memory, "runtime") for each in (one, two)]
            rows.append([pattern, memory, *(f"{line['a'] * 1e6:.1f}" for line in pair),
                         *(f"{line['b'] * 1e-9:.1f}" for line in pair)])
    yield from table(["", "memory", "a, µs: one GPU", "two GPUs", "b, GB/s: one GPU", "two GPUs"], rows)


def pinning(results):
    def microseconds(row, key):
        return figure(row[key]["median"] * 1e6)
    keys = ["pageable", "pinned", "staged", "registered", "allocate_pinned", "allocate"]
    yield from table(["size", "pageable, µs", "pinned already", "copied into kept pinned memory first",
                      "pinned on the spot", "allocating pinned memory", "allocating any"],
                     [[size(row["bytes"]), *(microseconds(row, key) for key in keys)] for row in results["pinning"]])
    words = {"pinned": "memory that is pinned already", "staged": "a copy into kept pinned memory, then to the device,",
             "registered": "pinning on the spot, copying, and unpinning"}
    for key, what in words.items():
        start = results["pays_from"].get(key)
        yield (f"- {what[0].upper()}{what[1:]} beats pageable memory from {size(start)} on, at every size." if start
               else f"- {what[0].upper()}{what[1:]} does not beat pageable memory at the largest size.")
    yield ""


def overlap(results):
    best = {memory: min(row["together"]["median"] for row in results["overlap"] if row["memory"] == memory)
            for memory in ("pinned", "pageable")}
    yield ("A copy to the device in chunks, through several streams, and a kernel as long as the whole copy that works on each "
           "chunk that")
    yield "has arrived. c chunks can hide 1 - 1/c; below 0, both together took longer than one after the other: more calls cost more,"
    yield "and copies from pageable memory vary as the range of the copy alone says. Those are made by the host while kernels run: they"
    yield (f"hide too, but copy and kernel together take {best['pageable'] / best['pinned']:.1f} times as long as from pinned memory.")
    yield ""
    for memory in ("pinned", "pageable"):
        rows = [row for row in results["overlap"] if row["memory"] == memory]
        chunks = sorted({row["chunks"] for row in rows})
        hidden = {(row["streams"], row["chunks"]): row["hidden"] for row in rows}
        alone = rows[0]
        least, median, most = (figure(alone["copy"][what] * 1e6) for what in ("least", "median", "most"))
        yield (f"{memory.capitalize()} memory, {size(alone['bytes'])}: the copy alone {median} µs ({least} to {most}), "
               f"the kernel alone {figure(alone['kernel']['median'] * 1e6)} µs. Hidden, %:")
        yield ""
        yield from table(["streams \\ chunks", *map(str, chunks)],
                         [[streams, *(f"{100 * hidden[streams, count]:.0f}" if (streams, count) in hidden else "–"
                                      for count in chunks)] for streams in sorted({row["streams"] for row in rows})])


def nvbandwidth(comparison):
    yield from table(["GB/s", "ours", "nvbandwidth", "difference"],
                     [[row["what"], " / ".join(f"{rate:.2f}" for rate in row["ours"]),
                       " / ".join(f"{rate:.2f}" for rate in row["theirs"]), f"{100 * row['difference']:+.2f} %"]
                      for row in comparison["rows"]])


def first_win(blas, routine, mode):
    """The size from which the GPU wins, and whether what both are known to leaves that open."""
    if mode not in blas["wins_from"][routine]:
        return "–"
    n = blas["wins_from"][routine][mode]
    row = next(row for row in blas["rows"] if row["routine"] == routine and row["n"] == n)
    latest, earliest = (row[side]["median"] * (1 + sign * row[side].get("relative_error", float("inf")))
                        for side, sign in ((mode, 1), ("cpu", -1)))
    return n if latest < earliest else f"{n}, by less than the error of both"


def products(blas):
    for routine in ("sgemm", "dgemm"):
        yield f"{routine.upper()}, GFLOP/s:"
        yield ""
        rows = [row for row in blas["rows"] if row["routine"] == routine]
        yield from table(["n", "host", "GPU, by events", "resident", "pinned copies", "pageable copies"],
                         [[row["n"], *(figure(2 * row["n"]**3 / row[mode]["median"] * 1e-9)
                                       for mode in ("cpu", "device", "resident", "pinned", "pageable"))] for row in rows])
    few = [row["n"] for row in blas["rows"] if "relative_error" not in row["cpu"]]
    if few:
        yield f"From n = {min(few)} on some of the host's figures are medians of fewer than 6 products: their error is not known."
        yield ""
    yield "The smallest n from which the GPU wins at every size:"
    yield ""
    yield from table(["", "resident", "with pinned copies", "with pageable copies"],
                     [[routine.upper(), *(first_win(blas, routine, mode) for mode in ("resident", "pinned", "pageable"))]
                      for routine in blas["wins_from"]])


def document(one, two, comparison, blas):
    parts = [results[part] for results in (one, two) for part in ("rows", "pinning", "overlap", "steady")]
    verified, wrong = sum(map(len, parts)), sum(row["wrong"] for rows in parts for row in rows)
    text = [
        "# Transfers between host and device", "",
        "Written by `scripts/docs/transfer_document.py` from `results/h200/transfer.json`, `results/h200/transfer_two_gpus.json`,",
        "`results/h200/transfers_vs_nvbandwidth.json` and `results/h200/blas.json`; drawn by `scripts/docs/plot_transfer.py`.", "",
        f"- A machine with one GPU: {origin(one)}.",
        f"- A machine with two, for copies between peers and for matrix products: {origin(two)}.", "",
        f"{verified} rows, each verified on fresh random bytes, {wrong} words wrong. GB are 10⁹ bytes, KiB and MiB binary. Times are",
        "medians by the host's clock, from the call until the device has nothing left to do: the call's own cost and the wait are in",
        "them. Managed memory was measured up to 64 MiB.", "",
        "![Throughput against size](../results/h200/transfer_throughput.svg)", "",
        "![Time against size](../results/h200/transfer_latency.svg)", "",
        "## Published and here", "", *published(one, one.get("link") or two["link"]),
        f"The peak is the link's rate times its lanes with {ENCODING * 130:.0f} of 130 bits, before packet headers. Published: "
        "\"Timing and", "Bandwidth Calculation\".", "",
        "## T(n) = a + n / b", "",
        "n counts all bytes that were copied, so twice the size where they go both ways. Weighted least squares of the relative",
        "residual, made robust by Huber's weights; n½ = a · b is the size that reaches half of b; the residual is the median over",
        "sizes. Mapped memory is copied by a kernel. Managed memory moves whole pages (`cudaMemPrefetchAsync`). Peers, on",
        "the machine with two GPUs, are linked by NVLink (`nvidia-smi topo -m`: NV18).", "",
        *lines(one, two),
        "On both machines: what a call costs is the machine's, b from pinned memory is the link's.", "",
        *both_machines(one, two),
        "## Where pinned memory pays", "",
        "The data lies in pageable memory and is to reach the device once.", "", *pinning(one),
        "## What hides behind a kernel", "",
        *overlap(one),
        "## Beside nvbandwidth", "",
        f"nvbandwidth {comparison['nvbandwidth']} and ours in turn on one machine ({comparison['gpu']}, driver {comparison['driver']}, "
        f"{comparison['date']}), two runs of",
        "each, pinned memory, 512 MiB, sixteen copies in a row by events. Bytes are counted once, also within a device, where each",
        "is read and written. Against traffic: one direction's rate while the other is filled.", "", *nvbandwidth(comparison),
        "## Matrix products with the copies and without", "",
        f"The peer `blas` ([peers](../peers/README.md)): {blas['cpu_library'].split(' DYNAMIC')[0]} (code for {blas['cpu_kernels']}) with "
        f"{blas['cpu_threads']} threads on {blas['cpu']},", f"and {blas['gpu_library']} on {blas['gpu']}, driver {blas['driver']}; "
        f"{blas['date']}. 2 n³ operations.", "", *products(blas)]
    return "\n".join(text).rstrip("\n") + "\n"


def committed():
    names = ("transfer", "transfer_two_gpus", "transfers_vs_nvbandwidth", "blas")
    return document(*map(results_of, names))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    now = committed()
    if not parser.parse_args().check:
        DOCUMENT.write_text(now)
    elif DOCUMENT.read_text() != now:
        print(f"{DOCUMENT} is not what the results say: run scripts/docs/transfer_document.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
