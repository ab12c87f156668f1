"""The driver API's functions as the toolkit's headers have them: each row's name has parameters of that release, its function is one
of the versions of that name, and it has a per-thread form where the header says so. Every function that a program may be linked
with, earlier forms and those of threads too, stands in names.txt.

    python3 driver_symbols.py src/driver/symbols.txt src/driver/names.txt /usr/local/cuda/include
"""
import re
import subprocess
import sys

symbols, names, include = sys.argv[1:]
header = open(f"{include}/cuda.h").read()
typed = set()
for name in "cudaTypedefs.h", "cudaProfilerTypedefs.h":
    typed |= set(re.findall(r"\*PFN_(cu\w+?_v\d+)(?:_pt\w\w)?\)", open(f"{include}/{name}").read()))
per_thread = {name: ending.lower() for ending, name in re.findall(r"__CUDA_API_(PT\w\w)\((cu\w+)\)", header)}
complaints, seen = [], set()
for line in open(symbols):
    if not line.startswith("cu"):
        continue
    name, function, since, *flags = line.split()
    renamed = re.search(rf"#define {name}\s+{function}\b", header) and not function.startswith(name + "_v")
    if f"{name}_v{since}" not in typed and not (renamed and since == "12000"):  # cuGraphInstantiate since CUDA 12
        complaints.append(f"{name}: no parameters of release {since}")
    if not re.fullmatch(rf"{name}(_v\d+)?", function) and not renamed:
        complaints.append(f"{name}: {function} is not a version of it")
    if [per_thread[name] for name in (function,) if name in per_thread] != flags:
        complaints.append(f"{function}: its ending is not as cuda.h has it")
    if (name, since) in seen:
        complaints.append(f"{name}: two rows of release {since}")
    seen.add((name, since))
known = {line.strip() for line in open(names) if line.startswith("cu")}
for how in [], ["-D__CUDA_API_VERSION_INTERNAL"]:  # as programs see it, and with all forms by their own names
    text = subprocess.run(["cc", "-E", "-P", *how, "-I", include, "-x", "c", "-"], input="#include <cuda.h>\n#include <cudaProfiler.h>\n",
                          check=True, capture_output=True, text=True).stdout
    declared = set(re.findall(r"\bCUresult\s+(cu\w+)\s*\(", text))
    complaints += [f"{name} is not in names.txt" for name in sorted(declared - known)]
    if len(declared) < 400:
        complaints.append(f"{len(declared)} functions are read of cuda.h")
print("\n".join(complaints) or f"{len(seen)} functions")
sys.exit(bool(complaints) or len(seen) < 150)
