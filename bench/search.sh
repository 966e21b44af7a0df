#!/usr/bin/env bash
# Scores the search strategies on the given spaces and then on recordings of an H200. Needs no GPU.
# Usage: bench/search.sh OUTPUT_FOLDER [SPACE_FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."
gtune=${GTUNE:-build/gtune}
out=${1:?usage: bench/search.sh OUTPUT_FOLDER [SPACE_FILE...]}
shift
spaces=("$@" db/recordings/*-h200.jsonl)
mkdir -p "$out"

table() {
  local file=$1 plot=$2
  shift 2
  names=()
  for space in "${spaces[@]}"; do names+=("$(basename "$space")"); done
  {
    echo "# $("$gtune" --version | head -1), $(nproc) cores, $(date -u +%F)"
    echo "# gtune bench-search ${names[*]} $*"
    "$gtune" bench-search "${spaces[@]}" "$@" --plot "$out/$plot"
  } >"$out/$file.partial"
  mv "$out/$file.partial" "$out/$file"
}

table search.txt search.svg --seeds 100 --evaluations 400
table search_16_outstanding.txt search_16_outstanding.svg --seeds 100 --evaluations 400 --outstanding 16 --strategy guided,random
