#!/usr/bin/env bash
# Builds examples/production with headers exported from the shipped recording; does not run it.
# production_builds.sh GTUNE FOLDER NVCC
set -euo pipefail
gtune=$1
folder=$2
export CUDACXX=$3
example=$(cd "$(dirname "$0")/../../examples/production" && pwd)
rm -rf "$folder"
mkdir -p "$folder/generated"
db=$folder/tuned.db
"$gtune" sgemm --device replay --budget 60 --quiet --db "$db" >"$folder/tuned.txt"
export_to() { "$gtune" export sgemm --db "$db" --max-variants 1 "${@:2}" -o "$folder/generated/$1"; }
export_to gtune_sgemm.hpp
export_to gtune_sgemm_dispatch.cuh --format dispatcher
export CXXFLAGS="-Wall -Wextra -Werror" CUDAFLAGS="-Werror=all-warnings"
cmake -S "$example" -B "$folder/build" -DGTUNE_EXPORTS="$folder/generated"
cmake --build "$folder/build"
test -x "$folder/build/production_sgemm"

# A kernel that is not the one that was tuned is refused, by name.
cp -r "$(dirname "$example")/../kernels" "$folder/kernels"
echo "// edited" >>"$folder/kernels/ptx.cuh"
cmake -S "$example" -B "$folder/edited" -DGTUNE_EXPORTS="$folder/generated" \
  -DGTUNE_KERNELS="$folder/kernels"
if cmake --build "$folder/edited" --target production_sgemm >"$folder/edited.txt" 2>&1; then
  echo "an edited kernel was taken" >&2
  exit 1
fi
grep -q "ptx.cuh is not what was measured" "$folder/edited.txt"

# Files of different exports are refused by the compiler, though both have one variant.
"$gtune" sgemm --device replay --budget 2 --seed 7 --quiet --db "$folder/other.db" >>"$folder/tuned.txt"
"$gtune" export sgemm --db "$folder/other.db" --max-variants 1 --format dispatcher \
  -o "$folder/generated/gtune_sgemm_dispatch.cuh"
if cmake --build "$folder/build" >"$folder/refused.txt" 2>&1; then
  echo "a header and a dispatcher of different exports were taken" >&2
  exit 1
fi
grep -q "are of different exports" "$folder/refused.txt"
# And without the exports, the build says how to make them.
if cmake -S "$example" -B "$folder/without" -DGTUNE_EXPORTS="$folder" >"$folder/without.txt" 2>&1; then
  exit 1
fi
grep -q "gtune export sgemm" "$folder/without.txt"
