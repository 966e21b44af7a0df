#!/usr/bin/env bash
# Compares a bundled kernel, tuned per shape from an empty cache and an empty database, with cuBLAS and
# cudaMemcpyAsync.
# Usage: bench/vs_vendor.sh BUILD_FOLDER OUTPUT_FOLDER KERNEL [--shapes=LIST] [GTUNE_OPTION...]
#   bench/vs_vendor.sh build /tmp sgemm --budget=20s
#   bench/vs_vendor.sh build /tmp transpose --shapes=8192x8192x1,4095x4097x8 --budget=2s
set -euo pipefail
build=$1
out=$2
kernel=$3
options=()
for option in "${@:4}"; do
  case $option in
    --shapes=*) options+=("$option") ;;
    *) options+=("--pass=$option") ;;
  esac
done
scratch=$(mktemp -d)
export GTUNE_CACHE=$scratch/cache GTUNE_DB=${GTUNE_DB:-$scratch/gtune.db}
{
  echo "command: bench/vs_vendor.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$build/gtune" devices
  "$build/vs_vendor" "$kernel" --gtune "$build/gtune" --json "$out/vs_vendor_$kernel.json" \
    ${options[@]+"${options[@]}"}
} 2>&1 | tee "$out/vs_vendor_$kernel.txt"
rm -rf "$scratch"
