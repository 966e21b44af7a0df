#!/usr/bin/env bash
# The error of a matrix product relative to float64, compared with that of cuBLAS FP32, for several K. Each
# shape is computed in the configuration that gtune finds for it.
# Usage: bench/accuracy.sh BUILD_FOLDER OUTPUT_FOLDER KERNEL [GTUNE_OPTION...]
set -euo pipefail
build=$1
out=$2
kernel=$3
options=("${@:4}")
shapes=1024x1024x512,1024x1024x4096,1024x1024x65536,4096x4096x512,4096x4096x4096
# The fourth size of sgemm_tf32x3 is CARRY.
[ "$kernel" != sgemm_tf32x3 ] || shapes+=,1024x1024x512x1,1024x1024x4096x1,1024x1024x65536x1
shapes+=,256x256x256  # the last shape: special values are shown here as well
scratch=$(mktemp -d)
export GTUNE_CACHE=$scratch/cache GTUNE_DB=$scratch/gtune.db
{
  echo "command: bench/accuracy.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$build/gtune" devices
  "$build/vs_vendor" "$kernel" --accuracy --shapes "$shapes" --gtune "$build/gtune" \
    --json "$out/accuracy_$kernel.json" "${options[@]/#/--pass=}"
} 2>&1 | tee "$out/accuracy_$kernel.txt"
rm -rf "$scratch"
