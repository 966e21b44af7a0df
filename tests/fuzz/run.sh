#!/usr/bin/env bash
# Gives every fuzz target INPUTS inputs of one seed, the same in every run of the same build, or as many
# as it takes in SECONDS. A target that starts a process for each input gets a hundredth, but at least 50.
# Faulty inputs go to BUILD-FOLDER/faults; the exit code is 1 if there are any.
# Usage: tests/fuzz/run.sh BUILD-FOLDER SECONDS INPUTS [fuzz_targets | fuzz_room_targets]
set -euo pipefail
build=$1 seconds=$2 inputs=$3 list=${4:-fuzz_targets}
logs=$build/tests/fuzz/logs
rm -rf "$logs" && mkdir -p "$logs" "$build/faults"

run_target() {
  local program=$1 && shift
  local most=$inputs
  if [ "$program" = fuzz_lying_worker ]; then most=$((inputs > 5000 ? inputs / 100 : 50)); fi
  # libFuzzer adds the inputs it finds to its folder, so that folder is a copy of the corpus.
  local found=$logs/$program.corpus
  mkdir -p "$found"
  if [ $# -gt 0 ]; then find "$@" -type f -exec cp -t "$found" {} +; fi
  # libFuzzer's limit of time does not hold for the target's own seeds.
  timeout $((seconds + 300)) "$build/tests/fuzz/$program" -seed=1 -runs="$most" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=65536 -len_control=0 -print_final_stats=1 \
    -artifact_prefix="$build/faults/$program-" "$found" > "$logs/$program.log" 2>&1 ||
    touch "$logs/$program.fault"
}
export -f run_target
export build seconds inputs logs
xargs -P "$(nproc)" -I{} bash -c 'run_target {}' < "$build/tests/fuzz/$list.txt"

status=0
for log in "$logs"/fuzz_*.log; do
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ -e "${log%.log}.fault" ] || [ -z "$executed" ]; then
    status=1
    echo "$(basename "$log" .log): a fault:"
    grep -aE -A30 'fault: |ERROR: |runtime error|terminate called' "$log" | head -n 60 || tail -n 5 "$log"
  else
    echo "$(basename "$log" .log): $executed inputs"
  fi
done
exit "$status"
