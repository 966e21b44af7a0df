#!/usr/bin/env bash
# The loss on sizes that were not tuned: each tuned problem, and 100 random tenths of the problems, are
# left out and answered from the measurements of the others. Needs no GPU.
# Usage: bench/leave_one_out.sh GTUNE DATABASE OUTPUT_FILE [KERNEL...]
set -euo pipefail
gtune=$1
database=$2
out=$3
kernels=("${@:4}")
[ ${#kernels[@]} -gt 0 ] || kernels=(sgemm transpose copy)
{
  echo "command:  bench/leave_one_out.sh $*"
  echo "date:     $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "database: $database, sha256 $(sha256sum "$database" | cut -d ' ' -f 1)"
  for kernel in "${kernels[@]}"; do
    echo
    "$gtune" query "$kernel" --leave-one-out --db "$database"
  done
} 2>&1 | tee "$out"
