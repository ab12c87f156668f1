#!/usr/bin/env python3
"""What PTX has gained since ISA 9.0, which headroom's forms are of: what a newer ptxas takes for sm_90a, and how each form runs here.

    scripts/prove/ptx_additions.py build/release/bin/headroom TOOLKIT [--results results/ptx_additions.json] [--only REGEX]

TOOLKIT is a folder with bin/ptxas of the newer toolkit (scripts/prove/toolkit_programs.py says of which packages). A kernel of one thread with the
form is loaded by cuModuleLoadData and launched, by machine code (that ptxas', --engine machine) and by PTX; it finds 0.25 in %f1 and its bits in
%r1, and stores %f2 and %r2, from which some forms' results are seen to be right.

    9.5  sin.2pi     ptxas: takes it      machine code: runs, right      PTX: no instruction 'sin.approx.ftz.2pi.f32'

The list is of the release notes of PTX ISA 9.1 to 9.4, and for 9.5 of the change of Apache TVM that follows them (commit f43b3030d of tvm-tirx);
what exists for later architectures alone (tcgen05, fabric, FP4 arithmetic, sparse compression) has one form for each kind. Exit code: 0 when every
form runs by some engine, or is refused by its name.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCHEMA = "headroom-ptx-additions/1"
RIGHT = "runs, right"
A = 0x3E800000  # 0.25: what %r1 and %f1 hold
# (ISA, name, text, {register: what it holds then})
FORMS = [
    ("9.1", "ld.volatile.local, st.volatile.local", "st.volatile.local.b32 [loc], %r1; ld.volatile.local.b32 %r2, [loc];", {"r2": A}),
    ("9.1", "cvt.e4m3x2.bf16x2", "cvt.rn.satfinite.e4m3x2.bf16x2 %h1, %r1;", {}),
    ("9.1", "cvt.e2m1x2.f16x2", "{ .reg .b8 b; cvt.rn.satfinite.e2m1x2.f16x2 b, %r1; cvt.u32.u8 %r2, b; }", {}),
    ("9.1", "cvt.s2f6x2", "cvt.rn.satfinite.s2f6x2.f32 %h1, %f1, %f1;", {}),
    ("9.1", "multimem.cp.async.bulk", "multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%s1], 16;", {}),
    ("9.1", "multimem.cp.reduce.async.bulk", "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%s1], 16;", {}),
    ("9.2", "add.u8x4", "add.u8x4 %r2, %r1, %r1;", {}),
    ("9.2", "add.sat.u32", "add.sat.u32 %r2, %r1, %r1;", {}),
    ("9.2", "st.async.b128", "{ .reg .b128 q; mov.b128 q, {%rd1, %rd1};"
     " st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b128 [%s1], q, [%s2]; }", {}),
    ("9.2", "cp.async.bulk.ignore_oob",
     "mbarrier.init.shared.b64 [%s2], 64; fence.proxy.async;"
     " cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%s1], [%rd1], 16, 4, 4, [%s2];", {}),
    ("9.2", "cvt.bf16x2.e4m3x2", "cvt.rn.bf16x2.e4m3x2 %r2, %h1;", {}),
    ("9.3", ".pragma mma_throughput", '.pragma "mma_throughput 1"; mov.b32 %r2, %r1;', {"r2": A}),
    ("9.3", "clmad", "cvt.u64.u32 %rd2, %r1; clmad.lo.u64 %rd2, %rd2, 3, %rd2; cvt.u32.u64 %r2, %rd2;", {"r2": A << 1 & 0xFFFFFFFF}),
    ("9.3", "mbarrier.init.layout", "mbarrier.init.layout::v1.shared::cta.b64 [%s2], 1;", {}),
    ("9.3", "multimem.st.async", "multimem.st.async.weak.global.b32 [%rd1], %r1;", {}),
    ("9.3", "multimem.red.async", "multimem.red.async.relaxed.sys.global.add.u32 [%rd1], %r1;", {}),
    ("9.3", "fabric.submit", "fabric.submit;", {}),
    ("9.4", "red.noftz.f32", "red.global.add.noftz.f32 [%rd1+16], %f1; ld.global.f32 %f2, [%rd1+16];", {"f2": A}),
    ("9.4", "atom.noftz.f32", "atom.global.add.noftz.f32 %f2, [%rd1], %f1;", {"f2": A}),
    ("9.4", "ld.proxy::readonly", "ld.proxy::readonly.global.b32 %r2, [%rd1];", {"r2": A}),
    ("9.4", "prefetch.valid_addr", "prefetch.global.L1::32B.valid_addr [%rd1];", {}),
    ("9.4", "ldmatrix.s8.s4", "ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4 {%r2}, [%s1];", {}),
    ("9.4", "applypriority.async.bulk", "applypriority.async.bulk.global.L2::evict_normal [%rd1], 128;", {}),
    ("9.5", "fence.alias.sync_restrict::read", "fence.alias.sync_restrict::read.release.sys;", {}),
    ("9.5", "sin.2pi", "sin.approx.2pi.ftz.f32 %f2, %f1;", {"f2": 0x3F800000}),
    ("9.5", "cos.2pi", "cos.approx.2pi.ftz.f32 %f2, %f1; add.f32 %f2, %f2, %f1;", {"f2": A}),
    ("9.5", "cp.async.bulk.wait_group.sync_restrict", "cp.async.bulk.wait_group.sync_restrict::proxy::async 0;", {}),
    ("9.5", "tensormap.query.alloc_class_large", "tensormap.query.alloc_class_large.global.b1024 %p1, [%rd1];", {}),
    ("9.5", "%locality_domain_id", "mov.u32 %r2, %locality_domain_id;", {}),
]
KERNEL = """.version {version}
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p)
{{
  .local .align 4 .b32 loc[4]; .shared .align 128 .b8 tile[512]; .shared .align 8 .b64 bar;
  .reg .b32 %r<9>, %s<9>; .reg .b64 %rd<9>; .reg .b16 %h<9>; .reg .f32 %f<9>; .reg .pred %p<9>;
  ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; ld.global.f32 %f1, [%rd1];
  mov.u32 %s1, tile; mov.u32 %s2, bar;
  {text}
  st.global.u32 [%rd1+4], %r2; st.global.f32 [%rd1+8], %f2; ret;
}}
"""
PROGRAM = r"""
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
static char text[1 << 16];
int main(int, char** words) {
  FILE* file = fopen(words[1], "r");
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  CUcontext context; CUmodule module; CUfunction function; CUdeviceptr p; CUdevice device;
  cuInit(0); cuDeviceGet(&device, 0); cuDevicePrimaryCtxRetain(&context, device); cuCtxSetCurrent(context);
  cuMemAlloc(&p, 4096); cuMemsetD8(p, 0, 4096); cuMemsetD32(p, 0x3e800000, 1);
  CUresult code = cuModuleLoadData(&module, text);
  if (!code) code = cuModuleGetFunction(&function, module, "k");
  void* arguments[] = {&p};
  if (!code) code = cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0);
  if (!code) code = cuCtxSynchronize();
  unsigned found[3] = {};
  cuMemcpyDtoH(found, p, sizeof found);
  printf("%d r2 %08x f2 %08x\n", code, found[1], found[2]);
  return code != 0;
}
"""


def said(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def ptxas_answer(text, options, folder):
    """None where ptxas takes it, else its words."""
    path = folder / "form.ptx"
    path.write_text(text)
    process = said([options.toolkit / "bin" / "ptxas", "-arch=sm_90a", path, "-o", folder / "form.cubin"])
    return None if process.returncode == 0 else re.sub(r"^ptxas.*?error\s*: ", "", (process.stderr + process.stdout).splitlines()[0])


def engine_answer(text, expected, engine, options, folder):
    """How a form runs by one engine, in words."""
    path, report = folder / "form.ptx", folder / "report.json"
    path.write_text(text)
    report.unlink(missing_ok=True)
    process = said([options.headroom, "run", "--engine", engine, "--no-model", "--report", os.devnull, "--json", report, "--",
                    folder / "load", path], timeout=60, env=os.environ | {
                        "HEADROOM_TOOLKIT": str(options.toolkit), "HEADROOM_CACHE": str(folder / "cache")})
    facts = json.loads(report.read_text()) if report.exists() else {}
    for finding in facts.get("findings", []):
        return f"a finding: {finding['what']}"
    for launch in facts.get("launches", []):
        for caveat in launch.get("caveats", []):
            if caveat["what"].startswith("not executed"):
                return caveat["what"].removeprefix("not executed: kernel 'k': ")
            if caveat["what"].startswith("its PTX ran"):
                return f"its PTX: {caveat['cause']}"
    if process.returncode:
        return f"exit code {process.returncode}: {(process.stderr.strip().splitlines() or [''])[0]}"
    found = dict(zip(("r2", "f2"), (int(word, 16) for word in re.search(r"r2 (\w+) f2 (\w+)", process.stdout).groups())))
    if wrong := {name: f"{found[name]:08x}" for name, value in expected.items() if found[name] != value}:
        return f"runs, wrong: {wrong}"
    return RIGHT if expected else "runs"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headroom", type=pathlib.Path)
    parser.add_argument("toolkit", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, default="results/ptx_additions.json")
    parser.add_argument("--only", default="", metavar="REGEX")
    options = parser.parse_args()
    options.headroom, options.toolkit = options.headroom.resolve(), options.toolkit.resolve()
    newest = re.search(r"V([\d.]+)", said([options.toolkit / "bin" / "ptxas", "--version"]).stdout)[1]
    rows = []
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home)
        (folder / "load.cpp").write_text(PROGRAM)
        built = said(["bash", "-c", f"root=$(dirname $(dirname $(readlink -f $(which nvcc || echo /usr/local/cuda/bin/nvcc)))); "
                      f"c++ {folder}/load.cpp -I$root/include -L$root/lib64/stubs -lcuda -o {folder}/load"])
        if built.returncode:
            sys.exit(f"ptx_additions.py: {built.stderr}")
        for version, name, form, expected in FORMS:
            if not re.search(options.only, name):
                continue
            text = KERNEL.format(version="9.5", text=form)
            refused = ptxas_answer(text, options, folder)
            row = {"isa": version, "form": name, "ptxas": refused or "takes it",
                   "machine": None if refused else engine_answer(text, expected, "machine", options, folder),
                   "ptx": engine_answer(text, expected, "ptx", options, folder)}
            rows.append(row)
            print(f"{version}  {name:<40} ptxas: {row['ptxas']:<70}\n     machine code: {row['machine']}\n     PTX: {row['ptx']}", flush=True)
    options.results.write_text(json.dumps({"schema": SCHEMA, "ptxas": newest, "target": "sm_90a", "date": datetime.date.today().isoformat(),
                                           "forms": rows}, indent=1) + "\n")
    wrong = [row["form"] for row in rows for answer in (row["machine"], row["ptx"]) if answer and ("wrong" in answer or "exit code" in answer)]
    print(f"{len(rows)} forms; {sum(row['ptxas'] == 'takes it' for row in rows)} exist for sm_90a, "
          f"{sum((row['machine'] or '').startswith('runs') for row in rows)} run by machine code, {sum(row['ptx'].startswith('runs') for row in rows)} by PTX"
          f"{'; not as they should: ' + ', '.join(wrong) if wrong else ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
