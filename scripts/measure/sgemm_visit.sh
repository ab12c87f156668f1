#!/bin/bash
# The study sgemm beside cuBLAS at 200 random shapes, on a machine with a GPU.
#
#   scripts/measure/sgemm_visit.sh FOLDER [RUNGS]            nvcc, cuBLAS; about 5 minutes
#
#   FOLDER/bin/               the program
#   FOLDER/sgemm_shapes.json  RUNGS (default: stream_k) by shape: scripts/measure/random_shapes.py 200 2026
# The last lines give, by rung, the geometric mean of the ratio to cuBLAS, the least, and how many shapes lie below 0.8.
set -u
out=${1:?usage: sgemm_visit.sh FOLDER [RUNGS]}
rungs=${2:-stream_k}
. "$(dirname "$0")/visit.sh"

[ -x "$out/bin/sgemm_vs_cublas" ] || step 200 build_sgemm python3 -B "$root/scripts/measure/build_studies.py" "$out/bin" sgemm_vs_cublas || exit 1
step 300 sgemm_shapes "$out/bin/sgemm_vs_cublas" --json "$out/sgemm_shapes.json" --seed 1 --pairs 5 --rung "$rungs" \
  --size "$(python3 -B "$root/scripts/measure/random_shapes.py" 200 2026)"

python3 -B - "$out" <<'TABLE'
import json, math, pathlib, sys
path = pathlib.Path(sys.argv[1], "sgemm_shapes.json")
rows = [row for row in json.loads(path.read_text())["rows"] if "over cuBLAS" in row and row["rung"] != "cublas"] if path.exists() else []
ratios = {}
for row in rows:
    ratios.setdefault(row["rung"], {})[row["m"], row["n"], row["k"]] = row["over cuBLAS"]
best = {shape: max(of[shape] for of in ratios.values() if shape in of) for of in ratios.values() for shape in of}
for rung, of in {**ratios, "the best of each": best}.items():
    values = sorted(of.values())
    print(f"{rung:18} {len(values):4} shapes  mean x {math.exp(sum(map(math.log, values)) / len(values)):.3f}  least x {values[0]:.3f}  "
          f"below 0.8: {sum(value < 0.8 for value in values)}")
for shape, value in sorted(best.items(), key=lambda one: one[1])[:25]:
    print("  worst", *shape, f"x {value:.3f}", *(f"{rung} {of.get(shape, 0):.3f}" for rung, of in ratios.items()))
TABLE
visit_ends
