#!/usr/bin/env bash
# How often gtune baseline check raises a false alarm, and how often it finds a planted slowdown: checks of an unchanged
# kernel, then of copies of it that do about 1, 2 and 5 % more work (bench/gate/work.cu). A table comes last.
# Usage: bench/gate.sh GTUNE OUTPUT_FOLDER [UNCHANGED [PLANTED [IN_TURN]]]
#   UNCHANGED  checks of the unchanged kernel [200]
#   PLANTED    checks of each slowdown [40]
#   IN_TURN    checks of the unchanged kernel and of each slowdown with --against [0]
# A run of gtune checks each size of GATE_SIZES once, so counts are rounded up to a multiple of their number.
# GATE_DEVICE: what --device takes [0]. GATE_ROUNDS: rounds of the file [20].
set -euo pipefail
gtune=$(realpath "$1")
out=$(realpath "$2")
unchanged=${3:-200}
planted=${4:-40}
in_turn=${5:-0}
device=${GATE_DEVICE:-0}
rounds=${GATE_ROUNDS:-20}
# Floats: 64 to 80 MiB, more than an L2 cache has.
sizes=${GATE_SIZES:-16777216,17825792,18874368,19922944,20971520}
per_run=$(tr ',' '\n' <<<"$sizes" | wc -l)
here=$(cd "$(dirname "$0")" && pwd)
verdicts=(SAME FASTER SLOWER UNSURE FAILED)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_DB=$scratch/gtune.db

# plant PER_MILLE: a folder with the kernel that does so much more.
plant() {
  mkdir -p "$scratch/$1"
  sed "s|^extra = \"n / 1000 \* 0\"|extra = \"n / 1000 * $1\"|" "$here/gate/work.toml" >"$scratch/$1/work.toml"
  sed "s|EXTRA = 0;|EXTRA = $1;|" "$here/gate/work.cu" >"$scratch/$1/work.cu"
  if [ "$1" != 0 ] && cmp -s "$here/gate/work.cu" "$scratch/$1/work.cu"; then
    echo "nothing was planted: bench/gate/work.cu has changed" >&2
    exit 1
  fi
}

# count CHECKS PER_MILLE NAME [OPTIONS...]: checks, and prints a row of the table.
count() {
  local checks=$1 planted_here=$2 name=$3
  shift 3
  local -A found=()
  local done=0 from=$SECONDS summary verdict
  : >"$scratch/reports.txt"
  while [ "$done" -lt "$checks" ]; do
    # Exit code 1 is a verdict, not a failure of this script.
    "$gtune" baseline check "$scratch/$planted_here/gate.json" --device "$device" --quiet "$@" \
      >"$scratch/report.txt" 2>&1 || [ $? = 1 ] || { cat "$scratch/report.txt" >&2; exit 1; }
    cat "$scratch/report.txt" >>"$scratch/reports.txt"
    summary=$(grep -E "^[0-9]+ problems?: " "$scratch/report.txt")
    for verdict in "${verdicts[@]}"; do
      [[ $summary =~ ([0-9]+)\ $verdict ]] && found[$verdict]=$((${found[$verdict]:-0} + BASH_REMATCH[1]))
    done
    done=$((done + per_run))
  done
  [ "$done" = 0 ] && return
  cat "$scratch/reports.txt" >>"$out/gate_reports.txt"
  local row
  row=$(printf '%-28s %6d' "$name" "$done")
  for verdict in "${verdicts[@]}"; do row+=$(printf ' %6d' "${found[$verdict]:-0}"); done
  row+=$(awk -v s=$((SECONDS - from)) -v n="$done" 'BEGIN { printf " %8.1f", s / n }')
  # The fields of a problem's line: gate_work n=... 50.2 us 50.7 us +1.01 % ...
  row+=$(awk '$1 == "gate_work" && $8 == "%" { sum += $7; n++ } END { if (n) printf " %+7.2f %%", sum / n }' \
    "$scratch/reports.txt")
  echo "$row" >>"$scratch/table.txt"
}

: >"$out/gate_reports.txt"
{
  echo "command: bench/gate.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" --version | head -n 1
  if [ "$device" = 0 ]; then "$gtune" devices; fi
  for each in 0 10 20 50; do plant "$each"; done
  "$gtune" baseline save "$scratch/0/gate.json" "$scratch/0/work.toml" --n "$sizes" --config BLOCK=256 \
    --round-count "$rounds" --device "$device" --quiet
  for each in 10 20 50; do cp "$scratch/0/gate.json" "$scratch/$each/"; done
  echo
  printf '%-28s %6s %6s %6s %6s %6s %6s %8s %9s\n' kernel checks "${verdicts[@]}" 's/check' 'change' >"$scratch/table.txt"
  count "$unchanged" 0 "unchanged"
  for each in 10 20 50; do
    count "$planted" "$each" "$((each / 10)) % more work"
  done
  count "$in_turn" 0 "unchanged, in turn" --against "$scratch/0"
  for each in 10 20 50; do
    count "$in_turn" "$each" "$((each / 10)) % more work, in turn" --against "$scratch/0"
  done
  cat "$scratch/table.txt"
} | tee "$out/gate.txt"
