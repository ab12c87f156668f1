"""Python starts with this file under `headroom run`, which puts its folder first in PYTHONPATH: what times kernels learns
that they run on the emulator (headroom/timing_loops.py), and `headroom check` what it cannot see (headroom/tensors.py). A sitecustomize of the user's follows."""
import importlib.machinery
import importlib.util
import os
import sys


def start_the_users_own():
    ours = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder) != ours]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


# Real GPUs are hidden, but PyTorch counts devices by this variable too.
if os.environ.get("CUDA_VISIBLE_DEVICES") == "":
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, range(int(os.environ.get("HEADROOM_DEVICES") or 1))))
# pytest finds headroom's fixture wherever this file is found.
plugins = os.environ.get("PYTEST_PLUGINS", "").split(",")
if "headroom.pytest" not in plugins:
    os.environ["PYTEST_PLUGINS"] = ",".join(["headroom.pytest", *filter(None, plugins)])
if os.environ.get("HEADROOM_TIMING_LOOPS") == "once":
    from headroom import timing_loops

    timing_loops.cut()
if os.environ.get("HEADROOM_CHECK", "0") != "0":
    from headroom import tensors

    tensors.tell_when_imported()
start_the_users_own()
