#!/usr/bin/env python3
# PyTorch's operations on the emulator, forward and backward, against the CPU: ATen's kernels as machine code, those of Triton
# (torch.compile), and what needs cuBLAS or cuDNN, which has to be refused with a message.
#
#   headroom run --no-model -- python torch_operations.py [--json results.json] [NAME …]
#     softmax         ok       0.02 s
#     matmul          refused  CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`
import argparse
import json
import pathlib
import time

import torch
import torch.nn.functional as F


def some(*shape):
    return torch.rand(*shape) + 0.1


def numbers(below, *shape):
    return torch.randint(0, below, shape)


OPERATIONS = {
    "add": (lambda x, y: x + y, some(64, 65), some(64, 65)),
    "mul, broadcast": (lambda x, y: x * y, some(64, 65), some(65)),
    "div": (lambda x, y: x / y, some(64, 65), some(64, 65)),
    "exp": (lambda x: x.exp(), some(1000)),
    "log": (lambda x: x.log(), some(1000)),
    "sin": (lambda x: x.sin(), some(1000)),
    "pow": (lambda x: x**3, some(1000)),
    "sum": (lambda x: x.sum(), some(64, 65)),
    "sum of rows": (lambda x: x.sum(0), some(64, 65)),
    "mean": (lambda x: x.mean(1), some(64, 65)),
    "max": (lambda x: x.max(1).values, some(64, 65)),
    "argmax": (lambda x: x.argmax(1), some(64, 65)),
    "cumsum": (lambda x: x.cumsum(1), some(64, 65)),
    "sort": (lambda x: x.sort(1).values, some(8, 65)),
    "sort, large": (lambda x: x.sort().values, torch.randperm(20_000).float()),
    "topk": (lambda x: x.topk(5).values, some(8, 65)),
    "cat": (lambda x, y: torch.cat([x, y], 1), some(8, 65), some(8, 3)),
    "transpose": (lambda x: x.t().contiguous(), some(64, 65)),
    "index": (lambda x, i: x[i], some(64, 65), numbers(64, 10)),
    "gather": (lambda x, i: x.gather(0, i), some(64, 65), numbers(64, 10, 65)),
    "scatter_add": (lambda x, i, y: x.scatter_add(0, i, y), some(64, 65), numbers(64, 10, 65), some(10, 65)),
    "embedding": (lambda i, w: F.embedding(i, w), numbers(64, 10), some(64, 32)),
    "where": (lambda x, y: torch.where(x > y, x, y), some(64, 65), some(64, 65)),
    "to half and back": (lambda x: x.half().float() * 2, some(64, 65)),
    "to bfloat16": (lambda x: (x.bfloat16() + 1).float(), some(64, 65)),
    "double": (lambda x: (x.double() * 3).float(), some(64, 65)),
    "softmax": (lambda x: x.softmax(1), some(64, 65)),
    "softmax, long": (lambda x: x.softmax(1), some(4, 5000)),
    "log_softmax": (lambda x: x.log_softmax(1), some(64, 65)),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (65,), w, b), some(64, 65), some(65), some(65)),
    "gelu": (lambda x: F.gelu(x), some(64, 65)),
    "relu": (lambda x: F.relu(x - 0.5), some(64, 65)),
    "sigmoid": (lambda x: x.sigmoid(), some(64, 65)),
    "max_pool2d": (lambda x: F.max_pool2d(x, 2), some(2, 3, 16, 16)),
    "avg_pool2d": (lambda x: F.avg_pool2d(x, 2), some(2, 3, 16, 16)),
    "interpolate": (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), some(2, 3, 16, 16)),
    "cross_entropy": (lambda x, i: F.cross_entropy(x, i), some(8, 65), numbers(65, 8)),
    "mse_loss": (lambda x, y: F.mse_loss(x, y), some(64, 65), some(64, 65)),
    "nonzero": (lambda x: (x > 0.5).nonzero(), some(64, 65)),
    "unique": (lambda x: x.unique(), numbers(64, 100)),
    "torch.compile": (torch.compile(lambda x, y: (x * y + 1).relu().sum(1)), some(64, 65), some(64, 65)),
}
REFUSED = {
    "matmul": (lambda x, y: x @ y, some(32, 64), some(64, 16)),
    "conv2d": (lambda x, w: F.conv2d(x, w), some(2, 3, 16, 16), some(4, 3, 3, 3)),
    "fft": (lambda x: torch.fft.rfft(x).abs(), some(64)),
    "inverse": (lambda x: torch.linalg.inv(x), some(8, 8) + 8 * torch.eye(8)),
}


