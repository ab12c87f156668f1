#!/bin/bash
# Every command of a file of predicted times, on the executor, for scripts/prove/compare_model.py to predict again.
#
#   scripts/prove/predict_model.sh results/h200/model_unseen.json PROGRAMS RUNS [NAME …]     PROGRAMS: a folder with them; all, or the named
#   scripts/prove/compare_model.py results/h200/model_unseen.json RUNS --unseen results/h200/model.json -o … --predicted 2026-11-27
#
#   RUNS/NAME.json, .txt, .out    what headroom wrote, its report, what the program printed; what is there is not done again
# The file may be a visit's (scripts/measure/model_visit.sh), too. Exit code: 0 when every run succeeded.
set -u -f
root=$(cd "$(dirname "$0")/../.." && pwd)
headroom=$(realpath "${HEADROOM:-$root/build/release/bin/headroom}") || exit 125
file=$(realpath "${1:?usage: predict_model.sh FILE.json PROGRAMS RUNS [NAME …]}") programs=$(realpath "${2:?}") runs=${3:?}
mkdir -p "$runs" && runs=$(realpath "$runs") || exit 125
shift 3
failures=0
cd "$programs" || exit 125
while read -r name program arguments; do
  [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  [ -s "$runs/$name.json" ] && continue
  begin=$SECONDS
  timeout "${LIMIT:-600}" "$headroom" run --machine "${MACHINE:-h200}" --report "$runs/$name.txt" --json "$runs/$name.json" -- "./$program" $arguments \
    > "$runs/$name.out" 2>&1 < /dev/null && echo "$name: $((SECONDS - begin)) s" && continue
  echo "$name: failed after $((SECONDS - begin)) s"; failures=$((failures + 1))
done < <(python3 -c 'import json, sys
for name, command in json.load(open(sys.argv[1]))["commands"].items(): print(name, command)' "$file")
[ $failures -eq 0 ]
