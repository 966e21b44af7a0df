#!/usr/bin/env bash
# Runs the lessons of examples/classics on GPU 0 from an empty database: tunes each over its whole space (transfer: for 6 s
# a size), draws the plots of docs/classics.md and makes the recordings.
# Usage: bench/classics.sh GTUNE OUTPUT_FOLDER [LESSON...]
#   LESSON: all but peer by default, which needs two GPUs
# Writes classics.txt (commands and what they print), plots/NAME.svg, recordings/NAME-DEVICE.jsonl and classics.db.
set -euo pipefail
gtune=$(realpath "$1")
out=$(realpath "$2")
cd "$(dirname "$0")/.."
mkdir -p "$out/plots" "$out/recordings"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_DB=$out/classics.db GTUNE_CACHE=$scratch/cache
device=$("$gtune" devices | sed -n '1s/.*NVIDIA \([A-Za-z0-9]*\).*/\L\1/p')  # h200

# lesson COMMAND NAME OPTIONS...: prints a command and what it says of the lesson.
lesson() {
  local command=$1 name=$2
  shift 2
  {
    printf '\n$ gtune %s examples/classics/%s.toml%s\n' "$command" "$name" "${*:+ $*}"
    "$gtune" "$command" "examples/classics/$name.toml" "$@" 2>&1
  } | sed "s|$out|OUT|"
}
tune() { lesson tune "$@" --device 0 --quiet --strategy exhaustive; }
measure() { lesson tune "$@" --device 0 --quiet; }
record() {
  lesson tune "$@" --device 0 --quiet --record "$out/recordings/$1-$device.jsonl"
}
plot() {
  local file=$1
  shift
  lesson query "$@" -o "$out/plots/$file.svg"
}

