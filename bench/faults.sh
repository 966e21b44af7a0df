#!/usr/bin/env bash
# Tunes the kernel with planted faults. Every fault must be caught with the right status, and the
# good configurations of the same run must be unaffected.
# Usage: bench/faults.sh GTUNE OUTPUT_FOLDER
set -euo pipefail
gtune=$1
out=$2
scratch=$(mktemp -d)
export GTUNE_DB=$scratch/gtune.db
{
  echo "command: gtune tune tests/faults/faults.toml --device 0 --strategy exhaustive --timeout 2"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  "$gtune" tune tests/faults/faults.toml --device 0 --strategy exhaustive --timeout 2 --quiet
  "$gtune" tune tests/faults/faults.toml --device 0 --strategy exhaustive --timeout 2 --json \
    >"$out/faults.json"
} >"$out/faults.txt" 2>&1 || { cat "$out/faults.txt" && exit 1; }
cat "$out/faults.txt"
cp "$GTUNE_DB" "$out/faults.db"
rm -rf "$scratch"
