#!/usr/bin/env bash
# Makes the bundled recordings of db/recordings/ on GPU 0: the whole space of each kernel, except for copies,
# where it is the part in which winners were found.
# Usage: bench/record.sh GTUNE OUTPUT_FOLDER [KERNEL...]
set -euo pipefail
gtune=$1
out=$2
export GTUNE_DB=$out/recordings.db
device=$("$gtune" devices | sed -n '1s/.*NVIDIA \([A-Za-z0-9]*\).*/\L\1/p')  # h200
for kernel in "${@:3}" $([ $# -gt 2 ] || echo transpose copy sgemm); do
  case $kernel in
    transpose)
      "$gtune" transpose --rows 8192 --device 0 \
        --record "$out/transpose-8192-$device.jsonl" ;;
    copy)
      "$gtune" copy --bytes 1073741824 --device 0 --param BLOCKS_PER_SM=0,4 --param CACHE=0,2 \
        --param BULK=0,4096 --record "$out/copy-1GiB-$device.jsonl" ;;
    sgemm)
      "$gtune" sgemm --M 4096 --device 0 \
        --record "$out/sgemm-4096-$device.jsonl" ;;
    *) echo "record.sh: no kernel $kernel" >&2; exit 2 ;;
  esac
done