vector_add() {
  tune vector_add --n 1024,65536,67108864
  record vector_add --n 1048576
  lesson query vector_add --n 1048576 --table LAUNCH,VECTOR
  lesson explain vector_add --n 1024
  lesson explain vector_add --n 1048576 --config one_block
  plot vector_add vector_add --n 67108864 --plot BLOCK,GB/s,LAUNCH
}
access_pattern() {
  tune access_pattern --mode 0 --read_offset 0,11,128
  tune access_pattern --mode 2 --read_offset 0,1,2,4,8,11,16,20,24,28,32
  tune access_pattern --mode 1 --write_offset 0,11,128
  lesson query access_pattern --mode 0 --table UNROLL,BLOCK
  lesson explain access_pattern --mode 0 --read_offset 11 --vs naive
  lesson explain access_pattern --mode 0 --read_offset 11 --config naive
  plot access_pattern access_pattern --mode 2 --write_offset 0 --plot read_offset,GB/s,LOAD
}
layout() {
  tune layout --fields 2,4,16 --used 1
  tune layout --fields 8 --used 8
  record layout --fields 8 --used 1
  lesson query layout --fields 8 --used 1 --table LAYOUT,GROUP
  lesson explain layout --fields 8 --used 1 --vs aos
  lesson explain layout --fields 8 --used 1 --config aos
  lesson explain layout --fields 8 --used 8 --config aos
  plot layout layout --used 1 --plot fields,GB/s,LAYOUT
}
matvec() {
  tune matvec --m 512,2048 --n 65536
  record matvec
  lesson query matvec --m 16384 --n 16384 --table TEAM,LOADS
  lesson explain matvec --m 16384 --n 16384 --vs thread_per_row
  for which in thread_per_row transposed x_shared x_and_a_shared; do
    lesson explain matvec --m 16384 --n 16384 --config "$which"
  done
}
histogram() {
  tune histogram --distribution 1,2
  record histogram --distribution 0
  for distribution in 0 1 2; do
    lesson query histogram --distribution $distribution --table COPIES,BLOCKS_PER_SM
    local one_copy=COPIES=1,WORD=uint4,BLOCK=256,BLOCKS_PER_SM=8
    measure histogram --distribution $distribution --config $one_copy >/dev/null
    lesson explain histogram --distribution $distribution
    lesson explain histogram --distribution $distribution --config $one_copy
    lesson explain histogram --distribution $distribution --config global_atomics
  done
  plot histogram histogram --plot BLOCKS_PER_SM,GB/s,distribution
}
reduction() {
  tune reduction
  measure reduction --config METHOD=SPINLOCK,WORD=uint4,UNROLL=4,BLOCK=256,BLOCKS_PER_SM=8 >/dev/null
  lesson query reduction --table METHOD,BLOCKS_PER_SM
  lesson explain reduction --vs naive
  lesson explain reduction --config naive
  lesson explain reduction --config METHOD=SPINLOCK,BLOCKS_PER_SM=8,BLOCK=256,WORD=uint4,UNROLL=4
  plot reduction reduction --plot BLOCKS_PER_SM,GB/s,METHOD
}
texture_fetch() {
  tune texture_fetch --radius 0,1,2,4
  measure texture_fetch --radius 2 --config FETCH=texture_2d,BLOCK_X=16,BLOCK_Y=16 >/dev/null
  measure texture_fetch --radius 2 --config FETCH=texture_1d,BLOCK_X=64,BLOCK_Y=4 >/dev/null
  lesson query texture_fetch --radius 2 --table FETCH,BLOCK_Y
  lesson explain texture_fetch --radius 2
  lesson explain texture_fetch --radius 2 --config FETCH=texture_2d,BLOCK_X=16
  plot texture_fetch texture_fetch --plot radius,time,FETCH
}
device_malloc() {
  tune device_malloc
  tune device_malloc --n 1024 --bytes 16,64,256,1024
  lesson query device_malloc --n 16384 --table OWNER,BLOCK
  lesson explain device_malloc --n 16384 --vs naive
  lesson explain device_malloc --n 16384 --config naive
}
pitched() {
  tune pitched --align 4,8,16,32,128,512 --mode 0,1
  lesson explain pitched --align 4 --mode 0
  lesson query pitched --align 16 --mode 0 --table WORD,BLOCK_X
  plot pitched pitched --plot align,GB/s,mode
}
transfer() {
  tune transfer --direction 0,1,2 --bytes 4096:1073741824:*4 --budget 6s
  lesson query transfer --direction 0 --bytes 268435456 --table MEMORY,CHUNKS
  lesson query transfer --direction 2 --bytes 268435456 --table MEMORY,CHUNKS
  lesson explain transfer --direction 0 --bytes 268435456 --config naive
  lesson explain transfer --direction 2 --bytes 268435456
  plot transfer transfer --direction 0 --plot bytes,GB/s,MEMORY
}
overlap() {
  tune overlap --rounds 64,256,1024,2048,4096
  lesson query overlap --rounds 1024 --table STREAMS,CHUNKS
  lesson explain overlap --rounds 1024
  lesson explain overlap --rounds 1024 --config naive
  lesson explain overlap --rounds 4096
  plot overlap overlap --rounds 1024 --plot CHUNKS,time,STREAMS
}
peer() {
  tune peer --direction 0,1,2 --bytes 4096:1073741824:*4
  lesson query peer --direction 0 --bytes 268435456 --table MOVER,BLOCKS_PER_SM
  lesson query peer --direction 2 --bytes 268435456 --table MOVER,CHUNKS
  lesson explain peer --direction 0 --bytes 268435456 --config naive
  lesson explain peer --direction 2 --bytes 268435456 --config naive
  lesson explain peer --direction 2 --bytes 268435456
  plot peer peer --direction 0 --plot bytes,GB/s,MOVER
}

lessons=("${@:3}")
if [ ${#lessons[@]} = 0 ]; then
  lessons=(vector_add access_pattern layout matvec histogram reduction texture_fetch device_malloc pitched transfer
    overlap)
fi
{
  echo "command: bench/classics.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  for name in "${lessons[@]}"; do
    printf '\n== %s\n' "$name"
    "$name"
  done
} >"$out/classics.txt" 2>&1
