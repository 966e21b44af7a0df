#!/usr/bin/env bash
# How long tuning takes from cold with default options, and how near it comes to the best of all runs: ten seeds of
# five problems on GPU 0, each with an empty cache of cubins and an empty database. Runs are added to
# OUTPUT_FOLDER/ten_seconds.tsv as they end, so that a later call may measure the rest of the seeds. In the end one
# process measures all winners of a problem side by side: losses are by these times, free of what differs by process.
# Usage: bench/ten_seconds.sh GTUNE OUTPUT_FOLDER [FIRST_SEED [LAST_SEED]]
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
out=$2
first=${3:-1}
last=${4:-10}
runs=$out/ten_seconds.tsv
winners=$out/ten_seconds_winners.tsv
table=$(dirname "$0")/ten_seconds_table.py
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_CACHE=$scratch/cache GTUNE_DB=$scratch/gtune.db
problems=("sgemm --M 4096" "sgemm --M 1024" "sgemm --M 333 --N 777 --K 1555" "transpose --rows 8192"
  "copy --bytes 268435456")

tune_cold() {
  local problem=$1 seed=$2 began ended
  rm -rf "$scratch/cache" "$scratch"/gtune.db*
  began=$(date +%s%N)
  # shellcheck disable=SC2086  # a command line
  "$gtune" $problem --device 0 --seed "$seed" --json --quiet >"$scratch/run.json"
  ended=$(date +%s%N)
  python3 "$table" run "$scratch/run.json" "$problem" "$seed" $(((ended - began) / 1000000)) >>"$runs"
}

measure_winners() {
  local problem=$1
  # shellcheck disable=SC2046,SC2086  # a command line
  "$gtune" $problem --device 0 --fresh --profile off --json --quiet \
    $(python3 "$table" options "$runs" "$problem") >"$scratch/winners.json"
  python3 "$table" winners "$scratch/winners.json" "$problem" >>"$winners"
}

{
  echo "command: bench/ten_seconds.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  for ((seed = first; seed <= last; seed++)); do
    for problem in "${problems[@]}"; do tune_cold "$problem" "$seed"; done
  done
  : >"$winners"
  for problem in "${problems[@]}"; do measure_winners "$problem"; done
  python3 "$table" print "$runs" "$winners"
} 2>&1 | tee "$out/ten_seconds.txt"
