#!/usr/bin/env bash
# The wall time that --profile adds to a run of the same configurations from a warm cubin cache.
# Usage: bench/profile_cost.sh GTUNE OUTPUT_FOLDER [CONFIGURATIONS]
set -euo pipefail
gtune=$1
out=$2
budget=${3:-1000}
scratch=$(mktemp -d)
export GTUNE_CACHE=${GTUNE_CACHE:-$scratch/cache}

# Seconds of a run with `--profile $1` into a new database.
wall_time() {
  rm -f "$scratch"/gtune.db*
  local start
  start=$(date +%s.%N)
  GTUNE_DB=$scratch/gtune.db "$gtune" sgemm --M 4096 --device 0 --strategy random --budget "$budget" \
    --profile "$1" --quiet >/dev/null
  awk "BEGIN { print $(date +%s.%N) - $start }"
}

{
  echo "command: bench/profile_cost.sh $*   (sgemm --M 4096 --strategy random --budget $budget)"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  wall_time off >/dev/null # fills the cache
  for mode in off top all; do echo "$mode $(wall_time "$mode")"; done |
    awk '{ wall[$1] = $2; printf "--profile %-4s %7.2f s\n", $1, $2 }
         END { printf "top adds %.2f s (%.1f %%), all %.2f s (%.1f %%)\n", wall["top"] - wall["off"],
                      (wall["top"] / wall["off"] - 1) * 100, wall["all"] - wall["off"],
                      (wall["all"] / wall["off"] - 1) * 100 }'
} 2>&1 | tee "$out/profile_cost.txt"
rm -rf "$scratch"
