#!/usr/bin/env python3
# The kernels of Triton's tutorials 01, 02, 03, 05 and 06, small, against what numpy or the CPU computes. A tutorial's file is
# read as it came, up to its part that compares with cuBLAS and measures; to be run in headroom:
#
#   headroom run --machine a100 -- python triton_tutorials.py …/triton/python/tutorials
import argparse
import json
import pathlib
import sys
import time
import types

import numpy
import torch
import triton

# Which part of a file is left out: it begins with this line.
CUT = {
    "01-vector-add.py": "@triton.testing.perf_report(",
    "02-fused-softmax.py": "@triton.testing.perf_report(",
    "03-matrix-multiplication.py": "# Unit Test",
    "05-layer-norm.py": "@triton.testing.perf_report(",
    "06-fused-attention.py": "try:\n    from flash_attn",
}


def load(folder, name):
    path = folder / name
    text = path.read_text()
    lines = text[: text.index(CUT[name])]
    tutorial = types.ModuleType(name[:2])
    tutorial.__file__ = str(path)
    sys.modules[name[:2]] = tutorial
    exec(compile(lines, path, "exec"), tutorial.__dict__)
    return tutorial


def worst(result, expected):
    result, expected = [x.detach().cpu().double().numpy() if torch.is_tensor(x) else x for x in (result, expected)]
    return float(numpy.abs(result - expected).max())


def softmax(x):
    e = numpy.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def vector_add(tutorial):
    x, y = torch.rand(10_007), torch.rand(10_007)
    yield "float32", worst(tutorial.add(x.cuda(), y.cuda()), (x + y).double().numpy()), 0


def fused_softmax(tutorial):
    x = torch.randn(37, 781)
    yield "37 x 781", worst(tutorial.softmax(x.cuda()), softmax(x.double().numpy())), 1e-6


def matrix_product(tutorial):
    a, b = torch.rand(256, 192).half() - 0.5, torch.rand(192, 256).half() - 0.5
    exact = a.double().numpy() @ b.double().numpy()
    yield "float16", worst(tutorial.matmul(a.cuda(), b.cuda()), exact), 1e-2
    leaky = numpy.where(exact >= 0, exact, 0.01 * exact)
    yield "float16, leaky_relu", worst(tutorial.matmul(a.cuda(), b.cuda(), "leaky_relu"), leaky), 1e-2
    if torch.cuda.get_device_capability()[0] < 9:  # what the tutorial asks of a float8 product is Hopper's
        return
    a, b = a.to(torch.float8_e5m2), b.to(torch.float8_e5m2)
    exact = a.double().numpy() @ b.double().numpy()
    b = b.T.contiguous().T  # by columns, as the tutorial has it
    yield "float8_e5m2", worst(tutorial.matmul(a.cuda(), b.cuda()), exact), 0.125


def layer_norm(tutorial):
    shape = (37, 300)
    x, w, b = torch.randn(shape) - 2.3, torch.rand(300), torch.rand(300)
    dy = 0.1 * torch.randn(shape)
    on_host = [t.double().requires_grad_() for t in (x, w, b)]
    on_device = [t.cuda().requires_grad_() for t in (x, w, b)]
    expected = torch.nn.functional.layer_norm(on_host[0], (300,), on_host[1], on_host[2])
    result = tutorial.layer_norm(on_device[0], (300,), on_device[1], on_device[2], 1e-5)
    yield "forward", worst(result, expected), 1e-5
    expected.backward(dy.double())
    result.backward(dy.cuda())
    for name, one, other in zip(("dx", "dw", "db"), on_device, on_host):
        yield f"backward, {name}", worst(one.grad, other.grad), 1e-4


def attention(tutorial):
    for causal in (False, True):
        q, k, v = [(0.5 * torch.randn(1, 2, 256, 64)).half() for _ in range(3)]
        dout = torch.randn(1, 2, 256, 64).half()
        on_host = [t.double().requires_grad_() for t in (q, k, v)]
        on_device = [t.cuda().requires_grad_() for t in (q, k, v)]
        p = on_host[0] @ on_host[1].transpose(2, 3) * 0.5
        if causal:
            p = p.masked_fill(torch.tril(torch.ones(256, 256)) == 0, float("-inf"))
        expected = p.softmax(-1) @ on_host[2]
        result = tutorial.attention(*on_device, causal, 0.5, False)
        name = "causal" if causal else "full"
        yield f"{name}, forward", worst(result, expected), 1e-2
        expected.backward(dout.double())
        result.backward(dout.cuda())
        for what, one, other in zip(("dq", "dk", "dv"), on_device, on_host):
            yield f"{name}, {what}", worst(one.grad, other.grad), 1e-2


CHECKS = {
    "01-vector-add.py": vector_add,
    "02-fused-softmax.py": fused_softmax,
    "03-matrix-multiplication.py": matrix_product,
    "05-layer-norm.py": layer_norm,
    "06-fused-attention.py": attention,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="0", help="tutorials whose name begins with it")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    torch.manual_seed(0)
    rows = []

    def row(name, what, good, detail):
        rows.append({"tutorial": name, "what": what, "good": good, "detail": detail})
        print(f"{name:28} {what:20} {'ok ' if good else 'BAD'} {detail}", flush=True)

    for name, check in CHECKS.items():
        if not name.startswith(options.only):
            continue
        start = time.time()
        try:
            for what, error, allowed in check(load(options.folder, name)):
                row(name, what, error <= allowed, f"error {error:.2e} of {allowed:g}")
        except Exception as error:
            row(name, "", False, f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}")
        print(f"{name:28} {time.time() - start:.1f} s", flush=True)
    if options.json:
        versions = {"torch": torch.__version__, "triton": triton.__version__, "device": torch.cuda.get_device_name()}
        options.json.write_text(json.dumps(versions | {"rows": rows}, indent=1) + "\n")
    torch.cuda.synchronize()
    time.sleep(1)  # autograd's thread must be idle before Python ends
    return not all(row["good"] for row in rows)


if __name__ == "__main__":
    sys.exit(main())
