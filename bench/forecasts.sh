#!/usr/bin/env bash
# How often the findings of gtune explain were right: their bounds beside measured pairs of configurations, their steps
# beside what was measured (docs/explain.md). Needs no GPU, but a database of configurations with metrics
# (bench/forecasts_data.sh).
# Usage: bench/forecasts.sh GTUNE DATABASE OUTPUT_FOLDER
# Writes forecasts.txt, a table per kernel and one over all, and rule_records.json, which is to be copied to src/explain/.
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
database=$2
out=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
{
  echo "command:  bench/forecasts.sh $*"
  echo "date:     $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "database: sha256 $(sha256sum "$database" | cut -d ' ' -f 1)"
  for kernel in sgemm sgemm_tf32x3 transpose copy "$here"/../examples/classics/*.toml "$here"/causes/causes.toml; do
    if ! "$gtune" explain "$kernel" --forecasts --json --db "$database" >"$scratch/$(basename "$kernel").json" \
      2>/dev/null; then
      rm "$scratch/$(basename "$kernel").json"
      continue
    fi
    echo
    "$gtune" explain "$kernel" --forecasts --db "$database" 2>/dev/null
  done
  echo
  python3 "$here/forecasts_table.py" "$out/rule_records.json" "$scratch"/*.json
} | tee "$out/forecasts.txt"
