#!/bin/bash
# The study merge_sort and its peers on a machine with a GPU: everything verified, rungs beside CUB's and moderngpu's merge sort, and
# sweeps of tunings.
#
#   scripts/measure/merge_sort_visit.sh FOLDER [MODERNGPU]          nvcc with CUB; about 8 minutes on 16 cores
#
#   FOLDER/bin/                     the programs
#   FOLDER/merge_sort_kinds.json    the last rungs, keys, records and inputs, small and odd numbers of them
#   FOLDER/merge_sort.json          the ladder at 2^24 and 2^27 keys
#   FOLDER/merge_sort_vs_cub.json   rungs beside the peers: 2^24 and 2^27 keys and pairs of 32 and 64 bits
#   FOLDER/tune_merge_sort_*.jsonl  tunings of the last rung at 2^24 (scripts/measure/tune.py)
#   FOLDER/merge_sort_tuned_*.json  the best of them beside CUB
# MODERNGPU is a folder with https://github.com/moderngpu/moderngpu, whose sort then stands beside, too. Every step has its time limit, and
# what is there is not done again. A short table comes last. Exit code: 0 when every step succeeded.
set -u
out=${1:?usage: merge_sort_visit.sh FOLDER [MODERNGPU]}
moderngpu=${2:+--moderngpu $(cd "$2" && pwd)}
. "$(dirname "$0")/visit.sh"

# shellcheck disable=SC2086  # two words, or none
[ -x "$out/bin/merge_sort_vs_cub" ] || step 240 build python3 -B "$root/scripts/measure/build_studies.py" "$out/bin" merge_sort merge_sort_vs_cub \
  $moderngpu || exit 1
last=split_by_warp,whole_records,even_passes
step 60 merge_sort_kinds "$out/bin/merge_sort" --json "$out/merge_sort_kinds.json" --seed 1 --size 0,1,777,100001,1000003 \
  --keys int32,int64,float,low_byte --records keys,pairs --input random,sorted,reversed,equal,few,nan --repeat 3 --rung $last
step 120 merge_sort_vs_cub "$out/bin/merge_sort_vs_cub" --json "$out/merge_sort_vs_cub.json" --seed 1 --records keys,pairs \
  --rung four_way,$last --pairs 7
step 60 merge_sort_overlapped "$out/bin/merge_sort_vs_cub" --json "$out/merge_sort_overlapped.json" --seed 1 --records keys,pairs \
  --rung even_passes,overlapped --pairs 7
step 60 merge_sort "$out/bin/merge_sort" --json "$out/merge_sort.json" --seed 1 --size 2^24,2^27 --keys int32,int64 \
  --rung block_sort,merge_path,partitioned,four_way,$last
compile() {  # compile NAME NUMBERS: FOLDER/bin/tuned_NAME
  local objects=$out/bin/objects_$1; mkdir -p "$objects"
  (cd "$root" && ls peers/merge_sort/*.cu studies/merge_sort/*.cu | grep -v studies/merge_sort/main |
    xargs -P "$(nproc)" -I{} sh -c "nvcc -std=c++20 -O3 -arch=native -I. -Iinclude $2 -c {} -o '$objects'/\$(echo {} | tr / .).o") &&
    nvcc "$objects"/*.o -o "$out/bin/tuned_$1"
}
export -f compile; export out root
tune() {  # tune KEYS RECORDS MERGE_NT MERGE_VT SORT_NT SORT_VT
  local keys=$1 name=$1; [ "$2" = pairs ] && name=$1_pairs
  step 150 "tune_$name" python3 -B "$root/scripts/measure/tune.py" merge_sort "$out" --keys "$keys" --records "$2" --size 2^24 \
    --only "MERGE_NT=$3" --only "MERGE_VT=$4" --only "SORT_NT=$5" --only "SORT_VT=$6"
  # The best tuning again, linked with the peer.
  local numbers; numbers=$(python3 -B - "$out/tune_merge_sort_$name.jsonl" <<'BEST'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
best = min((row for row in rows if "cost" in row), key=lambda row: row["cost"])
print(" ".join(f"-D{name}={value}" for name, value in best.items() if name.isupper()))
BEST
) || return
  step 120 "build_$name" bash -c 'compile "$@"' compile "$name" "$numbers" || return
  step 60 "merge_sort_tuned_$name" "$out/bin/tuned_$name" --json "$out/merge_sort_tuned_$name.json" --seed 1 --keys "$keys" --records "$2" \
    --rung overlapped --pairs 7 --name "$(echo "$numbers" | tr -d 'A-Z_D=-' | tr ' ' x)"
}
tune int32 keys 256,512 25,15,19,31 512,1024 23,17,19
tune int32 pairs 256,512 15,11,17,23 512,1024 13,11,17
tune int64 keys 256,512 15,11,17,23 512,1024 13,11,17
tune int64 pairs 256,512 11,7,15 256,512 13,9,11

python3 -B - "$out" <<'TABLE'
import json, pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).glob("merge_sort*.json")):
    rows = json.loads(path.read_text())["rows"]
    print(f"\n{path.stem}: {len(rows)} rows, {sum(row['verified'] != 'PASS' for row in rows)} wrong")
    for row in rows:
        if "over CUB" in row:
            beside = f"  moderngpu {row['moderngpu']:6}  x {row['over moderngpu']:.3f}" if "moderngpu" in row else ""
            print(f"  {row['rung']:22} {row['keys']} {row['records']:5} {row['n']:10}  {row['Mkeys/s']:6} Mkeys/s  CUB {row['CUB']:6}  x {row['over CUB']:.3f}{beside}")
for log in sorted(pathlib.Path(sys.argv[1]).glob("tune_*.log")):
    print(f"\n{log.stem}:", *log.read_text().split("\n\n")[-1:], sep="\n")
TABLE
visit_ends
