#!/usr/bin/env bash
# Runs the same command with ten seeds, each with an empty database; then compares the winners directly
# in one run. Every winner should be within 1 % of the best of all.
# Usage: bench/seeds.sh GTUNE OUTPUT_FOLDER
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
out=$2
scratch=$(mktemp -d)
configs=()
{
  echo "command: gtune sgemm --M 4096 --device 0 --seed 1..10 --budget 30s   (an empty database each)"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
} >"$out/seeds.txt"
for seed in 1 2 3 4 5 6 7 8 9 10; do
  GTUNE_DB=$scratch/$seed.db "$gtune" sgemm --M 4096 --device 0 --seed $seed --budget 30s --quiet \
    >"$scratch/report.txt"
  config=$(sed -n 's/^best  *//p' "$scratch/report.txt")
  echo "seed $seed: $config" >>"$out/seeds.txt"
  sed -n 's/^\(time\|tried\)/  \1/p' "$scratch/report.txt" >>"$out/seeds.txt"
  case " ${configs[*]-} " in *" $config "*) ;; *) configs+=(--config "$config") ;; esac
done
echo "side by side:" >>"$out/seeds.txt"
GTUNE_DB=$scratch/all.db "$gtune" sgemm --M 4096 --device 0 "${configs[@]}" --quiet \
  >>"$out/seeds.txt" 2>&1
cat "$out/seeds.txt"
rm -rf "$scratch"
