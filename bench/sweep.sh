#!/usr/bin/env bash
# How long a sweep of random SGEMM shapes takes from cold with default options, and what it loses to 30 s of search for
# each. On GPU 0: tunes COUNT shapes of SEED (bench/shapes/random) in one sweep; then every EVERY-th shape from the
# FIRST-th on, alone, from an empty database, for 30 s; then measures both winners side by side.
# Shapes are added to OUTPUT_FOLDER/sweep.tsv as they end; none begins after SECONDS_FOR_ALL. The searches of 30 s share
# the sweep's cubins. A later call with the same folder, SEED and COUNT keeps the sweep and compares other shapes.
# Usage: bench/sweep.sh GTUNE OUTPUT_FOLDER SEED COUNT FIRST EVERY [SECONDS_FOR_ALL]
set -euo pipefail
here=$(dirname "$0")
export GTUNE_ALSO=
gtune=$1
out=$2
seed=$3
count=$4
first=$5
every=$6
until=$((SECONDS + ${7:-100000}))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_CACHE=$scratch/cache

best_of() { # JSON_FILE
  python3 -c '
import json, sys
best = json.load(open(sys.argv[1]))["best"]
if isinstance(best, list): best = best[0]
print(",".join(f"{name}={value}" for name, value in best["config"].items()))' "$1"
}

tune_all() {
  local began ended
  tr , '\n' <<<"$shapes" >"$scratch/shapes.txt"
  began=$(date +%s%N)
  "$gtune" sgemm --shapes "$scratch/shapes.txt" --device 0 --db "$out/sweep.db" --quiet >"$scratch/sweep.txt"
  ended=$(date +%s%N)
  echo "$count shapes in $(((ended - began) / 1000000)) ms from start to exit" >"$out/sweep_time.txt"
}

compare() { # SHAPE
  local m n k
  IFS=x read -r m n k <<<"$1"
  local sizes=(sgemm --M "$m" --N "$n" --K "$k")
  "$gtune" query "${sizes[@]}" --db "$out/sweep.db" --json >"$scratch/swept.json"
  rm -f "$scratch"/alone.db*
  "$gtune" "${sizes[@]}" --device 0 --db "$scratch/alone.db" --budget 30s --profile off --json --quiet \
    >"$scratch/alone.json"
  local swept alone configs
  swept=$(best_of "$scratch/swept.json")
  alone=$(best_of "$scratch/alone.json")
  configs=(--config "$swept")
  if [ "$alone" != "$swept" ]; then configs+=(--config "$alone"); fi
  rm -f "$scratch"/both.db*
  "$gtune" "${sizes[@]}" --device 0 --db "$scratch/both.db" --profile off --json --quiet "${configs[@]}" \
    >"$scratch/both.json"
  python3 - "$1" "$scratch/both.json" "$swept" "$alone" >>"$out/sweep.tsv" <<'SCRIPT'
import json
import sys

shape, path, *configs = sys.argv[1:]
with open(path) as file:
    finalists = json.load(file)["finalists"]
ms = {tuple(sorted(f["config"].items())): f["median_ms"] for f in finalists}
wanted = [tuple(sorted((name, int(value)) for name, value in (part.split("=") for part in config.split(",")))) for config
          in configs]
print(shape, *(ms[config] for config in wanted), *configs, sep="\t")
SCRIPT
}

shapes=$("$here/shapes/random" "$seed" "$count")
if [ ! -e "$out/sweep_time.txt" ]; then
  rm -f "$out"/sweep.db* "$out/sweep.tsv"
  tune_all
fi
touch "$out/sweep.tsv"
IFS=, read -ra list <<<"$shapes"
for ((i = first - 1; i < count; i += every)); do
  if ((SECONDS < until)); then compare "${list[i]}"; fi
done
{
  echo "command: bench/sweep.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  cat "$out/sweep_time.txt"
  awk -F'\t' '
    { loss = $2 / $3 - 1; sum += loss; if (NR == 1 || loss > worst) worst = loss }
    END { if (NR) printf "%d shapes compared: loss to 30 s each %.2f %% in the mean, %.2f %% at worst\n", NR, 100 * sum / NR,
            100 * worst }' "$out/sweep.tsv"
  echo
  echo "each compared shape: MxNxK, ms of the winner of the sweep and of that of 30 s, side by side, and both"
  cat "$out/sweep.tsv"
} 2>&1 | tee "$out/sweep.txt"
