"""PyTorch: a product of matrices and element-wise work, with its own profiler where the word 'profile' is given."""
import sys

import torch

a = torch.rand(1024, 1024, device="cuda")
b = torch.rand(1024, 1024, device="cuda")


def work():
    for _ in range(10):
        c = torch.relu(a @ b + 1.0)
    return float(c.sum())


if "profile" in sys.argv:
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
        total = work()
    on_gpu = sum(1 for event in seen.events() if str(event.device_type).endswith("CUDA"))
    print("torch.profiler saw", on_gpu, "events on the GPU")
else:
    total = work()
print("right" if abs(total / ((a @ b + 1.0).relu().sum().item()) - 1) < 1e-3 else "wrong")
