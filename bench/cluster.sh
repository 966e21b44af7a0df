#!/usr/bin/env bash
# Tunes a list of problems on a one-node Slurm in a scratch folder, with recordings in place of GPUs:
#   array    a job array, one shard a task. One task is killed and requeued, one is requeued while it runs, and an
#            urgent job preempts all that are running. The merged databases must equal that of a single run.
#   models   the same with tasks on two GPU models: each model keeps its own results.
#   workers  one run with 1, 2, 4 and 8 workers that srun starts.
# Exits 1 if anything is unequal. Needs root and Debian's packages, which --install installs, but no GPU.
# --short takes a third of the problems and fewer workers.
# Usage: bench/cluster.sh [--install] [--short] OUTPUT_FILE
set -euo pipefail
cd "$(dirname "$0")/.."
source bench/slurm/one_node.sh
source bench/present_recording.sh
packages="${slurm_packages[*]} sqlite3"
if [ "${1:-}" = --install ]; then
  # shellcheck disable=SC2086
  scripts/install_packages.sh $packages
  shift
fi
tasks=8
problems=24
worker_counts=(1 2 4 8)
worker_budget=200
if [ "${1:-}" = --short ]; then
  problems=8
  worker_counts=(1 4)
  worker_budget=60
  shift
fi
out=${1:?usage: bench/cluster.sh [--install] [--short] OUTPUT_FILE}
require_tools "$packages" "${slurm_tools[*]} sbatch scancel scontrol sqlite3"
gtune=$(realpath "${GTUNE:-build/gtune}")
most_s=120 # for an array
export GTUNE_REPLAY_DELAY_MS=50
work=$(mktemp -d /tmp/gtune-cluster-XXXXXX)
trap 'scancel --quiet --user root 2>/dev/null || true; stop_daemons; sleep 1; rm -rf "$work"' EXIT

# The columns that a single run and a merged one must agree in. Row numbers and times of day differ; so does
# the number of samples before a slow configuration is discarded.
columns="device, replayed, bytes, mode, stride, in_offset, out_offset,
  WIDTH, UNROLL, BLOCK, BLOCKS_PER_SM, CACHE, BULK, median_ms"

# make_recordings FOLDER DEVICE FACTOR: a recording for each problem, of a part of the bundled one. All
# samples of a configuration are equal, so that its time does not depend on which of them a run takes. Times
# are made up: which configuration is the fastest depends on the problem and on FACTOR.
make_recordings() {
  local number
  mkdir "$1"
  for ((number = 1; number <= problems; ++number)); do
    jq -c -n --argjson number $number --argjson factor "$3" --argjson identity "$identity" \
      --slurpfile device "$2" '
      input as $head
      | ($head + {kernel: $identity, device: $device[0].device}
         | .problem |= map(if .[0] == "bytes" then .[1] = $number * 67108864 else . end)),
        (foreach (inputs | select(.status == "ok")) as $line (0; . + 1;
          select($line.baseline or . <= 40)
          | (1 + (. * $factor + $number * 13) % 41 / 10) as $slower
          | $line + {samples_ms: [range(60) | 0.01 * $number * $slower]}
          | if .baseline then . else .passed_awkward = true end))
      ' db/recordings/copy-1GiB-h200.jsonl >"$1/$number.jsonl"
  done
}

# tune FOLDER DATABASE OPTIONS...: all problems of the shapes' file, or the shard in OPTIONS.
tune() {
  local folder=$1 database=$2
  shift 2
  echo "$gtune copy --shapes $work/shapes.csv --device replay:$work/$folder --strategy exhaustive --profile off" \
    "--db $work/$database --quiet $*"
}

now_ms() { date +%s%3N; }

