#!/bin/bash
# Measures the studies on a real GPU: builds them for it with nvcc alone, runs them at full size, checks what they
# print, and leaves one JSON file with medians, spreads and clocks. A visit takes less than three minutes.
#
#   scripts/gpu_visit.sh [FOLDER]          FOLDER: where the results go (default: $OUT, else results/measured)
#
#   FOLDER/studies_<gpu>.json              {"gpu": …, "driver": …, "clocks": [{"run": "sgemm", "what": "sm_mhz", "median": …}, …],
#                                           "copy": [rows of block 64, then 256], "sgemm": [rows]}
# Exit code: 0 when everything was right.
set -u
cd "$(dirname "$0")/.." || exit 125
out=${1:-${OUT:-results/measured}}
command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
for tool in nvcc nvidia-smi python3; do
  command -v $tool >/dev/null || { echo "gpu_visit: $tool not found: run this on a machine with a GPU" >&2; exit 127; }
done
build=$(mktemp -d) && mkdir -p "$out" || exit 125
trap 'rm -rf "$build"' EXIT

query() { nvidia-smi --id=0 --query-gpu="$1" --format=csv,noheader,nounits; }
failures=0
attempt() {  # attempt NAME COMMAND...: runs it, keeps its output, counts a failure
  local name=$1; shift
  if "$@" > "$build/$name.txt" 2>&1; then return; fi
  failures=$((failures + 1))
  echo "gpu_visit: $name failed:"; tail -n 20 "$build/$name.txt"
}

watched() {  # watched NAME COMMAND...: an attempt with the clocks read five times a second beside it
  nvidia-smi --id=0 --query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw --format=csv,noheader,nounits \
    --loop-ms=200 > "$build/$1.clocks" &
  local watcher=$!
  attempt "$@"
  kill $watcher 2>/dev/null
  wait $watcher 2>/dev/null
}

arch=sm_$(query compute_cap | tr -d .)
for study in copy sgemm; do
  nvcc -cudart static -arch="$arch" -std=c++17 -O3 -lineinfo -I. -Iinclude studies/$study/*.cu -o "$build/$study" &
done
wait
# Small and odd shapes first: right answers are worth more than fast ones.
attempt odd "$build/sgemm" --m 129 --n 65 --k 1001 --alpha 0.5 --beta 3
attempt thin "$build/sgemm" --m 1 --n 1000 --k 7 --beta -1
attempt small_copy "$build/copy" --bytes 64K --block 256
watched copy64 "$build/copy" --bytes 1G --block 64 --repeat 10 --json "$build/copy64.json"
watched copy256 "$build/copy" --bytes 1G --block 256 --repeat 10 --json "$build/copy256.json"
watched sgemm "$build/sgemm" --size 4096 --repeat 10 --json "$build/sgemm.json"

python3 - "$build" "$out" "$(query name)" "$(query driver_version)" "$(nvcc --version | sed -n 's/.*release.*V//p')" <<'PYTHON'
import json, pathlib, re, statistics, sys
build, out = map(pathlib.Path, sys.argv[1:3])
gpu, driver, toolkit = sys.argv[3:]
rows = lambda name: json.loads(path.read_text())["rows"] if (path := build / f"{name}.json").exists() else []
clocks = []
for run in ("copy64", "copy256", "sgemm"):
    lines = [line.split(", ") for line in (build / f"{run}.clocks").read_text().splitlines()]
    for key, column in zip(("sm_mhz", "memory_mhz", "celsius", "watts"), zip(*lines)):
        figures = sorted(float(text) for text in column if text.replace(".", "").isdigit())
        if figures:
            clocks.append({"run": run, "what": key, "least": figures[0], "median": statistics.median(figures),
                           "most": figures[-1], "readings": len(figures)})
copy = [row | {"block": block} for block in (64, 256) for row in rows(f"copy{block}")]
result = {"schema": "headroom-measured/1", "gpu": gpu, "driver": driver, "toolkit": toolkit, "clocks": clocks,
          "method": "events around each launch, queued behind a gate, 10 after a warm-up; median, spread = (most - least) / median",
          "copy_bytes": 1 << 30, "copy": copy, "sgemm_size": 4096, "sgemm": rows("sgemm")}
path = out / ("studies_" + re.sub(r"[^a-z0-9]+", "_", gpu.lower()) + ".json")
path.write_text(json.dumps(result, indent=1) + "\n")

print(f"\n{gpu}, driver {driver}, CUDA {toolkit}: {path}")
for clock in clocks:
    print("  {run:<8} {what:<11} least {least:7.1f}  median {median:7.1f}  most {most:7.1f}".format(**clock))
occupancies = sorted({row["occupancy, %"] for row in copy})
print("\ncopy, GB/s (block 64 / 256)" + "".join(f"{percent:>16} %" for percent in occupancies))
for variant in dict.fromkeys(row["variant"] for row in copy):
    cells = []
    for percent in occupancies:
        figures = {row["block"]: row["GB/s"] for row in copy
                   if row["variant"] == variant and row["occupancy, %"] == percent}
        cells.append(" / ".join(f"{figures[block]:.0f}" if block in figures else "-" for block in (64, 256)))
    print(f"{variant:<27}" + "".join(f"{cell:>18}" for cell in cells))
print("worst spread of a copy: %.1f %%" % max((row["spread, %"] for row in copy), default=0))
print("\nsgemm 4096       GFLOP/s  spread, %")
for row in result["sgemm"]:
    print(f"{row['rung']:<14}{row['GFLOP/s']:>10}{row['spread, %']:>11}")
wrong = [row for row in copy + result["sgemm"] if row["verified"] != "PASS"]
print(f"\n{len(copy) + len(result['sgemm'])} rows, {len(wrong)} wrong")
PYTHON
[ $? -eq 0 ] || failures=$((failures + 1))
echo "$((SECONDS)) s, $failures failures"
[ $failures -eq 0 ]
