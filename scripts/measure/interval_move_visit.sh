#!/bin/bash
# The study interval_move on a machine with a GPU: everything verified, the rungs beside moderngpu's functions, and a sweep of tunings.
#
#   scripts/measure/interval_move_visit.sh FOLDER MODERNGPU [RUNGS]         nvcc; about 3 minutes on 16 cores
#
#   FOLDER/bin/                               the programs
#   FOLDER/interval_move_kinds.json           RUNGS, all kinds, lengths from 1 to one interval
#   FOLDER/interval_move.json                 the ladder by average length, 2^27 elements
#   FOLDER/interval_move_vs_moderngpu.json    RUNGS (default: the last four) beside moderngpu, average lengths 4, 16, 64 and 1024
#   FOLDER/tune_interval_move_*.jsonl         tunings of the rung whole_lines, of gathers and of expansions (scripts/measure/tune.py)
#   FOLDER/random_pieces.jsonl                pieces of 16 bytes in random order (scripts/measure/random_pieces.cu)
# MODERNGPU is a folder with https://github.com/moderngpu/moderngpu. Every step has its time limit, and what is there is not done again. A
# short table comes last. Exit code: 0 when every step succeeded.
set -u
out=${1:?usage: interval_move_visit.sh FOLDER MODERNGPU [RUNGS]}
moderngpu=$(cd "${2:?usage: interval_move_visit.sh FOLDER MODERNGPU [RUNGS]}" && pwd)
rungs=${3:-heads,edges_first,whole_lines,by_region}
. "$(dirname "$0")/visit.sh"

[ -x "$out/bin/interval_move_vs_moderngpu" ] || step 120 build_interval_move python3 -B "$root/scripts/measure/build_studies.py" "$out/bin" \
  interval_move interval_move_vs_moderngpu --moderngpu "$moderngpu" || exit 1
step 60 interval_move_kinds "$out/bin/interval_move" --json "$out/interval_move_kinds.json" --seed 1 --size 1000003 \
  --average 1,4,16,64,1024,4000000 --kind expand,gather,scatter,move --repeat 3 --rung "$rungs"
step 150 interval_move_vs_moderngpu "$out/bin/interval_move_vs_moderngpu" --json "$out/interval_move_vs_moderngpu.json" --seed 1 --pairs 7 \
  --kind move,gather,scatter,expand --rung "$rungs"
step 60 interval_move "$out/bin/interval_move" --json "$out/interval_move.json" --seed 1 --size 2^27 --average 4,16,64,1024
for kind in gather expand; do
  step 90 "tune_interval_move_$kind" python3 -B "$root/scripts/measure/tune.py" interval_move "$out" --kind "$kind" --average 4,16,64,1024 \
    --size 2^26 --only TUNED_NT=128,256 --only TUNED_VT=16,8,20,24
done

[ -x "$out/bin/random_pieces" ] || step 120 build_random_pieces nvcc -arch=native -std=c++20 -O3 "$root/scripts/measure/random_pieces.cu" \
  -o "$out/bin/random_pieces"
[ -s "$out/random_pieces.jsonl" ] || { step 60 random_pieces "$out/bin/random_pieces" && mv "$out/random_pieces.log" "$out/random_pieces.jsonl"; }

python3 -B - "$out" <<'TABLE'
import json, pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).glob("interval_move*.json")):
    rows = json.loads(path.read_text())["rows"]
    print(f"\n{path.stem}: {len(rows)} rows, {sum(row['verified'] != 'PASS' for row in rows)} wrong")
    for row in rows:
        if "over moderngpu" in row:
            print(f"  {row['rung']:12} {row['kind']:7} {row['average']:5} {row['Melements/s']:7} Melements/s  moderngpu {row['moderngpu']:7}  x {row['over moderngpu']:.3f}")
        elif path.stem == "interval_move":
            print(f"  {row['rung']:12} {row['kind']:7} {row['average']:5} {row['Melements/s']:9} Melements/s  {row['GB/s']:7} GB/s")
for log in sorted(pathlib.Path(sys.argv[1]).glob("tune_interval_move_*.log")):
    print(f"\n{log.stem}:", log.read_text().split("\n\n")[-1], sep="\n")
TABLE
visit_ends
