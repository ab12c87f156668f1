#!/bin/bash
# The study sgemm beside cuBLAS at 200 random shapes, and at 100 that nothing was tuned for, on a machine with a GPU.
#
#   scripts/measure/sgemm_visit.sh FOLDER [RUNGS]            nvcc, cuBLAS; about 5 minutes
#
#   FOLDER/bin/                     the program
#   FOLDER/sgemm_shapes.json        RUNGS (default: any_shape) by shape: scripts/measure/random_shapes.py 200 2026
#   FOLDER/sgemm_other_shapes.json  and: scripts/measure/random_shapes.py 100 555
# The last lines give, by rung, the geometric mean of the ratio to cuBLAS, the least, and how many shapes lie below 0.8.
set -u
out=${1:?usage: sgemm_visit.sh FOLDER [RUNGS]}
rungs=${2:-any_shape}
. "$(dirname "$0")/visit.sh"

[ -x "$out/bin/sgemm_vs_cublas" ] || step 200 build_sgemm python3 -B "$root/scripts/measure/build_studies.py" "$out/bin" sgemm_vs_cublas || exit 1
shapes() {
  step 300 "$1" "$out/bin/sgemm_vs_cublas" --json "$out/$1.json" --seed 1 --pairs 5 --rung "$rungs" \
    --size "$(python3 -B "$root/scripts/measure/random_shapes.py" "$2" "$3")"
  table "$1"
}
table() {
  echo "$1"
  python3 -B - "$out/$1.json" <<'TABLE'
import json, math, pathlib, sys
path = pathlib.Path(sys.argv[1])
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
}
shapes sgemm_shapes 200 2026
shapes sgemm_other_shapes 100 555
visit_ends
