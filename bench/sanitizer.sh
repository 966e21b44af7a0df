#!/usr/bin/env bash
# Runs a sample of configurations under compute-sanitizer, for memory errors and races in shared memory.
# The output of jobs that are not clean stays in OUTPUT_FOLDER as well.
# One lane arrives at a barrier for its warp, after __syncwarp. ptxas removes that instruction, so with
# four stages racecheck reports false hazards (docs/kernels.md). These jobs give racecheck a copy of the
# kernel in which every lane arrives.
# Usage: bench/sanitizer.sh GTUNE OUTPUT_FOLDER [KERNEL]
set -euo pipefail
gtune=$1
out=$2
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
scratch=$(mktemp -d)
data=${GTUNE_DATA:-$(realpath "$(dirname "$0")/..")}
export GTUNE_DB=$scratch/gtune.db
export GTUNE_CACHE=$scratch/cache

small=BM=64,BN=64,BK=16,TM=8,TN=8,LANE_ROWS=4,KEEP_A=0,STAGES=3,MIN_BLOCKS=1,SPLIT=1
shared_out=BM=64,BN=128,BK=16,TM=4,TN=8,LANE_ROWS=8,KEEP_A=0,STAGES=3,MIN_BLOCKS=2,SPLIT=0
four_stages=BM=64,BN=128,BK=16,TM=4,TN=8,LANE_ROWS=8,KEEP_A=0,STAGES=4,MIN_BLOCKS=2,SPLIT=0
even=BM=64,BN=64,BK=16,TM=8,TN=8,LANE_ROWS=4,KEEP_A=0,STAGES=3,MIN_BLOCKS=1,SPLIT=-1
kept=BM=64,BN=32,BK=32,TM=4,TN=4,LANE_ROWS=8,KEEP_A=1,STAGES=3,MIN_BLOCKS=1,SPLIT=0
three_quarters_m=BM=48,BN=128,BK=16,TM=12,TN=4,LANE_ROWS=4,KEEP_A=0,STAGES=3,MIN_BLOCKS=4,SPLIT=4
three_quarters_n=BM=128,BN=96,BK=16,TM=8,TN=12,LANE_ROWS=8,KEEP_A=0,STAGES=3,MIN_BLOCKS=3,SPLIT=4
direct=BM=8,BN=16,TM=4,TN=2,LANE_ROWS=1,K_LANES=4,K_WARPS=4,UNROLL=4,STAGES=0,MIN_BLOCKS=1
shallow=BM=32,BN=128,TM=4,TN=2,LANE_ROWS=1,STAGES=1,MIN_BLOCKS=1,SPLIT=1
thin=BM=4,BN=256,BK=16,TM=4,TN=4,LANE_ROWS=1,KEEP_A=0,STAGES=3,MIN_BLOCKS=1,SPLIT=0
ahead=KIND=0,TILE_R=32,TILE_C=32,THREADS=64,WIDTH=16,STAGES=3,SQUARES=1,STRIPS=1,BAND=0
narrow=KIND=0,TILE_R=64,TILE_C=64,THREADS=256,WIDTH=4,STAGES=1,SQUARES=0,STRIPS=1,BAND=0
realigned=KIND=1,TILE_R=128,TILE_C=64,THREADS=128,STAGES=2,STRIPS=1,BAND=0
few_columns=KIND=2,TILE_R=2048,THREADS=64,STAGES=1
few_rows=KIND=3,TILE_C=1024,THREADS=64,STAGES=1
jobs=(
  "sgemm --M 301 --N 258 --K 133 --config $small"
  "sgemm --M 600 --N 260 --K 1333 --TA 1 --TB 1 --config $shared_out"
  "sgemm --M 256 --N 256 --K 256 --config $small"
  "sgemm --M 601 --N 257 --K 1333 --deterministic 1 --config $shared_out"
  "sgemm --M 600 --N 260 --K 1333 --TA 1 --TB 1 --config $four_stages"
  "sgemm --M 601 --N 257 --K 1333 --deterministic 1 --config $four_stages"
  "sgemm --M 301 --N 258 --K 4133 --config $even"
  "sgemm --M 301 --N 30 --K 4334 --config $kept"
  "sgemm --M 3 --N 1032 --K 1433 --config $thin"
  "sgemm --M 140 --N 258 --K 1333 --config $three_quarters_m"
  "sgemm --M 130 --N 90 --K 1333 --TA 1 --TB 1 --config $three_quarters_n"
  "sgemm --M 61 --N 131 --K 333 --config $direct,SPLIT=1"
  "sgemm --M 33 --N 68 --K 1333 --TA 1 --TB 1 --config $direct,SPLIT=4"
  "sgemm --M 77 --N 300 --K 13 --config $shallow"
  "sgemm --M 33 --N 131 --K 31 --TA 1 --TB 1 --config $shallow"
  "sgemm --M 256 --K 128 --math tf32x3 --config BM=64,BN=128,WARPGROUPS=2,STAGES=6,GROUP=8,SPLIT=1"
  "transpose --rows 2048 --config $ahead"
  "transpose --rows 257 --cols 131 --config $narrow"
  "transpose --rows 1025 --cols 2051 --element 2 --batch 3 --config $realigned"
  "transpose --rows 20001 --cols 3 --element 1 --batch 2 --config $few_columns"
  "transpose --rows 3 --cols 20001 --element 4 --batch 2 --config $few_rows"
  "copy --bytes 100003 --in_offset 3 --config WIDTH=16,UNROLL=2,BLOCK=128,BLOCKS_PER_SM=0,CACHE=4,BULK=0"
  "copy --bytes 4194304 --config WIDTH=16,UNROLL=4,BLOCK=32,BLOCKS_PER_SM=2,CACHE=0,BULK=2048"
)

every_lane=$scratch/every_lane
mkdir "$every_lane"
cp -r "$data/kernels" "$data/tuner_configs" "$every_lane"
block=kernels/fp32_block.cuh
sed -i 's|barrier_init(memory.empty(stage), THREADS / 32)|barrier_init(memory.empty(stage), THREADS)|
        s|if (m_thread.lane == 0) ptx::barrier_arrive(m_memory.empty|ptx::barrier_arrive(m_memory.empty|' \
  "$every_lane/$block"
if [[ $(diff "$data/$block" "$every_lane/$block" | grep -c '^>') != 2 ]]; then
  echo "$0: $block has changed: its lines about the barrier 'empty' are not as expected" >&2
  exit 1
fi

{
  echo "command: bench/sanitizer.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  for tool in memcheck racecheck; do
    for i in "${!jobs[@]}"; do
      job=${jobs[$i]}
      [[ $# -lt 3 || $job == "$3 "* ]] || continue
      log=$scratch/sanitizer_${tool}_$i.log
      read -ra words <<<"$job"
      verdict=clean kernels=$data
      if [[ $tool == racecheck && $job == *$four_stages ]]; then
        kernels=$every_lane job+="  (a copy in which every lane arrives)"
      fi
      GTUNE_DATA=$kernels timeout 60 "$sanitizer" --tool "$tool" --error-exitcode 99 \
        "$gtune" run "${words[@]}" >"$log" 2>&1 ||
        verdict="exit $?: $(grep -a -m 1 -E 'Error|Race|gtune:' "$log" || true)"
      [[ $verdict == clean ]] || cp "$log" "$out/"
      echo "$tool  $job  $verdict"
    done
  done
} 2>&1 | tee "$out/sanitizer.txt"
rm -rf "$scratch"
! grep -qE '  exit [0-9]+: ' "$out/sanitizer.txt"
