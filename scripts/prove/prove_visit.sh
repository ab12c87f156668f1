#!/bin/bash
# What the proof needs of a GPU (docs/counters_vs_profiler.md says what comes of it): our own programs built for it,
# profiled launch by launch, and they and the corpus run for their output and the registers of their kernels.
#
#   scripts/prove/prove_visit.sh FOLDER [LIST PROGRAMS PROFILED]
#
#   FOLDER     where results go
#   LIST       of programs, and PROGRAMS, the folder where they are built (scripts/corpus/corpus.py)
#   PROFILED   those of them to profile, "fpc adv mr:3": the first 12 launches, here mr three times
#
#   FOLDER/runs/          output and kernels' attributes of every program (scripts/prove/prove_runs.py)
#   FOLDER/profiles/      one .csv a program, what `ncu --csv --page raw` prints
#   FOLDER/sass/          machine code of our own programs
#   FOLDER/visit.json     {"gpu": …, "driver": …, "toolkit": …, "profiler": …, "date": …}
# Every step has its time limit, and what is there is not done again. Exit code: 0 when every step succeeded.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?usage: prove_visit.sh FOLDER [LIST PROGRAMS PROFILED]}
list=${2:-} programs=${3:-} profiled=${4:-}
mkdir -p "$out"/{bin,runs,profiles,sass} || exit 125
out=$(cd "$out" && pwd)
export PATH=$PATH:/usr/local/cuda/bin LD_LIBRARY_PATH=/usr/local/cuda/lib64:${LD_LIBRARY_PATH:-}
failures=0
step() {  # step SECONDS NAME COMMAND…
  local limit=$1 name=$2 begin=$SECONDS; shift 2
  timeout "$limit" "$@" > "$out/$name.log" 2>&1 && echo "$name: $((SECONDS - begin)) s" && return
  echo "$name: failed after $((SECONDS - begin)) s"; tail -n 5 "$out/$name.log"; failures=$((failures + 1))
}

query() { nvidia-smi --id=0 --query-gpu="$1" --format=csv,noheader,nounits; }
printf '{"gpu": "%s", "driver": "%s", "toolkit": "%s", "profiler": "%s", "date": "%s"}\n' "$(query name)" \
  "$(query driver_version)" "$(nvcc --version | sed -n 's/.*, V//p')" "$(ncu --version | sed -n 's/^Version //p')" \
  "$(date -u +%F)" > "$out/visit.json"

# Our programs, whose sources are of a folder or one file, and the architecture of their code.
programs_of_ours="micro:tests/micro copy:studies/copy sgemm:studies/sgemm latency:studies/latency"
for name in barriers_in_memory copy_async cub_scan cub_sort textures virtual; do
  programs_of_ours="$programs_of_ours $name:tests/programs/$name.cu"
done
programs_of_ours="$programs_of_ours clusters:tests/programs/clusters.cu:90 tensor_copy:tests/programs/tensor_copy.cu:90a"

# The machine code that ptxas makes of the PTX that the executor runs, not what the driver would make of it.
build() {
  cd "$root" || return
  local each name place arch source
  for each in $programs_of_ours; do
    IFS=: read -r name place arch <<< "$each"
    for source in $([ -d "$place" ] && echo "$place"/*.cu || echo "$place"); do
      nvcc -c -cudart shared -gencode "arch=compute_${arch:-80},code=[sm_${arch:-90},compute_${arch:-80}]" -lineinfo -std=c++20 -O3 -I. \
        -Iinclude "$source" -o "$out/bin/$name.$(basename "$source").o" &
    done
  done
  g++ -std=c++17 -O2 -shared -fPIC -I/usr/local/cuda/include scripts/prove/function_attributes.cpp -o "$out/bin/attributes.so" -ldl &
  wait
  for each in $programs_of_ours; do
    IFS=: read -r name place arch <<< "$each"
    nvcc -cudart shared -gencode "arch=compute_${arch:-80},code=[sm_${arch:-90},compute_${arch:-80}]" "$out/bin/$name".*.o -o "$out/bin/$name" || return
    cuobjdump -sass "$out/bin/$name" | gzip > "$out/sass/$name.gz" || return
  done
  rm -f "$out"/bin/*.o
}
export -f build; export root out programs_of_ours
[ -x "$out/bin/tensor_copy" ] || step 200 build bash -c build

step 200 runs python3 -B "$root/scripts/prove/prove_runs.py" "$root/tests/corpus/own.txt" $list "$out/bin" $programs \
  --preload "$out/bin/attributes.so" --work "$out/runs" --timeout 30

# Only metrics that this profiler knows of this GPU.
[ -s "$out/known" ] || ncu --query-metrics --chip gh100 2>/dev/null | awk '{print $1}' > "$out/known"
metrics=$(grep -v '^#' "$root/scripts/prove/prove_metrics.txt" | while read -r metric; do
  case $metric in launch__*) echo "$metric" ;; *) grep -qx "${metric%.*}" "$out/known" && echo "$metric" ;; esac
done | paste -sd,)
[ -n "$metrics" ] || { echo "the profiler names no metrics"; exit 1; }
echo "$metrics" | tr , '\n' > "$out/metrics"
profile() {  # profile SECONDS NAME LAUNCHES FOLDER COMMAND…
  local limit=$1 name=$2 launches=$3 folder=$4; shift 4
  [ -s "$out/profiles/$name.csv" ] && return
  step "$limit" "profile_$name" bash -c 'cd "$0" && exec "$@"' "$folder" ncu --clock-control none --cache-control none \
    --metrics "$metrics" --print-units base --csv --page raw $launches "$@"
  grep -q '^"ID"' "$out/profile_$name.log" && mv "$out/profile_$name.log" "$out/profiles/$name.csv"
}
profile 120 sgemm "" "$out" "$out/bin/sgemm" --seed 7 --repeat 1
profile 280 micro "" "$out" "$out/bin/micro" --seed 7 --json "$out/micro.json"
profile 60 copy "" "$out" "$out/bin/copy" --seed 7 --repeat 1
profile 100 latency "" "$out" "$out/bin/latency" --seed 7 --repeat 1
for name in barriers_in_memory copy_async cub_scan cub_sort textures virtual clusters tensor_copy; do
  profile 60 $name "" "$out" "$out/bin/$name"
done

for name in $profiled; do
  times=${name#*:}; [ "$times" = "$name" ] && times=1
  name=${name%:*}
  arguments=$(awk -F'\t' -v name="$name" '$1 == name {print $4}' "$list")
  [ "$arguments" = "(none)" ] && arguments=
  for run in $(seq "$times"); do
    profile 40 "$name$([ "$run" = 1 ] || echo ".$run")" "--launch-count 12" "$programs/$name-cuda" ./main $arguments
  done
done
echo "$SECONDS s, $failures failures"
[ $failures -eq 0 ]
