# What visits of a machine with a GPU share; they source it after `out` is set.
#
#   step SECONDS NAME COMMAND…      with a time limit, its words in FOLDER/NAME.log; nothing where FOLDER/NAME.json is there
#   visit_ends                      the sum, and the exit code: 0 when every step succeeded
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$out/bin" || exit 125
out=$(cd "$out" && pwd)
export PATH=$PATH:/usr/local/cuda/bin LD_LIBRARY_PATH=/usr/local/cuda/lib64:/usr/local/cuda/lib:${LD_LIBRARY_PATH:-}

failures=0
step() {
  local limit=$1 name=$2 begin=$SECONDS; shift 2
  [ -s "$out/$name.json" ] && return
  timeout "$limit" "$@" > "$out/$name.log" 2>&1 && echo "$name: $((SECONDS - begin)) s" && return
  echo "$name: failed after $((SECONDS - begin)) s"; tail -n 5 "$out/$name.log"; failures=$((failures + 1))
  return 1
}
visit_ends() { echo "$SECONDS s, $failures failures"; [ "$failures" -eq 0 ]; }
