#!/usr/bin/env bash
# Runs exported headers on random shapes, beside cuBLAS and beside tuning each shape: examples/production, built with
# exports of several numbers of compiled instances.
# Usage: bench/header_random.sh GTUNE DATABASE OUTPUT_FOLDER SEED COUNT [INSTANCES...]
#   bench/header_random.sh build/gtune db/shipped.db /tmp 2027 100 8 12 24
# $HEADER_BUILDS, if set, keeps the programs: with it, they can be built on a machine without a GPU, where only that is
# done. $DEVICES is a list of GPUs, separated by blanks (0), which share the shapes; they are numbered within
# $CUDA_VISIBLE_DEVICES. Each program runs $ROUNDS times (3), and the median counts. If $TUNED is set, each shape is
# also tuned for $BUDGET (5s), on the GPU on which the programs ran it; $TUNED is a folder for the databases. A second
# run goes on with the tuning.
set -euo pipefail
gtune=$(realpath "$1")
database=$(realpath "$2")
out=$3
seed=$4
count=$5
instances=("${@:6}")
[ ${#instances[@]} -gt 0 ] || instances=(8 12 24)
here=$(cd "$(dirname "$0")" && pwd)
builds=${HEADER_BUILDS:-$(mktemp -d)}
mkdir -p "$out" "$builds"
shapes=$("$here/shapes/random" "$seed" "$count")

for n in "${instances[@]}"; do
  folder=$builds/$n
  if [ -x "$folder/production_sgemm" ]; then continue; fi
  mkdir -p "$folder/exports"
  for format in header:gtune_sgemm.hpp dispatcher:gtune_sgemm_dispatch.cuh; do
    "$gtune" export sgemm --db "$database" --max-variants "$n" --format "${format%%:*}" \
      -o "$folder/exports/${format##*:}" >"$folder/export.txt" 2>&1
  done
  cmake -S "$here/../examples/production" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DWITH_CUBLAS=ON \
    -DGTUNE_EXPORTS="$folder/exports" >"$folder/build.log"
  cmake --build "$folder" >>"$folder/build.log"
done
if ! "$gtune" devices >/dev/null 2>&1; then
  echo "no GPU: the programs are in $builds"
  exit
fi

read -ra devices <<<"${DEVICES:-0}"
IFS=, read -ra visible <<<"${CUDA_VISIBLE_DEVICES:-}"
devices=("${devices[@]:0:count}")  # each has a shape
for n in "${instances[@]}"; do rm -f "$out/header_$n"_[0-9]*_[0-9]*.csv; done
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for i in "${!devices[@]}"; do
  tr ',' '\n' <<<"$shapes" | awk "NR % ${#devices[@]} == $i" >"$out/shapes_$i.txt"
done

# Runs every program on the shapes of one GPU.
run_programs() {
  local i=$1 device=${visible[${devices[$1]}]:-${devices[$1]}} round n
  for round in $(seq "${ROUNDS:-3}"); do
    for n in "${instances[@]}"; do
      # Exit code 1: a product is wrong, or a shape has no variant. The table says so.
      # shellcheck disable=SC2046  # a word for each shape
      CUDA_VISIBLE_DEVICES=$device "$builds/$n/production_sgemm" --csv $(cat "$out/shapes_$i.txt") \
        >"$out/header_${n}_${i}_$round.csv" || [ $? -eq 1 ]
    done
  done
}

runs=()
for i in "${!devices[@]}"; do
  run_programs "$i" &
  runs+=($!)
done
for run in "${runs[@]}"; do wait "$run"; done
if [ -n "${TUNED:-}" ]; then
  mkdir -p "$TUNED"
  tuners=()
  for i in "${!devices[@]}"; do
    "$gtune" sgemm --shapes "$out/shapes_$i.txt" --device "${devices[$i]}" --budget "${BUDGET:-5s}" --profile off \
      --quiet --db "$TUNED/$i.db" >/dev/null &
    tuners+=($!)
  done
  for tuner in "${tuners[@]}"; do wait "$tuner"; done
  for i in "${!devices[@]}"; do "$gtune" query sgemm --all --csv --db "$TUNED/$i.db"; done |
    awk 'NR == 1 { header = $0; print } $0 != header' >"$out/tuned.csv"
fi
{
  echo "command: bench/header_random.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  python3 "$here/header_random_table.py" "$out" "$shapes" "${instances[@]}"
} 2>&1 | tee "$out/header_random.txt"
