#!/usr/bin/env bash
# How long tuning takes from cold with default options, and how near it comes to the best of all runs: ten seeds of
# five problems on GPU 0, each with an empty cache of cubins and an empty database. Runs are added to
# OUTPUT_FOLDER/ten_seconds.tsv as they end, so that a later call may measure the rest of the seeds.
# Usage: bench/ten_seconds.sh GTUNE OUTPUT_FOLDER [FIRST_SEED [LAST_SEED]]
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
out=$2
first=${3:-1}
last=${4:-10}
runs=$out/ten_seconds.tsv
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
problems=("sgemm --M 4096" "sgemm --M 1024" "sgemm --M 333 --N 777 --K 1555" "transpose --rows 8192"
  "copy --bytes 268435456")
{
  echo "command: bench/ten_seconds.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  for ((seed = first; seed <= last; seed++)); do
    for problem in "${problems[@]}"; do
      export GTUNE_CACHE=$scratch/cache GTUNE_DB=$scratch/gtune.db
      began=$(date +%s%N)
      # shellcheck disable=SC2086  # a command line
      "$gtune" $problem --device 0 --seed "$seed" --json --quiet >"$scratch/run.json"
      ended=$(date +%s%N)
      python3 - "$scratch/run.json" "$problem" "$seed" $(((ended - began) / 1000000)) <<'SCRIPT'
import json
import sys

with open(sys.argv[1]) as file:
    run = json.load(file)
config = ",".join(f"{name}={value}" for name, value in run["best"]["config"].items())
print(*sys.argv[2:], run["best"]["median_ms"], run["tried"], config, sep="\t")
SCRIPT
      rm -rf "$scratch/cache" "$scratch"/gtune.db*
    done
  done >>"$runs"
  awk -F'\t' '
    { key = $1; if (!(key in n)) order[++count] = key
      n[key]++; seconds[key, n[key]] = $3 / 1000; ms[key, n[key]] = $4; tried[key, n[key]] = $5
      if (!(key in best) || $4 < best[key]) best[key] = $4 }
    function sorted(what, key,   i, j, t) {
      for (i = 1; i <= n[key]; i++) s[i] = what[key, i]
      for (i = 1; i <= n[key]; i++) for (j = i + 1; j <= n[key]; j++)
        if (s[j] < s[i]) { t = s[i]; s[i] = s[j]; s[j] = t }
    }
    function middle(key) { return (s[int((n[key] + 1) / 2)] + s[int(n[key] / 2) + 1]) / 2 }
    END {
      printf "%-34s %5s %10s %9s %8s %12s %12s %10s\n", "problem", "runs", "median s", "most s", "tried",
        "best ms", "median loss", "most loss"
      for (i = 1; i <= count; i++) {
        key = order[i]
        sorted(seconds, key); time = middle(key); most = s[n[key]]
        sorted(tried, key); all = middle(key)
        sorted(ms, key); loss = middle(key) / best[key] - 1; worst = s[n[key]] / best[key] - 1
        printf "%-34s %5d %10.1f %9.1f %8d %12.5f %10.2f %% %8.2f %%\n", key, n[key], time, most, all,
          best[key], 100 * loss, 100 * worst
      }
    }' "$runs"
  echo
  echo "each run: problem, seed, ms from start to exit, median ms of the winner, configurations tried, winner"
  cat "$runs"
} 2>&1 | tee "$out/ten_seconds.txt"
