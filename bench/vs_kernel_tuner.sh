#!/usr/bin/env bash
# Compares gtune with Kernel Tuner 1.4: the same kernel, space and GPU, one after the other, each run from
# empty caches and without bundled results. A last run measures the whole space; its times are used to judge
# the results of both.
# Usage: bench/vs_kernel_tuner.sh GTUNE OUTPUT_FOLDER WHEELS_FOLDER [SECONDS [STRATEGY [SEED...]]]
#   bench/vs_kernel_tuner.sh build/gtune /tmp wheels 120 adaptive_tabu_greywolf 1 2 3
# WHEELS_FOLDER: the packages of bench/kernel_tuner/requirements.txt (its README says how to get them); ""
# if Kernel Tuner is installed. SECONDS: Kernel Tuner's time for each seed.
# KERNEL_TUNER_OPTIONS: more options for bench/kernel_tuner/sgemm_kernel_tuner.py.
# EXHAUSTIVE_DB: a database that keeps the last run for the next time on the same GPU.
set -euo pipefail
gtune=$(realpath "$1")
out=$(realpath "$2")
wheels=${3:+$(realpath "$3")}
seconds=${4:-240}
strategy=${5:-adaptive_tabu_greywolf}
seeds=("${@:6}")
[ ${#seeds[@]} -gt 0 ] || seeds=(1 2 3 4 5)
here=$(realpath "$(dirname "$0")")/kernel_tuner
root=$(realpath "$here/../..")
command="bench/vs_kernel_tuner.sh $*"
scratch=$(mktemp -d)
exhaustive=$(realpath "${EXHAUSTIVE_DB:-$scratch/exhaustive.db}")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"  # Kernel Tuner leaves files where it runs

if [ -n "$wheels" ]; then
  python3 -m pip install -q --no-index --no-deps --no-compile --no-cache-dir --target "$scratch/site" \
    "$wheels"/*.whl
  export PYTHONPATH=$scratch/site
fi
# Kernels and specs without db/, and a program that has none beside it either, so that no search begins with bundled
# winners.
mkdir "$scratch/data" "$scratch/bin"
cp -r "$root/kernels" "$root/tuner_configs" "$scratch/data"
cp "$gtune" "$scratch/bin/gtune"
gtune=$scratch/bin/gtune
export GTUNE_DATA=$scratch/data GTUNE_ALSO= GTUNE_CACHE=$scratch/gtune_cache CUDA_CACHE_PATH=$scratch/driver_cache \
  CUPY_CACHE_DIR=$scratch/cupy_cache PYTHONDONTWRITEBYTECODE=1

if "$gtune" query sgemm --all --db "$scratch/none.db" >/dev/null 2>&1; then
  echo "$0: $gtune finds bundled results; it must start without any" >&2
  exit 1
fi
counted=$("$gtune" space sgemm --M 4096 --arch sm_90 | awk '/combinations are valid/ { print $1 }')
theirs=$(python3 "$here/sgemm_space.py")
if [ "$counted" != "$theirs" ]; then
  echo "$0: gtune counts $counted valid configurations, Kernel Tuner $theirs: bench/kernel_tuner/sgemm_space.py must say what tuner_configs/sgemm.toml says" >&2
  exit 1
fi

{
  echo "command: $command"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  echo "space:   $counted valid configurations by gtune, $theirs by Kernel Tuner"

  ours=()
  for seed in "${seeds[@]}"; do
    rm -rf "$GTUNE_CACHE"
    start=$(date +%s.%N)
    "$gtune" sgemm --M 4096 --device 0 --seed "$seed" --db "$scratch/gtune.$seed.db" --quiet >"$scratch/gtune.txt"
    ours+=(--gtune "$seed" "$start" "$(date +%s.%N)" "$scratch/gtune.$seed.db")
  done

  series=()
  for seed in "${seeds[@]}"; do
    series+=("$scratch/$seed.json")
    rm -rf "$CUDA_CACHE_PATH" "$CUPY_CACHE_DIR"
    # shellcheck disable=SC2086  # options are words
    python3 -W ignore::UserWarning "$here/sgemm_kernel_tuner.py" --strategy "$strategy" --seed "$seed" \
      --seconds "$seconds" --out "$scratch/$seed.json" ${KERNEL_TUNER_OPTIONS:-}
  done

  "$gtune" sgemm --M 4096 --device 0 --db "$exhaustive" --quiet --strategy exhaustive --budget 1h \
    >"$scratch/exhaustive.txt"
  python3 "$here/compare.py" --exhaustive "$exhaustive" "${ours[@]}" --json "$out/vs_kernel_tuner.json" \
    "${series[@]}"
} 2>&1 | tee "$out/vs_kernel_tuner.txt"
