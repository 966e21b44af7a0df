#!/usr/bin/env bash
# Compares how builds of gtune start many workers: 400 processes that replay a bundled recording, with the present
# limit on open files and with the usual one of 1024. Needs no GPU.
# Usage: bench/many_workers_start.sh OUTPUT_FILE NAME=GTUNE...
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?usage: bench/many_workers_start.sh OUTPUT_FILE NAME=GTUNE...}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
workers=400
export GTUNE_REPLAY_DELAY_MS=1000

measured() { sqlite3 -readonly "$work/run.db" "SELECT count(*) FROM measurement" 2>/dev/null || echo 0; }
ticks() {
  local stat
  read -r stat <"$1"
  read -r -a stat <<<"${stat##*) }"
  echo "$((stat[11] * 10)) $((stat[12] * 10))"
}

# row NAME GTUNE LIMIT
row() {
  local tuner begin most=0 files device=replay:db/recordings/copy-1GiB-h200.jsonl devices i
  devices=$device
  for ((i = 1; i < workers; ++i)); do devices+=,$device; done
  rm -f "$work"/run.db*
  begin=$(date +%s%3N)
  (ulimit -Sn "$3" && exec "$2" copy --bytes 1073741824 --device "$devices" --strategy random --budget 336 --fresh \
    --profile off --db "$work/run.db" --quiet) >"$work/log" 2>&1 &
  tuner=$!
  while kill -0 $tuner 2>/dev/null && [ "$(measured)" = 0 ]; do
    files=$(find "/proc/$tuner/fd" -mindepth 1 2>/dev/null | wc -l)
    if [ "$files" -gt "$most" ]; then most=$files; fi
    sleep 0.1
  done
  # shellcheck disable=SC2046,SC2183
  printf '%-12s %10s %10d %12d %12d %12d %12d\n' "$1" "$3" $(($(date +%s%3N) - begin)) "$most" \
    $(ticks "/proc/$tuner/stat") "$(grep -c 'drops out' "$work/log")"
  kill -INT $tuner
  wait $tuner 2>/dev/null || true
}

{
  echo "# bench/many_workers_start.sh: $workers workers, $(nproc) cores, $(date -u +%F), $(uname -sm)"
  echo "# start: until the first measurement; user, system: CPU time of the tuner until then"
  printf '%-12s %10s %10s %12s %12s %12s %12s\n' build "soft limit" "start, ms" "open files" "user, ms" "system, ms" "workers lost"
  for limit in "$(ulimit -Sn)" 1024; do
    for build in "$@"; do row "${build%%=*}" "${build#*=}" "$limit"; done
  done
} >"$out.partial"
mv "$out.partial" "$out"
cat "$out"
