#!/usr/bin/env bash
# Measures how the rate of a search grows with its workers. Each worker replays a recording and takes
# 50 ms per configuration, as a GPU would; needs no GPU. Also measures over ssh, if this machine accepts
# its own user without a password.
# Usage: bench/scaling.sh OUTPUT_FILE
set -euo pipefail
cd "$(dirname "$0")/.."
gtune=$(realpath "${GTUNE:-build/gtune}")
ssh="ssh -o BatchMode=yes -o ConnectTimeout=2 localhost"
out=${1:?usage: bench/scaling.sh OUTPUT_FILE}
recording=db/recordings/copy-1GiB-h200.jsonl
kernel=(copy --bytes 1073741824)
budget=200
export GTUNE_REPLAY_DELAY_MS=50
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Which source the times belong to does not matter here.
source bench/present_recording.sh
present_recording "$gtune" "$recording" "${kernel[@]}" >"$work/copy.jsonl"

# row STRATEGY NAME WORKERS OPTIONS...
row() {
  local strategy=$1 name=$2 workers=$3
  shift 3
  "$gtune" "${kernel[@]}" "$@" --strategy "$strategy" --budget "$budget" --fresh --profile off \
    --db "$work/gtune.db" --trace "$work/trace.json" --quiet >"$work/out" 2>"$work/err" ||
    { cat "$work/err" >&2; exit 1; }
  jq -r --arg strategy "$strategy" --arg name "$name" --arg workers "$workers" '
    .otherData.searches[0] | [$strategy, $name, $workers, (.measured | add),
      .seconds, ((.measured | add) / .seconds), .gpu_busy * 100] | @tsv' "$work/trace.json"
}

# links STRATEGY NAME COMMAND: one, two and four workers that COMMAND starts.
links() {
  local count options
  for count in 1 2 4; do
    options=()
    while [ ${#options[@]} -lt $((2 * count)) ]; do options+=(--worker-command "$3"); done
    row "$1" "$2" "$count" --device none "${options[@]}"
  done
}

rows() {
  local file=replay:$work/copy.jsonl
  local link="$gtune worker --device $file"
  for strategy in random guided; do
    row $strategy "local pipes" 1 --device "$file"
    row $strategy "local pipes" 2 --device "$file,$file"
    row $strategy "local pipes" 4 --device "$file,$file,$file,$file"
    links $strategy "--worker-command" "$link"
    if $ssh true 2>/dev/null; then
      links $strategy "ssh to localhost" "$ssh env GTUNE_REPLAY_DELAY_MS=$GTUNE_REPLAY_DELAY_MS $link"
    fi
  done
}

{
  echo "# $("$gtune" --version | head -1), $(nproc) cores, $(date -u +%F), $(uname -sm)"
  echo "# bench/scaling.sh: gtune ${kernel[*]} --budget $budget on $(basename "$recording"), ${GTUNE_REPLAY_DELAY_MS} ms each"
  rows | awk -F'\t' '
    BEGIN { print "strategy  workers over      workers  configurations  seconds  a second  x one worker  GPU busy" }
    $3 == 1 { one = $6 }
    { printf "%-9s %-17s %-8d %-15d %-8.2f %-9.1f %-13.2f %.0f %%\n", $1, $2, $3, $4, $5, $6, $6 / one, $7 }'
} >"$out.partial"
mv "$out.partial" "$out"
