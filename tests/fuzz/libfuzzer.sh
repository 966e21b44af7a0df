#!/usr/bin/env bash
# usage: libfuzzer.sh BUILD-FOLDER SECONDS RUNS
# Gives every target, linked with libFuzzer (GTUNE_FUZZ=ON), RUNS inputs of one seed: the same in
# every run of the same build. The target that starts a process for each input gets a hundredth.
# Each target takes at most SECONDS. Faulty inputs go to BUILD-FOLDER/faults; the exit code is 1 if
# there are any.
set -euo pipefail
build=$1 seconds=$2 runs=$3
logs=$build/tests/fuzz/logs
rm -rf "$logs" && mkdir -p "$logs" "$build/faults"

run_target() {
  local program=$1 && shift
  local most=$runs
  if [ "$program" = fuzz_lying_worker ]; then most=$((runs / 100)); fi
  # libFuzzer adds the inputs it finds to its folder, so that folder is a copy of the corpus.
  local found=$logs/$program.corpus
  mkdir -p "$found"
  if [ $# -gt 0 ]; then find "$@" -type f -exec cp -t "$found" {} +; fi
  "$build/tests/fuzz/$program" -seed=1 -runs="$most" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=65536 -len_control=0 -print_final_stats=1 \
    -artifact_prefix="$build/faults/$program-" "$found" > "$logs/$program" 2>&1 ||
    echo "FAULT" >> "$logs/$program"
}
export -f run_target
export build seconds runs logs
xargs -P "$(nproc)" -I{} bash -c 'run_target {}' < "$build/tests/fuzz/targets.txt"

status=0
for log in "$logs"/fuzz_*; do
  if [ -d "$log" ]; then continue; fi
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if tail -n 1 "$log" | grep -q '^FAULT$'; then
    status=1
    echo "$(basename "$log"): a fault:"
    grep -aE -A30 'fault: |ERROR: |runtime error|terminate called' "$log" | head -n 60
  else
    echo "$(basename "$log"): $executed inputs"
  fi
done
exit "$status"
