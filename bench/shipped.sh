#!/usr/bin/env bash
# Tunes the problems of bench/shapes/ on GPU 0 into a database, for the bundled results (db/shipped.db).
# Usage: bench/shipped.sh GTUNE DATABASE [BUDGET_PER_PROBLEM [KERNEL...]]
set -euo pipefail
gtune=$1
export GTUNE_DB=$2
budget=${3:-4s}
shapes=$(dirname "$0")/shapes
echo "command: bench/shipped.sh $*"
echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
echo "host:    $(nproc) cores"
"$gtune" devices
for kernel in "${@:4}" $([ $# -gt 3 ] || echo sgemm transpose copy); do
  for problems in "$shapes/$kernel"[._]*; do
    "$gtune" "$kernel" --shapes "$problems" --device 0 --budget "$budget" --profile off --quiet
  done
  # Hardware metrics of the finalists of the default problem, which is among the shapes.
  "$gtune" "$kernel" --device 0 --budget "$budget" --quiet
  # Measures an export's variants on the problems where the search did not. That may change which
  # variants are the best few, so it is done twice.
  for round in 1 2; do
    echo "$kernel, measured for exports, round $round:"
    "$(dirname "$0")/missing_pairs.sh" "$gtune" "$GTUNE_DB" "$kernel"
  done
done
echo "ended:   $(date -u +%Y-%m-%dT%H:%M:%SZ)"
"$gtune" db info --db "$GTUNE_DB"
