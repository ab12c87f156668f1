#!/bin/bash
# What a model of a kernel's time is held against, from a machine with a GPU: programs built for it and timed launch by
# launch, each twice, so that the noise is known; once more for what its warps wait for; and what the probe measures without a profiler.
#
#   scripts/measure/model_visit.sh FOLDER            nvcc and ncu; 240 s
#   scripts/measure/model_visit.sh FOLDER LIST       other programs, as scripts/measure/model_unseen.txt
#   scripts/measure/model_rows.py FOLDER -o FILE.json
#
#   FOLDER/bin/           the programs
#   FOLDER/profiles/      NAME.1.csv, NAME.2.csv, times, and NAME.all.csv, what `ncu --csv --page raw` prints
#   FOLDER/probe.json     rows of model_probe
#   FOLDER/visit.json     {"gpu": …, "driver": …, "toolkit": …, "profiler": …, "date": …, "commands": {NAME: "…"}, "first": {NAME: 40}}
# Every step has its time limit, and what is there is not done again. Exit code: 0 when every step succeeded.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?usage: model_visit.sh FOLDER [LIST]}
mkdir -p "$out"/{bin,profiles} || exit 125
out=$(cd "$out" && pwd)
export PATH=$PATH:/usr/local/cuda/bin LD_LIBRARY_PATH=/usr/local/cuda/lib64:${LD_LIBRARY_PATH:-}

# A line each: name, seconds that a profile may take, metrics (all or few; all:40 of the first 40 launches alone), program:sources
# (a program alone is in FOLDER/bin before), arguments. The executor runs the same commands; each takes less than a minute there.
rungs=thread_per_body,scalar_arrays,constant_parameters,reciprocal_root,two_loops,shared_tile,unroll_8
rungs+=,no_test,fused_terms,unroll_128,flush,samples_manner,cut_sum,bodies_per_thread,uniform_bodies,symmetric_pairs   # all but one_thread, which takes seconds
table="
advice       60 all advice:tests/advice               --seed 7 --repeat 3
sgemm        40 all sgemm:studies/sgemm               --size 1024 --repeat 1 --seed 7
copy         40 all copy:studies/copy                 --bytes 64M --occupancy 12.5,100 --repeat 1 --seed 7
nbody        40 all nbody:studies/nbody               --bodies 4096 --precision single --rung $rungs --repeat 1 --seed 7
latency      40 all latency:studies/latency           --steps 4096 --every 256 --repeat 1 --seed 7
model_probe  30 few model_probe:scripts/measure/model_probe.cu --empty
micro        60 few micro:tests/micro                 --seed 7
"
[ -n "${2:-}" ] && { table=$(grep -v '^#' "$2") || exit 125; }
failures=0
step() {  # step SECONDS NAME COMMAND…
  local limit=$1 name=$2 begin=$SECONDS; shift 2
  timeout "$limit" "$@" > "$out/$name.log" 2>&1 && echo "$name: $((SECONDS - begin)) s" && return
  echo "$name: failed after $((SECONDS - begin)) s"; tail -n 5 "$out/$name.log"; failures=$((failures + 1))
  return 1
}
lines() { echo "$table" | grep .; }

query() { nvidia-smi --id=0 --query-gpu="$1" --format=csv,noheader,nounits; }
commands=$(lines | while read -r name _ _ place arguments; do printf ', "%s": "%s"' "$name" "${place%%:*}${arguments:+ $arguments}"; done)
first=$(lines | while read -r name _ metrics _; do case $metrics in *:*) printf ', "%s": %s' "$name" "${metrics#*:}" ;; esac; done)
printf '{"gpu": "%s", "driver": "%s", "toolkit": "%s", "profiler": "%s", "date": "%s",\n "commands": {%s}, "first": {%s}}\n' "$(query name)" \
  "$(query driver_version)" "$(nvcc --version | sed -n 's/.*, V//p')" "$(ncu --version | sed -n 's/^Version //p')" \
  "$(date -u +%F)" "${commands#, }" "${first#, }" > "$out/visit.json"

