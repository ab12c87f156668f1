#!/bin/bash
# The study merge_sort and its peer on a machine with a GPU: everything verified, rungs beside CUB's merge sort, and a sweep of tunings.
#
#   scripts/measure/merge_sort_visit.sh FOLDER          nvcc with CUB; about 6 minutes on 16 cores
#
#   FOLDER/bin/                     the programs
#   FOLDER/merge_sort_kinds.json    all rungs, keys, records and inputs, small and odd numbers of them
#   FOLDER/merge_sort_vs_cub.json   rungs beside CUB: 2^24 and 2^27 keys and pairs of 32 and 64 bits
#   FOLDER/tune_merge_sort_*.jsonl  tunings of the last rung (scripts/measure/tune.py)
#   FOLDER/merge_sort_tuned_*.json  the best of them beside CUB
# Every step has its time limit, and what is there is not done again. A short table comes last. Exit code: 0 when every step succeeded.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?usage: merge_sort_visit.sh FOLDER}
mkdir -p "$out/bin" || exit 125
out=$(cd "$out" && pwd)
export PATH=$PATH:/usr/local/cuda/bin

failures=0
step() {  # step SECONDS NAME COMMAND…
  local limit=$1 name=$2 begin=$SECONDS; shift 2
  [ -s "$out/$name.json" ] && return
  timeout "$limit" "$@" > "$out/$name.log" 2>&1 && echo "$name: $((SECONDS - begin)) s" && return
  echo "$name: failed after $((SECONDS - begin)) s"; tail -n 5 "$out/$name.log"; failures=$((failures + 1))
  return 1
}
python() { python3 -B "$@"; }

[ -x "$out/bin/merge_sort_vs_cub" ] || step 240 build python3 -B "$root/scripts/measure/build_studies.py" "$out/bin" merge_sort merge_sort_vs_cub || exit 1
step 60 merge_sort_kinds "$out/bin/merge_sort" --json "$out/merge_sort_kinds.json" --seed 1 --size 0,1,777,100001 \
  --keys int32,int64,float,low_byte --records keys,pairs --input random,sorted,reversed,equal,few,nan --repeat 3
step 120 merge_sort_vs_cub "$out/bin/merge_sort_vs_cub" --json "$out/merge_sort_vs_cub.json" --seed 1 --records keys,pairs \
  --rung partitioned,four_way --pairs 7
for keys in int32 int64; do
  step 150 "tune_$keys" python3 -B "$root/scripts/measure/tune.py" merge_sort "$out" --keys $keys --size 2^25
  # The best tuning again, linked with the peer.
  numbers=$(python - "$out/tune_merge_sort_$keys.jsonl" <<'BEST'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
best = min((row for row in rows if "cost" in row), key=lambda row: row["cost"])
print(" ".join(f"-D{name}={value}" for name, value in best.items() if name.isupper()))
BEST
) || continue
  step 120 "build_$keys" bash -c "cd '$root' && nvcc -std=c++20 -O3 -arch=native -I. -Iinclude $numbers peers/merge_sort/*.cu \
    \$(ls studies/merge_sort/*.cu | grep -v main) -o '$out/bin/tuned_$keys'"
  step 60 "merge_sort_tuned_$keys" "$out/bin/tuned_$keys" --json "$out/merge_sort_tuned_$keys.json" --seed 1 --keys $keys --records keys,pairs \
    --rung four_way --pairs 7 --name "$(echo "$numbers" | tr -d 'A-Z_D=-' | tr ' ' x)"
done

python - "$out" <<'TABLE'
import json, pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).glob("merge_sort*.json")):
    rows = json.loads(path.read_text())["rows"]
    print(f"\n{path.stem}: {len(rows)} rows, {sum(row['verified'] != 'PASS' for row in rows)} wrong")
    for row in rows:
        if "over CUB" in row:
            print(f"  {row['rung']:22} {row['keys']} {row['records']:5} {row['n']:10}  {row['Mkeys/s']:6} Mkeys/s  CUB {row['CUB']:6}  x {row['over CUB']:.3f}")
for keys in ("int32", "int64"):
    log = pathlib.Path(sys.argv[1], f"tune_{keys}.log")
    print(f"\ntune {keys}:", *(log.read_text().split("\n\n")[-1:] if log.exists() else []), sep="\n")
TABLE
echo "$SECONDS s, $failures failures"
[ $failures -eq 0 ]
