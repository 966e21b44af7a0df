#!/usr/bin/env bash
# Builds examples/production with headers exported from the bundled recording; does not run it.
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

# Unaligned matrices get another instance of the same variant. No GPU is needed to choose.
cat >"$folder/aligned.cu" <<'CODE'
#include "sgemm_dispatch.cu"

static const void* kernel_for(const Product& product) {
  const auto device = gtune_sgemm::known_device("NVIDIA H200");
  const void* found = nullptr;
  gtune_sgemm::dispatch(problem_of_instance(product, gtune_sgemm::config(0).BM), device, 0,
                        [&](auto* kernel) { found = reinterpret_cast<const void*>(kernel); });
  return found;
}

int main() {
  alignas(16) static float data[2] = {};
  const Product aligned{4096, 4096, 4096, data, data, data};
  const Product odd_a{4096, 4096, 4096, data + 1, data, data};
  const Product odd_c{4096, 4096, 4096, data, data, data + 1};
  const void* fast = kernel_for(aligned);
  const void* checked = kernel_for(odd_a);
  return fast && checked && fast != checked && kernel_for(odd_c) == checked ? 0 : 1;
}
CODE
digests=$(sed -n 's|^// source: \([0-9a-f]*\) .*|\1|p' "$folder/generated/gtune_sgemm_dispatch.cuh" | tr -d '\n')
"$CUDACXX" -std=c++17 -arch=sm_90 "-DGTUNE_SGEMM_SOURCE=\"$digests\"" -I"$folder/generated" \
  -I"$example" -I"$example/../../kernels" "$folder/aligned.cu" -o "$folder/aligned"
"$folder/aligned"

# The build refuses a kernel other than the tuned one, and names the file.
cp -r "$(dirname "$example")/../kernels" "$folder/kernels"
echo "// edited" >>"$folder/kernels/ptx.cuh"
cmake -S "$example" -B "$folder/edited" -DGTUNE_EXPORTS="$folder/generated" \
  -DGTUNE_KERNELS="$folder/kernels"
if cmake --build "$folder/edited" --target production_sgemm >"$folder/edited.txt" 2>&1; then
  echo "an edited kernel was taken" >&2
  exit 1
fi
grep -q "ptx.cuh differs from the measured source" "$folder/edited.txt"

# The compiler refuses files of different exports, even if both have one variant.
"$gtune" sgemm --device replay --budget 2 --seed 7 --quiet --db "$folder/other.db" >>"$folder/tuned.txt"
"$gtune" export sgemm --db "$folder/other.db" --max-variants 1 --format dispatcher \
  -o "$folder/generated/gtune_sgemm_dispatch.cuh"
if cmake --build "$folder/build" >"$folder/refused.txt" 2>&1; then
  echo "a header and a dispatcher of different exports were taken" >&2
  exit 1
fi
grep -q "are of different exports" "$folder/refused.txt"
# Without the exports, the build says how to make them.
if cmake -S "$example" -B "$folder/without" -DGTUNE_EXPORTS="$folder" >"$folder/without.txt" 2>&1; then
  exit 1
fi
grep -q "gtune export sgemm" "$folder/without.txt"
