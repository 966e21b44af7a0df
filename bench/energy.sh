#!/usr/bin/env bash
# How well measurements of energy repeat, and whether the least energy is another configuration than the least time.
# On GPU 0: tunes sgemm 4096^3 and a copy of 256 MiB by time and by energy, then measures the energy of each winner by
# time ten times, each in a new process.
# Usage: bench/energy.sh GTUNE OUTPUT_FOLDER [REPEATS]
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
out=$2
repeats=${3:-10}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_CACHE=$scratch/cache GTUNE_DB=$scratch/gtune.db
problems=("sgemm --M 4096" "copy --bytes 268435456")

tune() { # FILE PROBLEM OPTION...
  local file=$1 problem=$2
  shift 2
  # shellcheck disable=SC2086  # a command line
  "$gtune" $problem --device 0 --profile off --json --quiet "$@" >"$scratch/$file"
}

{
  echo "command: bench/energy.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  for i in "${!problems[@]}"; do
    for objective in time energy; do
      tune "$i.$objective.json" "${problems[i]}" --budget 4s --objective "$objective"
    done
    config=$(python3 - "$scratch/$i.time.json" <<'SCRIPT'
import json
import shlex
import sys

with open(sys.argv[1]) as file:
    words = shlex.split(json.load(file)["run_again"])
print(words[words.index("--config") + 1])
SCRIPT
    )
    for ((repeat = 1; repeat <= repeats; repeat++)); do
      tune "$i.repeat.$repeat.json" "${problems[i]}" --objective energy --config "$config" --fresh
    done
  done
  python3 - "$scratch" "$repeats" "${problems[@]}" <<'SCRIPT'
import json
import statistics
import sys

scratch, repeats, problems = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


def load(name):
    with open(f"{scratch}/{name}.json") as file:
        return json.load(file)


def text_of(config):
    return ",".join(f"{name}={value}" for name, value in config.items())


def metric(measured, name):
    return measured.get("metrics", {}).get(name, {}).get("value")


for i, problem in enumerate(problems):
    print(f"\n{problem}: the Pareto front of the finalists of the run by energy")
    for point in load(f"{i}.energy")["pareto"]:
        print(f"  {point['median_ms']:10.5f} ms {point['energy_mj']:12.3f} mJ {point['power_w']:8.1f} W"
              f"  {', '.join(point['least']):18} {text_of(point['config'])}")

print("\nwinners; the energy of the winner by time is its median of all repeats")
print(f"{'problem':24} {'objective':9} {'ms':>10} {'mJ':>12} {'W':>8} {'mJ ms':>12}  configuration")
for i, problem in enumerate(problems):
    by_time = [load(f"{i}.repeat.{repeat}")["best"] for repeat in range(1, repeats + 1)]
    for objective in ("time", "energy"):
        best = load(f"{i}.{objective}")["best"]
        of = by_time if objective == "time" else [best]
        energy = statistics.median(metric(each, "energy_mj") for each in of)
        power = statistics.median(metric(each, "power_w") for each in of)
        ms = best["median_ms"]
        print(f"{problem:24} {objective:9} {ms:10.5f} {energy:12.3f} {power:8.1f} {energy * ms:12.3f}"
              f"  {text_of(best['config'])}")

print(f"\n{repeats} repeats of the winner by time, each in a new process")
print(f"{'problem':24} {'median mJ':>12} {'least':>12} {'most':>12} {'most - least':>13} {'median W':>9}"
      f" {'ms between changes of the counter':>34}")
for i, problem in enumerate(problems):
    runs = [load(f"{i}.repeat.{repeat}")["best"] for repeat in range(1, repeats + 1)]
    energies = [metric(run, "energy_mj") for run in runs]
    middle = statistics.median(energies)
    print(f"{problem:24} {middle:12.3f} {min(energies):12.3f} {max(energies):12.3f}"
          f" {100 * (max(energies) - min(energies)) / middle:11.2f} %"
          f" {statistics.median(metric(run, 'power_w') for run in runs):9.1f}"
          f" {statistics.median(metric(run, 'energy_update_ms') for run in runs):34.1f}")
    print("  each: " + " ".join(f"{energy:.2f}" for energy in energies))
SCRIPT
} 2>&1 | tee "$out/energy.txt"
