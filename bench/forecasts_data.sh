#!/usr/bin/env bash
# Measures whole parts of search spaces on GPU 0 with all metrics, slow configurations included, so that findings can be
# checked against pairs of configurations (bench/forecasts.sh). Takes eleven minutes on an H200 with 16 cores.
# Usage: bench/forecasts_data.sh GTUNE DATABASE
set -euo pipefail
export GTUNE_ALSO="" GTUNE_DB=$2
gtune=$1
classics=$(dirname "$0")/../examples/classics
causes=$(dirname "$0")/causes/causes.toml
all=$("$gtune" metrics | awk 'NR > 2 && $2 + 0 > 0 { print $1 }' | paste -sd,)
# Without those that CUPTI patches into a kernel, which takes a third of a second for each kernel.
counted=$(tr , '\n' <<<"$all" |
  grep -v -E '^(gld_efficiency|gst_efficiency|gld_requested|async_requested|shared_efficiency|branch_eff)' | paste -sd,)

# Every configuration is named by --config: a search would discard slow ones, and take no metrics of them.
measure() { # METRICS SIZES PARAMETERS: "SPEC --size ..." "--param P=V ..."
  local metrics=$1 sizes=$2 parameters=$3 configs=() command=()
  [[ $sizes == *.toml* ]] && command=(tune)
  # shellcheck disable=SC2086  # command lines
  while read -r config; do configs+=(--config "$config"); done \
    < <("$gtune" space $sizes $parameters --list | grep -E '^[A-Z_]+=')
  # shellcheck disable=SC2086
  "$gtune" "${command[@]}" $sizes "${configs[@]}" --device 0 --quiet --metrics "$metrics" >/dev/null
}

measure "$all" "$classics/texture_fetch.toml --width 4096" ""
for used in 1 2 4; do measure "$all" "$classics/layout.toml --n 16777216 --used $used" ""; done
for used in 1 4; do measure "$all" "$classics/layout.toml --n 8388608 --fields 16 --used $used" ""; done
measure "$all" "$classics/layout.toml --n 33554432 --fields 4 --used 1" ""
measure "$all" "$classics/layout.toml --n 33554432 --fields 5 --used 2" ""
measure "$all" "$classics/access_pattern.toml --n 16777216 --read_offset 3" ""
measure "$all" "$classics/access_pattern.toml --n 67108864 --mode 0" ""
for n in 4194304 16777216; do
  measure "$all" "$classics/vector_add.toml --n $n" "--param LAUNCH=many_blocks,grid_stride"
done
for n in 33554432 67108864; do measure "$all" "$classics/histogram.toml --n $n" ""; done
measure "$all" "$classics/histogram.toml --n 33554432 --distribution 2" "--param BLOCK=256,1024"
for n in 16777216 134217728; do measure "$all" "$classics/histogram.toml --n $n --distribution 1" ""; done
measure "$all" "$classics/reduction.toml --n 33554432" "--param METHOD=SHUFFLES,TWO_PASSES,ATOMICS,COOPERATIVE"
measure "$all" "transpose --rows 4096" "--param KIND=0 --param TILE_R=32,64,128 --param TILE_C=32,64,128
  --param WIDTH=4,16 --param STAGES=1,2 --param BAND=0 --param STRIPS=1"
measure "$all" "transpose --rows 8191 --cols 4095 --element 1" "--param KIND=1 --param STRIPS=1 --param BAND=0
  --param TILE_R=32,64,128,256 --param TILE_C=32,64,128,256"
measure "$all" "copy --bytes 67108864" "--param BULK=0 --param CACHE=0 --param BLOCK=64,256,1024"
for size in 512 1024; do
  measure "$counted" "sgemm --M $size" "--param STAGES=3,4 --param SPLIT=1,2 --param BM=64,128 --param BN=64,128
    --param LANE_ROWS=4,8 --param BK=16,32 --param TM=4,8 --param TN=4,8 --param MIN_BLOCKS=1"
done
measure "$counted" "sgemm --M 500 --N 300 --K 3000" "--param STAGES=0,3 --param SPLIT=1,4 --param BM=32,64
  --param BN=32,64 --param LANE_ROWS=4,8"
measure "$counted" "sgemm_tf32x3 --M 1024" ""
for kind in 0 1 2 3 4 5 6 7 8; do
  for work in 4 64; do measure "$all" "$causes --kind $kind --work $work" ""; done
done
