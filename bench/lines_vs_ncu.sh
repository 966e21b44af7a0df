#!/usr/bin/env bash
# Compares the source lines with the most samples, as gtune explain --lines shows them, with Nsight Compute's.
# Usage: bench/lines_vs_ncu.sh GTUNE OUTPUT_FOLDER
# Needs ncu and the right to read hardware counters. Neither side touches the clocks.
set -euo pipefail
export GTUNE_ALSO=
gtune=$1
out=$2
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_DB=$scratch/gtune.db

sgemm=BM=64,BN=64,BK=16,TM=8,TN=4,LANE_ROWS=4,KEEP_A=0,K_LANES=1,K_WARPS=1,UNROLL=1,STAGES=3,MIN_BLOCKS=2,SPLIT=1
padded=KIND=0,TILE_R=64,TILE_C=64,THREADS=256,WIDTH=16,STAGES=1,SQUARES=0,STRIPS=1,BAND=0
words=WIDTH=4,UNROLL=4,BLOCK=256,BLOCKS_PER_SM=0,CACHE=0,BULK=0
# Kernel and sizes; configuration; what is compared: the configuration ("best") and baselines.
cases=(
  "sgemm --M 2048;$sgemm;best shared naive"
  "transpose --rows 8192;$padded;best tiled naive"
  "copy --bytes 268435456 --in_offset 4;$words;best"
  "$here/../examples/classics/reduction.toml;METHOD=SHUFFLES,WORD=uint4,UNROLL=4,BLOCK=512,BLOCKS_PER_SM=4;best"
  "$here/../examples/classics/histogram.toml;COPIES=4,WORD=uint4,BLOCK=256,BLOCKS_PER_SM=8;best"
)

for each in "${cases[@]}"; do
  IFS=';' read -r what config who <<<"$each"
  read -ra words_of_it <<<"$what"
  tune=()
  case $what in *.toml*) tune=(tune) ;; esac
  "$gtune" "${tune[@]}" "${words_of_it[@]}" --device 0 --config "$config" --profile lines --quiet >"$scratch/run.txt"
  for name in $who; do
    chosen=$config
    [ "$name" = best ] || chosen=$name
    "$gtune" explain "${words_of_it[@]}" --lines --json --config "$name" >"$scratch/ours.json"
    ncu --csv --page source --print-source cuda,sass --section SourceCounters --section WarpStateStats \
      --import-source yes --clock-control none --profile-from-start off \
      "$gtune" run "${words_of_it[@]}" --config "$chosen" --launches 1 >"$scratch/ncu.csv" 2>"$scratch/ncu.err" ||
      cat "$scratch/ncu.err" "$scratch/ncu.csv"
    python3 "$here/lines_vs_ncu_table.py" "$what, $name" "$scratch/ours.json" "$scratch/ncu.csv"
  done
done >"$scratch/table.txt"
{
  echo "command: bench/lines_vs_ncu.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  ncu --version | tail -1
  cat "$scratch/table.txt"
} 2>&1 | tee "$out/lines_vs_ncu.txt"
