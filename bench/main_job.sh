#!/usr/bin/env bash
# Runs the main job with an empty cubin cache and an empty database, on GPU 0; then again without hardware
# metrics, and with the metrics of every configuration.
# Usage: bench/main_job.sh GTUNE OUTPUT_FOLDER
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
out=$2
scratch=$(mktemp -d)

# wall_time REPORT OPTIONS...: seconds that a run from an empty cache and database takes.
wall_time() {
  local report=$1 start
  shift
  rm -rf "$scratch/cache" "$scratch"/gtune.db*
  start=$(date +%s.%N)
  GTUNE_CACHE=$scratch/cache GTUNE_DB=$scratch/gtune.db \
    "$gtune" sgemm --M 4096 --device 0 "$@" >"$report"
  awk "BEGIN { print $(date +%s.%N) - $start }"
}

{
  echo "command: gtune sgemm --M 4096 --device 0   (empty cubin cache, empty database)"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  top=$(wall_time "$scratch/report" --quiet --trace "$scratch/trace.json")
  cp "$scratch"/gtune.db "$scratch/of_report.db"
  cat "$scratch/report"
  for mode in off all; do
    echo "$mode $(wall_time "$scratch/$mode" --profile "$mode" --quiet)"
    sed -n 's/^tried /  tried /p' "$scratch/$mode"
  done | awk -v top="$top" '
    { line[NR] = $0 } $1 != "tried" { wall[$1] = $2 }
    END { printf "wall time of the whole command: %.2f s\n", top
          printf "with --profile off: %.2f s, to which top adds %.1f %%\n%s\n", wall["off"],
            (top / wall["off"] - 1) * 100, line[2]
          printf "with --profile all: %.2f s, which adds %.1f %%\n%s\n", wall["all"],
            (wall["all"] / wall["off"] - 1) * 100, line[4] }'
  grep -o '"dur":[0-9.]*,"name":"profile"' "$scratch/trace.json" | awk -F '[:,]' '
    { us += $2 } END { printf "hardware metrics of %d kernels by default: %.2f s\n", NR, us / 1e6 }'
} 2>&1 | tee "$out/main_job.txt"
GTUNE_DB=$scratch/of_report.db "$gtune" sgemm --M 4096 --device 0 --json >"$out/main_job.json"
rm -rf "$scratch"
