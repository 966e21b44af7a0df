#!/usr/bin/env bash
# The best bandwidth of a copy within device memory for each width of an access and each number of
# accesses in flight, with neighbouring threads at neighbouring words and 32 words apart.
# Usage: bench/copy_table.sh GTUNE OUTPUT_FOLDER
set -euo pipefail
gtune=$1
out=$2
sizes=(--bytes 268435456 --stride 1,32)
scratch=$(mktemp -d)
export GTUNE_DB=$scratch/gtune.db
{
  echo "command: bench/copy_table.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  "$gtune" copy "${sizes[@]}" --device 0 --strategy exhaustive --quiet --param BLOCK=128,256,1024 \
    --param BLOCKS_PER_SM=0 --param CACHE=0 --param BULK=0 >/dev/null
  "$gtune" query copy "${sizes[@]}" --table WIDTH,UNROLL
} 2>&1 | tee "$out/copy_table.txt"
rm -rf "$scratch"
