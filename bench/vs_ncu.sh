#!/usr/bin/env bash
# Compares gtune's hardware metrics with Nsight Compute's, for the same kernels on the same buffers.
# Usage: bench/vs_ncu.sh GTUNE OUTPUT_FOLDER
# Needs ncu and the right to read hardware counters. Neither side touches the clocks.
set -euo pipefail
gtune=$1
out=$2
metrics=(duration dram_throughput dram_bytes achieved_occupancy gld_efficiency gst_efficiency
  gld_transactions gst_transactions bank_conflicts l2_hit_rate ipc l1_bytes l2_bytes)
scratch=$(mktemp -d)
export GTUNE_DB=$scratch/gtune.db
here=$(dirname "$0")

sgemm_small=BM=64,BN=64,BK=16,TM=8,TN=4,LANE_ROWS=4,KEEP_A=0,STAGES=3,MIN_BLOCKS=2,SPLIT=1
sgemm_large=BM=128,BN=128,BK=16,TM=8,TN=8,LANE_ROWS=4,KEEP_A=0,STAGES=3,MIN_BLOCKS=1,SPLIT=1
padded=KIND=0,TILE_R=64,TILE_C=64,THREADS=256,WIDTH=16,STAGES=1,SQUARES=0,STRIPS=1,BAND=0
words=WIDTH=4,UNROLL=4,BLOCK=256,BLOCKS_PER_SM=0,CACHE=0,BULK=0
vectors=WIDTH=16,UNROLL=1,BLOCK=128,BLOCKS_PER_SM=0,CACHE=0,BULK=0
# Kernel and sizes; configuration; what is compared: the configuration ("best") and baselines; the L2
# cache: cold (ncu empties it, gtune reads other data into it), or flushed or warm as before gtune's
# samples (ncu then runs the whole program once per pass).
cases=(
  "sgemm --M 1024;$sgemm_small;naive shared best;cold"
  "sgemm --M 2048;$sgemm_large;naive shared best;cold"
  "transpose --rows 8192;$padded;naive tiled best;cold"
  "copy --bytes 268435456;$words;naive best;cold"
  "copy --bytes 268435456;$vectors;best;cold"
  "copy --bytes 268435456 --in_offset 4;$words;best;cold"
  "copy --bytes 268435456 --in_offset 12;$words;best;cold"
  "copy --bytes 268435456 --stride 8;$words;best;cold"
  "copy --bytes 268435456 --stride 32;$words;best;cold"
  "sgemm --M 1024;$sgemm_small;best;flushed"
  "sgemm --M 1024;$sgemm_small;best;warm"
  "transpose --rows 1024;$padded;tiled best;warm"
)

# Lines of NAME and CUPTI_NAME.
"$gtune" metrics --json "${metrics[@]}" | python3 -c '
import json, sys
for each in json.load(sys.stdin)["metrics"]:
    if each["name"] != each["metric"]:
        print(each["name"], each["metric"])' >"$scratch/names"
cupti=$(awk '{ printf "%s%s", separator, $2; separator = "," }' "$scratch/names")

# Lines of KIND, NAME and VALUE from a run's JSON, for the best ("best") and each baseline.
metrics_of_run() {
  awk '
    /^  "[a-z_]+": / { section = $1; gsub(/[":]/, "", section); base = section == "best" ? 4 : 6 }
    section != "best" && section != "baselines" { next }
    { match($0, /^ */); indent = RLENGTH; key = $1; gsub(/[":]/, "", key) }
    indent == base && key == "metrics" { inside = 1; next }
    indent == base && inside && $1 ~ /^}/ { inside = 0 }
    inside && indent == base + 2 && key !~ /^}/ { metric = key }
    inside && indent == base + 4 && key == "value" { sub(/,$/, "", $2); value[metric] = $2 }
    !inside && indent == base && section == "baselines" && key == "name" {
      gsub(/[",]/, "", $2)
      for (m in value) print $2, m, value[m]
      delete value
    }
    section == "best" && indent == 2 && /^  }/ {
      for (m in value) print "best", m, value[m]
      delete value
    }'
}

# Lines of NAME and VALUE from ncu's CSV, whose last three columns are name, unit and value.
metrics_of_ncu() {
  awk -F '","' 'NR == FNR { split($0, pair, " "); name[pair[2]] = pair[1]; next }
    NF > 3 && ($(NF - 2) in name) { value = $NF; gsub(/[",]/, "", value)
                                    print name[$(NF - 2)], value }' "$scratch/names" -
}

: >"$scratch/lines"
for each in "${cases[@]}"; do
  IFS=';' read -r what config who cache <<<"$each"
  read -ra words_of_it <<<"$what"
  flags=() alone=(--launches 1) replay=(--cache-control all)
  own=(--cache-control none --replay-mode application --launch-count 1)
  case $cache in
    flushed) alone=(--launches 1 --flush-l2) replay=("${own[@]}" --launch-skip 1) ;;
    warm) flags=(--timing warm) alone=(--launches 3) replay=("${own[@]}" --launch-skip 2) ;;
  esac
  "$gtune" "${words_of_it[@]}" --device 0 --config "$config" --fresh --json --quiet "${flags[@]}" \
    --metrics gld_efficiency,gst_efficiency \
    >"$scratch/run.json"
  metrics_of_run <"$scratch/run.json" >"$scratch/ours"
  for name in $who; do
    chosen=$config
    [ "$name" = best ] || chosen=$name
    ncu --csv --print-units base --profile-from-start off --clock-control none "${replay[@]}" \
      --metrics "$cupti" "$gtune" run "${words_of_it[@]}" --config "$chosen" "${alone[@]}" \
      >"$scratch/ncu.csv" 2>"$scratch/ncu.err" || cat "$scratch/ncu.err" "$scratch/ncu.csv"
    metrics_of_ncu <"$scratch/ncu.csv" >"$scratch/theirs"
    for metric in "${metrics[@]}"; do
      ours=$(awk -v w="$name" -v m="$metric" '$1 == w && $2 == m { print $3 }' "$scratch/ours")
      theirs=$(awk -v m="$metric" '$1 == m { print $2 }' "$scratch/theirs")
      echo "$what;$name;$cache;$metric;${ours:-null};${theirs:-null};$config" >>"$scratch/lines"
    done
  done
done

{
  echo "command: bench/vs_ncu.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  ncu --version | tail -1
  awk -f "$here/vs_ncu_table.awk" "$scratch/lines"
} 2>&1 | tee "$out/vs_ncu.txt"
awk -v json=1 -f "$here/vs_ncu_table.awk" "$scratch/lines" >"$out/vs_ncu.json"
rm -rf "$scratch"
