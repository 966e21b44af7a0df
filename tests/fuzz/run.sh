#!/usr/bin/env bash
# usage: run.sh BUILD-FOLDER SECONDS [INPUTS [PROCESS-INPUTS]]
# Runs every fuzz target for SECONDS or until it has had INPUTS inputs (default 1,000,000;
# PROCESS-INPUTS, default 100,000, for a target that starts a process for each), as many targets at
# once as there are processors. Prints a table in Markdown and the faults; the exit code is 1 if
# there are any. Faulty inputs go to BUILD-FOLDER/faults.
set -euo pipefail
build=$1 seconds=$2 inputs=${3:-1000000} process_inputs=${4:-100000}
logs=$build/tests/fuzz/logs
rm -rf "$logs" && mkdir -p "$logs"

run_target() {
  local program=$1 && shift
  local most=$inputs
  if [ "$program" = fuzz_lying_worker ]; then most=$process_inputs; fi
  "$build/tests/fuzz/$program" --seconds "$seconds" --inputs "$most" --faults "$build/faults" "$@" \
    > "$logs/$program" || true
}
export -f run_target
export build seconds inputs process_inputs logs
xargs -P "$(nproc)" -I{} bash -c 'run_target {}' < "$build/tests/fuzz/targets.txt"

echo "| target | inputs | seconds | CPU seconds | inputs per CPU second | faults |"
echo "|---|--:|--:|--:|--:|--:|"
status=0
for log in "$logs"/*; do
  # NAME N inputs S s C CPU-s F faults
  tail -n 1 "$log" |
    awk '{ printf "| %s | %s | %.0f | %.0f | %.0f | %s |\n", $1, $2, $4, $6, $2 / $6, $8 }'
  tail -n 1 "$log" | grep -q ' 0 faults$' || status=1
done
if [ "$status" != 0 ]; then
  echo
  grep -hv ' CPU-s ' "$logs"/* || true
fi
exit "$status"
