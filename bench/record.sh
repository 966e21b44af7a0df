#!/usr/bin/env bash
# Makes the recordings that are shipped in db/recordings/ on GPU 0: whole spaces, and of sgemm the
# part without ordered adds and grouped tiles.
# Usage: bench/record.sh GTUNE OUTPUT_FOLDER
set -euo pipefail
gtune=$1
out=$2
export GTUNE_DB=$out/recordings.db
"$gtune" transpose --rows 8192 --device 0 --record "$out/transpose-8192-h200.jsonl"
"$gtune" copy --bytes 1073741824 --device 0 --record "$out/copy-1GiB-h200.jsonl"
"$gtune" sgemm --M 4096 --device 0 --param ORDERED=0 --param GROUP=1 --record "$out/sgemm-4096-h200.jsonl"
