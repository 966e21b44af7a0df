#!/usr/bin/env bash
# Source lines on GPU 0: what gtune explain --lines shows of kernels and baselines, and what --profile lines costs.
# The costs: wall time of a run of one configuration with --profile off, top and lines, in turn, and the configuration's
# time in each; and the times in a sweep, whose later problems are timed after the lines of earlier ones were sampled.
# Usage: bench/lines.sh GTUNE OUTPUT_FOLDER [REPEATS]
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
out=$2
repeats=${3:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_CACHE=$scratch/cache

# The configuration of the winner in a file of --json, as --config takes it.
winner() {
  python3 - "$1" <<'SCRIPT'
import json
import shlex
import sys

with open(sys.argv[1]) as file:
    words = shlex.split(json.load(file)["run_again"])
print(words[words.index("--config") + 1])
SCRIPT
}

show_lines() { # PROBLEM CONFIG...
  local problem=$1
  local kernel=${1#tune }
  local config
  shift
  echo
  echo "== $problem"
  # shellcheck disable=SC2086  # a command line
  "$gtune" $problem --device 0 --budget 4s --profile lines --json --quiet >"$scratch/tuned.json"
  for config in "$@"; do
    # shellcheck disable=SC2086
    "$gtune" explain $kernel --lines --config "$config" || echo "exit code $?"
  done
}

run_once() { # FILE PROFILE PROBLEM CONFIG
  local start
  start=$(date +%s.%N)
  # shellcheck disable=SC2086
  "$gtune" $3 --device 0 --config "$4" --fresh --profile "$2" --json --quiet >"$scratch/$1.json"
  echo "$(date +%s.%N) $start" >"$scratch/$1.wall"
}

compare_costs() { # NAME PROBLEM CONFIG
  for ((repeat = 1; repeat <= repeats; repeat++)); do
    for profile in off top lines; do run_once "$1.$profile.$repeat" "$profile" "$2" "$3"; done
  done
  echo
  echo "== $2 --config $3"
  python3 - "$scratch/$1" "$repeats" <<'SCRIPT'
import json
import statistics
import sys

prefix, repeats = sys.argv[1], int(sys.argv[2])


def times_of(text):
    """Of each problem of a run, in order: a sweep prints one report after the other."""
    times, at = [], 0
    while at < len(text):
        report, at = json.JSONDecoder().raw_decode(text, at)
        times.append(report["best"]["median_ms"])
        at += len(text[at:]) - len(text[at:].lstrip())
    return times


for profile in ("off", "top", "lines"):
    walls, times = [], []
    for repeat in range(1, repeats + 1):
        with open(f"{prefix}.{profile}.{repeat}.wall") as file:
            end, start = map(float, file.read().split())
        walls.append(end - start)
        with open(f"{prefix}.{profile}.{repeat}.json") as file:
            times.append(times_of(file.read()))
    shown = "; ".join(
        f"{1e3 * statistics.median(of):.3f} us ({1e3 * min(of):.3f} to {1e3 * max(of):.3f})" for of in zip(*times))
    print(f"--profile {profile:5}  wall {statistics.median(walls):6.2f} s   time {shown}")
SCRIPT
}

{
  echo "command: bench/lines.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  echo "nvdisasm: $(command -v nvdisasm || ls /usr/local/cuda/bin/nvdisasm 2>/dev/null || echo none)"
  export GTUNE_DB=$scratch/shown.db
  show_lines "sgemm --M 4096" best shared naive
  compare_costs sgemm "sgemm --M 4096" "$(winner "$scratch/tuned.json")"
  show_lines "transpose --rows 8192" best tiled
  show_lines "copy --bytes 268435456 --in_offset 4" best
  show_lines "copy --bytes 268435456" best naive
  config=$(winner "$scratch/tuned.json")
  classics=$(dirname "$0")/../examples/classics
  show_lines "tune $classics/histogram.toml --n 16777216 --distribution 1" best
  show_lines "tune $classics/matvec.toml" best thread_per_row
  compare_costs copy "copy --bytes 268435456" "$config"
  compare_costs sweep "copy --bytes 1048576,2097152,4194304" "$config"
  echo
  python3 - "$scratch/shown.db" <<'SCRIPT'
import sqlite3
import sys

rows = sqlite3.connect(sys.argv[1]).execute(
    "SELECT count(*), sum(samples IS NULL), max(length(profile)), sum(length(profile)) FROM line_profile").fetchone()
print(f"stored: {rows[0]} profiles, {rows[1]} without samples, the largest {rows[2]} bytes, all {rows[3]} bytes")
SCRIPT
} 2>&1 | tee "$out/lines.txt"