# Objects first, as many at a time as there are processors: tests/micro alone has fourteen.
build() {
  cd "$root" || return
  local flags="-cudart shared -gencode arch=compute_80,code=[sm_90,compute_80] -lineinfo -std=c++20 -O3 -I. -Iinclude"
  built() { lines | awk '$4 ~ /:/ {print $4}'; }
  built | while read -r place; do
    for source in $([ -d "${place#*:}" ] && echo "${place#*:}"/*.cu || echo "${place#*:}"); do
      echo "-c $flags $source -o $out/bin/${place%%:*}.$(basename "$source").o"
    done
  done | xargs -P "$(nproc)" -L 1 nvcc || return
  built | while read -r place; do nvcc $flags "$out/bin/${place%%:*}".*.o -o "$out/bin/${place%%:*}" || exit; done || return
  rm -f "$out"/bin/*.o
}
export -f build lines; export root out table
for program in $(lines | awk '{print $4}'); do
  [ -x "$out/bin/${program%%:*}" ] || { step 150 build bash -c build || exit 1; break; }
done

[ -x "$out/bin/model_probe" ] && ! [ -s "$out/probe.json" ] && { step 60 probe "$out/bin/model_probe" && cp "$out/probe.log" "$out/probe.json"; }

# Only metrics that this profiler knows of this GPU.
[ -s "$out/known" ] || ncu --query-metrics --chip gh100 2>/dev/null | awk '{print $1}' > "$out/known"
# Few enough for one pass: in several, the profiler restores memory in between, and L2 holds what no run of the program leaves there.
few='gpu__time_duration.sum dram__bytes_read.sum dram__bytes_write.sum'
all="$few sm__cycles_elapsed.max sm__cycles_active.avg smsp__inst_executed.sum smsp__inst_issued.sum sm__inst_executed.avg.per_cycle_active
lts__t_sectors_op_read.sum lts__t_sectors_op_write.sum lts__t_sector_hit_rate.pct l1tex__t_sector_hit_rate.pct
sm__warps_active.avg.pct_of_peak_sustained_active launch__registers_per_thread launch__occupancy_limit_blocks
launch__occupancy_limit_registers launch__occupancy_limit_shared_mem launch__occupancy_limit_warps"
for stall in long_scoreboard short_scoreboard wait barrier math_pipe_throttle lg_throttle mio_throttle not_selected selected \
  no_instruction branch_resolving dispatch_stall drain imc_miss membar sleeping tex_throttle misc gmma; do
  all="$all smsp__average_warps_issue_stalled_${stall}_per_issue_active.ratio"
done
known_of() {
  for metric in $1; do
    case $metric in launch__*) echo "$metric" ;; *) grep -qx "${metric%%.*}" "$out/known" && echo "$metric" ;; esac
  done | paste -sd,
}
all=$(known_of "$all") few=$(known_of "$few")
case $all in *smsp__*) ;; *) echo "the profiler names no metrics"; exit 1 ;; esac
echo "$all" | tr , '\n' > "$out/metrics"

cd "$out/bin" || exit
while read -r name limit metrics place arguments; do
  launches=()
  case $metrics in *:*) launches=(--launch-count "${metrics#*:}") metrics=${metrics%:*} ;; esac
  for run in 1 2 all; do
    [ -s "$out/profiles/$name.$run.csv" ] && continue
    [ "$run" = all ] && { [ "$metrics" = all ] || continue; }
    wanted=$few; [ "$run" = all ] && wanted=$all
    step "$limit" "profile_$name.$run" ncu --clock-control none --cache-control none --metrics "$wanted" --print-units base \
      --csv --page raw --log-file "$out/profile_$name.$run.csv" "${launches[@]}" "$out/bin/${place%%:*}" $arguments \
      && mv "$out/profile_$name.$run.csv" "$out/profiles/$name.$run.csv"
  done
done < <(lines)

for name in $(lines | awk '{print $1}'); do
  printf '%-12s' "$name"
  for run in 1 2; do
    [ -s "$out/profiles/$name.$run.csv" ] || { printf '  no profile'; continue; }
    python3 -B "$root/scripts/measure/model_rows.py" --sum "$out/profiles/$name.$run.csv"
  done
  echo
done
echo "$SECONDS s, $failures failures"
[ $failures -eq 0 ]
