#!/usr/bin/env bash
# What tuning in the wrong timing mode costs: sgemm of six sizes, tuned on GPU 0 in each mode; then the four winners are
# measured side by side in each mode. A table comes last.
# Usage: bench/timing_modes.sh GTUNE OUTPUT_FOLDER [BUDGET]
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
out=$2
budget=${3:-3s}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_DB=$scratch/gtune.db GTUNE_CACHE=$scratch/cache
modes=(cold warm back-to-back graph)
sizes=(64 256 512 1024 2048 4096)
{
  echo "command: bench/timing_modes.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  for size in "${sizes[@]}"; do
    winners=()
    for mode in "${modes[@]}"; do
      "$gtune" sgemm --M "$size" --device 0 --timing "$mode" --budget "$budget" --profile off --quiet --json \
        >"$scratch/$size-tuned-$mode.json"
      config=$(python3 -c 'import json, sys
print(",".join(f"{p}={v}" for p, v in json.load(open(sys.argv[1]))["best"]["config"].items()))' \
        "$scratch/$size-tuned-$mode.json")
      # The same configuration may win in several modes.
      [[ " ${winners[*]-} " == *" $config "* ]] || winners+=(--config "$config")
    done
    for mode in "${modes[@]}"; do
      "$gtune" sgemm --M "$size" --device 0 --timing "$mode" "${winners[@]}" --profile off --fresh --quiet --json \
        >"$scratch/$size-compared-$mode.json"
    done
  done
  python3 - "$scratch" "${sizes[@]}" <<'SCRIPT'
import json
import sys

MODES = ["cold", "warm", "back-to-back", "graph"]


def read(size, what, mode):
    with open(f"{sys.argv[1]}/{size}-{what}-{mode}.json") as file:
        return json.load(file)


print(f"{'sgemm':<7}{'winner of':<14}" + "".join(f"{'us ' + m:>17}{'loss':>8}" for m in MODES) + "  configuration")
worst = dict.fromkeys(MODES, (0, ""))
for size in sys.argv[2:]:
    compared = {m: read(size, "compared", m) for m in MODES}
    times = {m: {json.dumps(e["config"], sort_keys=True): e["median_ms"]
                 for e in [compared[m]["best"], *compared[m]["ties"], *compared[m]["finalists"]]}
             for m in MODES}
    for winner in MODES:
        config = read(size, "tuned", winner)["best"]["config"]
        key = json.dumps(config, sort_keys=True)
        row = f"{size + '^3':<7}{winner:<14}"
        for mode in MODES:
            loss = times[mode][key] / min(times[mode].values()) - 1
            worst[mode] = max(worst[mode], (loss, f"{size}^3, tuned {winner}"))
            row += f"{1e3 * times[mode][key]:17.3f}{100 * loss:6.1f} %"
        print(row + "  " + ",".join(f"{p}={v}" for p, v in config.items()))
print()
for mode, (loss, where) in worst.items():
    print(f"at most {100 * loss:.1f} % slower in {mode} ({where})")
SCRIPT
} 2>&1 | tee "$out/timing_modes.txt"
