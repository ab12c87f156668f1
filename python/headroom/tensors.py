"""What `headroom check` cannot see of PyTorch unless it is asked: it cuts its tensors out of large allocations, so that what leaves
one lands in the next. A process that imports it is told once, when it ends and the report follows, how to make each tensor an allocation."""
import atexit
import os
import sys

from headroom.importing import when_imported

SWITCH = "PYTORCH_NO_CUDA_MEMORY_CACHING"
TOLD = "HEADROOM_TENSORS_TOLD"  # for the processes that this one starts
TEXT = f"""headroom check: PyTorch cuts tensors out of large allocations: an access past the end of one is seen only behind the last
  hint: {SWITCH}=1 headroom check -- … makes each an allocation (not for programs that use torch.cuda.graph)"""


def tell(_torch):
    if SWITCH not in os.environ and TOLD not in os.environ:
        os.environ[TOLD] = "1"
        atexit.register(print, TEXT, file=sys.stderr)


def tell_when_imported():
    when_imported({"torch": tell})