# wait_until TEXT COMMAND...: waits until the command succeeds; exits 1 after $most_s seconds.
wait_until() {
  local what=$1 end=$(($(now_ms) + most_s * 1000))
  shift
  until "$@"; do
    [ "$(now_ms)" -lt $end ] ||
      { echo "$what takes more than $most_s s:"; squeue -r -t all; cat "$work"/*.log; exit 1; } >&2
    sleep 0.1
  done
}

# rows DATABASE [CONDITION]: the number of measurements, 0 if there is no database yet.
rows() {
  [ -s "$work/$1" ] || { echo 0; return; }
  sqlite3 -readonly "$work/$1" "SELECT count(*) FROM all_copy WHERE ${2:-1}" 2>/dev/null || echo 0
}

has_rows() { [ "$(rows "$1")" -ge 20 ]; }
has_ended() { [ -z "$(squeue -h -j "$1" -o %i 2>/dev/null)" ]; }
is_preempted() { [ "$(restarts "$1")" -gt "$2" ]; }

# restarts JOB: how often Slurm has requeued its tasks.
restarts() {
  local all=0 one
  for one in $(squeue -h -r -t all -j "$1" -O RestartCnt); do all=$((all + one)); done
  echo $all
}

# start_array NAME COMMAND: submits the array and prints its job.
start_array() {
  sbatch --parsable --job-name "$1" --array "1-$tasks" --requeue --open-mode append --chdir "$work" \
    --output "$work/$1-%a.log" --wrap "$2"
}

# The ways in which a task of the array loses its node.
interrupt_tasks() {
  local job=$1 before
  wait_until "task 2" has_rows shard-2.db
  scancel --signal KILL --full "${job}_2"
  wait_until "the end of task 2" has_ended "${job}_2"
  echo "task 2: killed by scancel --signal KILL after $(rows shard-2.db) measurements; scontrol requeue"
  scontrol requeue "${job}_2"
  wait_until "task 5" has_rows shard-5.db
  echo "task 5: scontrol requeue while it runs, after $(rows shard-5.db) measurements"
  scontrol requeue "${job}_5"
  before=$(restarts "$job")
  srun --quiet --partition urgent --ntasks 8 true &
  wait_until "preemption" is_preempted "$job" "$before"
  wait $!
  echo "all tasks that ran: preempted by an urgent job"
}

failed=0
# same WHAT EXPECTED ACTUAL
same() {
  if [ -n "$2" ] && [ "$2" = "$3" ]; then
    echo "equal: $1 ($(printf '%s\n' "$2" | wc -l))"
  else
    echo "UNEQUAL: $1"
    diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") | head -n 20
    failed=1
  fi
}

ask() { sqlite3 -readonly "$work/$1" "$2"; }

# compare WHOLE MERGED PARTS...: a single run's database and the merged ones of shards.
compare() {
  local whole=$1 merged=$2 sum=0 part
  shift 2
  (cd "$work" && "$gtune" db merge "$@" -o "$merged")
  local best="SELECT $columns, verified FROM best_copy ORDER BY $columns"
  same "the winner of each problem, its time, and that it was verified" "$(ask "$whole" "$best")" \
    "$(ask "$merged" "$best")"
  local searched="SELECT $columns, status, reason, count(*) FROM all_copy WHERE phase = 'search'
    GROUP BY $columns, status, reason ORDER BY $columns"
  same "the measurements of the search, each configuration once" "$(ask "$whole" "$searched")" \
    "$(ask "$merged" "$searched")"
  local ended="FROM all_copy WHERE phase <> 'search' AND run IN (SELECT id FROM run WHERE finished IS NOT NULL)"
  ended="SELECT phase, label, $columns, count(*) $ended GROUP BY phase, label, $columns ORDER BY 1, 2, $columns"
  same "baselines and finals of the runs that ended" "$(ask "$whole" "$ended")" "$(ask "$merged" "$ended")"
  local unended="SELECT count(*) FROM all_copy WHERE run IN (SELECT id FROM run WHERE finished IS NULL)"
  echo "measurements of interrupted runs in the merged database: $(ask "$merged" "$unended")"
  for part in "$@"; do sum=$((sum + $(rows "$part"))); done
  same "the number of measurements in all shards and after the merge, $sum" "$sum" "$(rows "$merged")"
  (cd "$work" && "$gtune" db merge "$merged" "$@" "$merged" -o again.db)
  same "the number after everything is merged once more, $sum" "$sum" "$(rows again.db)"
  rm "$work/again.db"
}

shards() { local i; for ((i = 1; i <= tasks; ++i)); do echo "$1-$i.db"; done; }

task_states() {
  squeue -h -r -t all -j "$1" -O ArrayTaskID,State,RestartCnt | sort -n |
    { while read -r task state count; do echo "task $task: $state, requeued $count times"; done; }
}

array() {
  local job begin
  echo "== array: $problems problems, $tasks tasks"
  GTUNE_REPLAY_DELAY_MS=0 $(tune h200 whole.db) >/dev/null
  begin=$(now_ms)
  job=$(start_array shard "exec $(tune h200 'shard-$SLURM_ARRAY_TASK_ID.db' '--shard $SLURM_ARRAY_TASK_ID/'$tasks)")
  interrupt_tasks "$job"
  wait_until "the array" has_ended "$job"
  task_states "$job"
  echo "the array took $(($(now_ms) - begin)) ms"
  # shellcheck disable=SC2046
  compare whole.db merged.db $(shards shard)
  [ "$(squeue -h -r -t completed -j "$job" -o %i | wc -l)" = $tasks ] || failed=1
}

models() {
  local job
  echo "== models: $problems problems, tasks of odd numbers on an H100, the others on an H200"
  GTUNE_REPLAY_DELAY_MS=0 $(tune h100 both.db) >/dev/null
  GTUNE_REPLAY_DELAY_MS=0 $(tune h200 both.db) >/dev/null
  job=$(start_array model "[ \$((SLURM_ARRAY_TASK_ID % 2)) = 1 ] && model=h100 || model=h200
    exec $(tune '$model' 'model-$SLURM_ARRAY_TASK_ID.db' '--shard $(((SLURM_ARRAY_TASK_ID + 1) / 2))/'$((tasks / 2)))")
  wait_until "the array of two models" has_ended "$job"
  # shellcheck disable=SC2046
  compare both.db models.db $(shards model)
  ask models.db "SELECT device, count(*) || ' problems, the first: ' || round(median_ms, 4) || ' ms, WIDTH=' || WIDTH
    || ' UNROLL=' || UNROLL || ' BLOCK=' || BLOCK FROM best_copy GROUP BY device"
  echo "both models in one run:"
  "$gtune" copy --bytes 67108864 --device "replay:$work/h100/1.jsonl,replay:$work/h200/1.jsonl" \
    --db "$work/refused.db" --quiet 2>&1 && failed=1 || echo "exit code $?"
}

workers() {
  local count options one='' rate
  echo "== workers: gtune copy --strategy random --budget $worker_budget, each configuration takes" \
    "$GTUNE_REPLAY_DELAY_MS ms, workers through srun -u"
  present_recording "$gtune" db/recordings/copy-1GiB-h200.jsonl copy --bytes 1073741824 >"$work/copy.jsonl"
  for count in "${worker_counts[@]}"; do
    options=()
    while [ ${#options[@]} -lt $((2 * count)) ]; do
      options+=(--worker-command "srun -u $gtune worker --device replay:$work/copy.jsonl")
    done
    rm -f "$work/trace.json"
    if ! "$gtune" copy --bytes 1073741824 --device none "${options[@]}" --strategy random \
      --budget "$worker_budget" --fresh --profile off --db "$work/workers.db" --trace "$work/trace.json" --quiet \
      >/dev/null ||
      ! rate=$(jq -e --argjson count "$count" '.otherData.searches[0]
        | if (.measured | map(select(. > 0)) | length) == $count then (.measured | add) / .seconds else null end' \
        "$work/trace.json"); then
      echo "FAILED: $count workers"
      failed=1
      continue
    fi
    one=${one:-$rate}
    jq -r -n --argjson count "$count" --argjson rate "$rate" --argjson one "$one" '
      def fixed: . * 100 | round / 100;
      "\($count) workers: \($rate | fixed) configurations a second, \($rate / $one | fixed) times one worker"'
  done
}

run_all() {
  echo "# bench/cluster.sh: $("$gtune" --version | head -1), $(slurmctld -V), $(nproc) cores, $(date -u +%F)"
  array
  models
  workers
  if [ $failed = 0 ]; then echo "everything is equal"; else echo "FAILED"; fi
}

start_slurm
identity=$(present_identity "$gtune" copy --bytes 1073741824)
head -n 1 db/recordings/transpose-8192-h100.jsonl >"$work/h100.json"
head -n 1 db/recordings/copy-1GiB-h200.jsonl >"$work/h200.json"
make_recordings "$work/h200" "$work/h200.json" 7
make_recordings "$work/h100" "$work/h100.json" 11
{ echo bytes; seq 67108864 67108864 $((problems * 67108864)); } >"$work/shapes.csv"
run_all >"$work/table" || failed=1
cat "$work/table"
cp "$work/table" "$out"
! grep -q '^FAILED$\|^UNEQUAL' "$out" || failed=1
exit $failed
