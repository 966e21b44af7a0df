#!/usr/bin/env bash
# Tunes the problems of bench/shapes/ on GPU 0 into a new database, the one that is shipped in db/.
# Usage: bench/shipped.sh GTUNE DATABASE [BUDGET_PER_PROBLEM]
set -euo pipefail
gtune=$1
export GTUNE_DB=$2
budget=${3:-4s}
shapes=$(dirname "$0")/shapes
for list in "$shapes"/sgemm.txt "$shapes"/transpose.csv "$shapes"/copy.csv; do
  kernel=$(basename "${list%.*}")
  "$gtune" "$kernel" --shapes "$list" --device 0 --budget "$budget" --profile off --quiet
  # Hardware metrics of the finalists of the default problem, which is among them.
  "$gtune" "$kernel" --device 0 --budget "$budget" --quiet
done
"$gtune" db info --db "$GTUNE_DB"