def largest(one, other):
    """The largest difference, of numbers above 1 a relative one."""
    one, other = one.detach().double(), other.detach().cpu().double()
    return float(((one - other).abs() / one.abs().clamp(min=1)).max()) if one.numel() else 0.0


def difference(operation, inputs):
    """The largest difference of result and gradients from the CPU's."""
    cpu = [x.clone().requires_grad_(x.is_floating_point()) for x in inputs]
    gpu = [x.cuda().requires_grad_(x.is_floating_point()) for x in inputs]
    expected, result = operation(*cpu), operation(*gpu)
    assert expected.shape == result.shape, f"{tuple(result.shape)}, not {tuple(expected.shape)}"
    worst = largest(expected, result)
    if expected.requires_grad:
        gradient = torch.rand_like(expected)
        expected.backward(gradient)
        result.backward(gradient.cuda())
        worst = max([worst] + [largest(x.grad, y.grad) for x, y in zip(cpu, gpu) if x.grad is not None])
    return worst


# What is no operation: each gives True.
def stream():
    side = torch.cuda.Stream()
    x = torch.ones(100, device="cuda")
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        y = x * 2
    torch.cuda.current_stream().wait_stream(side)
    return bool((y.cpu() == 2).all())


def pinned():
    x = torch.rand(1000).pin_memory()
    y = x.to("cuda", non_blocking=True)
    torch.cuda.synchronize()
    return bool((y.cpu() == x).all())


def event():
    first, last = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    first.record()
    torch.ones(1000, device="cuda").sum()
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) > 0


def random():
    x = torch.randn(10_000, device="cuda")
    return abs(float(x.mean())) < 0.05 and abs(float(x.std()) - 1) < 0.05


def module():
    model = torch.nn.Sequential(torch.nn.LayerNorm(64), torch.nn.GELU()).cuda()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    x, losses = some(8, 64).cuda(), []
    for _ in range(3):
        loss = (model(x) - 1).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    return losses[2] < losses[0]


def printing():
    return "cuda" in str(torch.ones(3, device="cuda"))


OTHERS = {"streams": stream, "pinned memory": pinned, "events": event, "randn": random, "a module and Adam": module, "printing a tensor": printing}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    rows = []

    def row(name, what):
        if options.names and name not in options.names:
            return
        start = time.time()
        try:
            state, detail = what()
        except Exception as error:
            state, detail = "refused" if name in REFUSED else "failed", (str(error).splitlines() or [type(error).__name__])[0]
        rows.append({"name": name, "state": state, "detail": detail, "seconds": round(time.time() - start, 2)})
        print(f"{name:18} {state:8} {detail} {rows[-1]['seconds']} s", flush=True)

    for name, (operation, *inputs) in (OPERATIONS | REFUSED).items():

        def compare():
            error = difference(operation, inputs)
            return "ok" if error <= 1e-4 * (10 if name == "to bfloat16" else 1) else "wrong", f"error {error:.1e}"

        row(name, compare)
    for name, works in OTHERS.items():
        row(name, lambda: ("ok" if works() else "wrong", ""))
    if options.json:
        options.json.write_text(json.dumps({"torch": torch.__version__, "rows": rows}, indent=1) + "\n")
    torch.cuda.synchronize()
    time.sleep(1)  # autograd's thread must be idle before Python ends


if __name__ == "__main__":
    main()
