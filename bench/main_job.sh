#!/usr/bin/env bash
# The main job from nothing: empty cubin cache, empty database, GPU 0.
# Usage: bench/main_job.sh GTUNE OUTPUT_FOLDER
set -euo pipefail
gtune=$1
out=$2
scratch=$(mktemp -d)
export GTUNE_CACHE=$scratch/cache GTUNE_DB=$scratch/gtune.db
{
  echo "command: gtune sgemm --M 4096 --device 0   (empty cubin cache, empty database)"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  start=$(date +%s.%N)
  "$gtune" sgemm --M 4096 --device 0 --quiet --trace "$scratch/trace.json"
  echo "wall time of the whole command: $(awk "BEGIN { print $(date +%s.%N) - $start }") s"
  grep -o '"dur":[0-9.]*,"name":"profile"' "$scratch/trace.json" | awk -F '[:,]' '
    { us += $2 } END { printf "of these, hardware metrics of %d kernels: %.2f s\n", NR, us / 1e6 }'
} >"$out/main_job.txt" 2>&1
"$gtune" sgemm --M 4096 --device 0 --json >"$out/main_job.json"
cat "$out/main_job.txt"
rm -rf "$scratch"
