#!/bin/bash
# The study fft and its peer on a machine with a GPU: everything verified, rungs beside cuFFT by size, and tunings side by side.
#
#   scripts/measure/fft_visit.sh FOLDER            nvcc, cuFFT; about 4 minutes
#
#   FOLDER/bin/                the programs
#   FOLDER/fft.json            the ladder at 1024 points, 2 GiB
#   FOLDER/fft_sizes.json      all rungs at all sizes, both directions and places, small batches
#   FOLDER/fft_accuracy.json   errors by size
#   FOLDER/fft_vs_cufft.json   the last rungs beside cuFFT, as tuned: 256 to 4096 points, out of place and in place
#   FOLDER/fft_tuning_N.json   the same at N points by blocks on a multiprocessor and tiles in a ring
# Every step has its time limit, and what is there is not done again. A short table comes last. Exit code: 0 when every step succeeded.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?usage: fft_visit.sh FOLDER}
mkdir -p "$out/bin" || exit 125
out=$(cd "$out" && pwd)
export PATH=$PATH:/usr/local/cuda/bin LD_LIBRARY_PATH=/usr/local/cuda/lib64:/usr/local/cuda/lib:${LD_LIBRARY_PATH:-}

failures=0
step() {  # step SECONDS NAME COMMAND…
  local limit=$1 name=$2 begin=$SECONDS; shift 2
  [ -s "$out/$name.json" ] && return
  timeout "$limit" "$@" > "$out/$name.log" 2>&1 && echo "$name: $((SECONDS - begin)) s" && return
  echo "$name: failed after $((SECONDS - begin)) s"; tail -n 5 "$out/$name.log"; failures=$((failures + 1))
  return 1
}
study() { local limit=$1 name=$2; shift 2; step "$limit" "$name" "$out/bin/fft" --json "$out/$name.json" --seed 1 "$@"; }
peer() { local limit=$1 name=$2; shift 2; step "$limit" "$name" "$out/bin/fft_vs_cufft" --json "$out/$name.json" --seed 1 "$@"; }

[ -x "$out/bin/fft_vs_cufft" ] || step 200 build python3 -B "$root/scripts/measure/build_studies.py" "$out/bin" fft fft_vs_cufft || exit 1
all=16,32,64,128,256,512,1024,2048,4096,8192
last=queued,bulk,bulk_stores
study 60 fft_sizes --size $all --bytes 16M --direction forward,inverse --place out,in --repeat 3
study 30 fft_accuracy --accuracy --size $all --bytes 16M
study 60 fft --bytes 2G
peer 100 fft_vs_cufft --rung padded,pipelined,$last --place out,in
peer 60 fft_tuning_1024 --size 1024 --rung $last --blocks 3,4,5 --stages 2,3,4 --pairs 9
peer 30 fft_tuning_256 --size 256 --rung $last --blocks 4,5,6 --stages 3 --pairs 7
peer 30 fft_tuning_2048 --size 2048 --rung $last --blocks 2,3 --stages 2,3,4 --pairs 7
peer 30 fft_tuning_4096 --size 4096 --rung $last --blocks 1,2 --stages 2,3,4 --pairs 7
peer 40 fft_tuning_8192 --size 8192 --rung padded,$last --stages 2,3 --pairs 7
peer 60 fft_short --size 16,32,64,128 --rung padded,$last --pairs 7

python3 - "$out" <<'TABLE'
import json, pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).glob("fft*.json")):
    rows = json.loads(path.read_text())["rows"]
    wrong = sum(row["verified"] != "PASS" for row in rows)
    print(f"\n{path.stem}: {len(rows)} rows, {wrong} wrong")
    for row in rows:
        if "over cuFFT" in row:
            print(f"  {row['rung']:14} {row['n']:5} {row['place']:3} {row.get('blocks', ''):>3} x {row.get('stages', ''):<2} "
                  f"{row.get('occupancy, %', ''):>5} %  {row['GB/s']:5} GB/s  cuFFT {row['cuFFT']:5}  x {row['over cuFFT']:.3f}  "
                  f"{row['of cudaMemcpy, %']:5} % of cudaMemcpy")
        elif path.stem == "fft":
            print(f"  {row['rung']:14} {row['threads']:4} threads {row['occupancy, %']:5} %  {row['GB/s']:7} GB/s {row['GFLOP/s']:6} GFLOP/s")
TABLE
echo "$SECONDS s, $failures failures"
[ $failures -eq 0 ]
