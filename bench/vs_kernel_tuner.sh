#!/usr/bin/env bash
# Compares gtune with Kernel Tuner 1.4: the same kernel, space and GPU, one after the other, both from
# empty caches. A third run measures the whole space; its times are used to judge the results of both.
# Usage: bench/vs_kernel_tuner.sh GTUNE OUTPUT_FOLDER WHEELS_FOLDER [SECONDS [STRATEGY[:SEED]...]]
#   bench/vs_kernel_tuner.sh build/gtune /tmp wheels 120 adaptive_tabu_greywolf pso:2
# WHEELS_FOLDER: the packages of bench/kernel_tuner/requirements.txt (its README says how to get them); ""
# if Kernel Tuner is installed. SECONDS: Kernel Tuner's time for each strategy and seed.
# KERNEL_TUNER_OPTIONS: more options for bench/kernel_tuner/sgemm_kernel_tuner.py.
# EXHAUSTIVE_DB: a database that keeps the third run for the next time on the same GPU.
set -euo pipefail
gtune=$(realpath "$1")
out=$(realpath "$2")
wheels=${3:+$(realpath "$3")}
seconds=${4:-240}
strategies=("${@:5}")
[ ${#strategies[@]} -gt 0 ] || strategies=(adaptive_tabu_greywolf)
here=$(realpath "$(dirname "$0")")/kernel_tuner
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
# Empty caches for gtune, the driver and CuPy.
export GTUNE_CACHE=$scratch/gtune_cache CUDA_CACHE_PATH=$scratch/driver_cache \
  CUPY_CACHE_DIR=$scratch/cupy_cache PYTHONDONTWRITEBYTECODE=1

ours=$("$gtune" space sgemm --M 4096 --arch sm_90 | awk '/combinations are valid/ { print $1 }')
theirs=$(python3 "$here/sgemm_space.py")
if [ "$ours" != "$theirs" ]; then
  echo "$0: gtune counts $ours valid configurations, Kernel Tuner $theirs: bench/kernel_tuner/sgemm_space.py must say what tuner_configs/sgemm.toml says" >&2
  exit 1
fi

{
  echo "command: $command"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "host:    $(nproc) cores"
  "$gtune" devices
  echo "space:   $ours valid configurations by gtune, $theirs by Kernel Tuner"

  start=$(date +%s.%N)
  "$gtune" sgemm --M 4096 --device 0 --budget 30s --db "$scratch/gtune.db" --quiet
  end=$(date +%s.%N)

  series=()
  for each in "${strategies[@]}"; do
    IFS=: read -r strategy seed <<<"$each"
    series+=("$scratch/$each.json")
    rm -rf "$CUDA_CACHE_PATH" "$CUPY_CACHE_DIR"
    # shellcheck disable=SC2086  # options are words
    python3 "$here/sgemm_kernel_tuner.py" --strategy "$strategy" --seed "${seed:-1}" \
      --seconds "$seconds" --out "$scratch/$each.json" ${KERNEL_TUNER_OPTIONS:-}
  done

  "$gtune" sgemm --M 4096 --device 0 --db "$exhaustive" --quiet --strategy exhaustive --budget 1h \
    >"$scratch/exhaustive.txt"
  python3 "$here/compare.py" --exhaustive "$exhaustive" --gtune "$scratch/gtune.db" \
    --gtune-start "$start" --gtune-end "$end" --json "$out/vs_kernel_tuner.json" "${series[@]}"
} 2>&1 | tee "$out/vs_kernel_tuner.txt"
