#!/usr/bin/env bash
# Measures what limits a run with up to 1,000 workers. Each worker is a process that replays a made-up recording
# and takes a given time per configuration, as a GPU would; needs no GPU, but 8 GiB of memory and 4,100
# open files (hard limit) for 1,000 workers.
# Usage: bench/many_workers.sh OUTPUT_FILE [STRATEGY:WORKERS:MILLISECONDS...]
set -euo pipefail
cd "$(dirname "$0")/.."
source bench/present_recording.sh
out=${1:?usage: bench/many_workers.sh OUTPUT_FILE [STRATEGY:WORKERS:MILLISECONDS...]}
shift
if [ $# = 0 ]; then
  set -- random:1:1000 random:10:1000 random:100:1000 random:1000:1000 random:1000:200 guided:100:1000 guided:1000:1000
fi
gtune=$(realpath "${GTUNE:-build/gtune}")
work=$(mktemp -d /tmp/gtune-many-XXXXXX)
trap 'rm -rf "$work"' EXIT

# A kernel of 4,096 configurations that is never compiled.
write_kernel() {
  local values
  values=$(seq -s , 0 15)
  echo '__global__ void made_up(float* x, int n) { x[0] = n; }' >"$work/made_up.cu"
  cat >"$work/made_up.toml" <<SPEC
[kernel]
name = "made_up"
source = "made_up.cu"
entry = "made_up"

[problem]
n = { default = 1024 }

[params]
A = [$values]
B = [$values]
C = [$values]

[launch]
grid = [1]
block = [32]

[[args]]
name = "x"
type = "f32"
count = "n"
direction = "out"
[[args]]
name = "n"
type = "i32"
value = "n"

[check]
reference = { entry = "made_up", grid = [1], block = [1] }
rtol = 1e-6
SPEC
}

# Times from 1 ms to 5 ms in no order. Only those that may reach the final have many samples.
write_recording() {
  jq -c -n --argjson identity "$(present_identity "$gtune" tune "$work/made_up.toml")" '
    (input | {gtune_recording, toolchain, device, created, timing: "cold", command: "made up",
      kernel: $identity, problem: [["n", 1024]]}),
    (range(4096) | (. * 1597 % 4096 / 1024 + 1) as $ms
     | {kind: "configuration", status: "ok", gpu_ms: 1, passed_awkward: true,
        config: [. % 16, (. / 16 | floor) % 16, (. / 256 | floor)],
        samples_ms: [range(if $ms < 1.03 then 60 else 3 end) | $ms]})
    ' db/recordings/copy-1GiB-h200.jsonl >"$work/made_up.jsonl"
}

# ticks FILE: user and system time of a process or thread, in hundredths of a second.
ticks() {
  local stat
  read -r stat <"$1" || return
  set -- ${stat##*) }
  echo $((${12} + ${13}))
}

searched() {
  sqlite3 -readonly "$work/run.db" "SELECT count(*) FROM measurement WHERE phase = 'search'" 2>/dev/null || echo 0
}

# memory PID: the proportional set size of a process and its children, in MB.
memory() {
  local pid name kb rest sum=0
  for pid in $1 $(pgrep -P "$1"); do
    while read -r name kb rest; do
      if [ "$name" = Pss: ]; then sum=$((sum + kb)); fi
    done <"/proc/$pid/smaps_rollup" || true
  done 2>/dev/null
  echo $((sum / 1024))
}

machine_ticks() { local name user nice system rest; read -r name user nice system rest </proc/stat; echo $((user + nice + system)); }

# watch PID BUDGET FILE: until the search ends, writes lines: time in ms, measurements, CPU times of the tuner's
# first thread, of the tuner and of the machine, open files, threads.
watch() {
  local tuner=$1 budget=$2 begin rows=0
  begin=$(date +%s%3N)
  while [ "$rows" -lt "$budget" ] && kill -0 "$tuner" 2>/dev/null; do
    sleep 0.2
    rows=$(searched)
    echo "$(($(date +%s%3N) - begin)) $rows $(ticks "/proc/$tuner/task/$tuner/stat") $(ticks "/proc/$tuner/stat")" \
      "$(machine_ticks) $(ls "/proc/$tuner/fd" | wc -l) $(ls "/proc/$tuner/task" | wc -l)"
  done >"$3" 2>/dev/null
}

# summary FILE DELAY_MS: of the lines of watch(). Rates and shares are of the time of the search, which began
# DELAY_MS before the first measurement arrived.
summary() {
  awk -v cores="$(nproc)" -v delay="$2" '
    NR == 1 || (!begun && $2 == 0) { before = $1; first = $3; all = $4; machine = $5 }
    $2 > 0 && !begun { begun = 1; t = $1 - delay }
    $6 > files { files = $6 }
    $7 > threads { threads = $7 }
    END {
      s = ($1 - t) / 1000
      seen = ($1 - before) / 1000
      if (s <= 0 || seen <= 0) exit 1
      printf "%7.1f %9.0f %8.2f %7.0f %7.0f %9.0f %6d %8d", t / 1000, $2 / s,
        ($3 - first) * 10 / $2, ($3 - first) / seen, ($4 - all) / seen, ($5 - machine) / seen / cores,
        files, threads
    }' "$1"
}

# row STRATEGY WORKERS DELAY_MS: a run; the final is left out, since only one worker takes part in it.
row() {
  local strategy=$1 workers=$2 delay=$3 tuner i budget devices used
  budget=$((4 * workers > 40 ? 4 * workers : 40))
  devices=replay:$work/made_up.jsonl
  for ((i = 1; i < workers; ++i)); do devices+=,replay:$work/made_up.jsonl; done
  rm -f "$work"/run.db*
  GTUNE_REPLAY_DELAY_MS=$delay "$gtune" tune "$work/made_up.toml" --device "$devices" --strategy "$strategy" \
    --budget "$budget" --profile off --db "$work/run.db" --quiet >"$work/log" 2>&1 &
  tuner=$!
  watch $tuner $budget "$work/watched"
  used=$(memory $tuner)
  kill -INT $tuner 2>/dev/null || true
  wait $tuner 2>/dev/null || true
  printf '%-8s %7d %8d %9.0f %s %6d\n' "$strategy" "$workers" "$delay" \
    "$(jq -n "$workers * 1000 / $delay")" "$(summary "$work/watched" "$delay")" "$used"
  if grep -m 3 'drops out' "$work/log"; then echo "FAILED: workers dropped out"; fi
}

table() {
  printf '%-8s %7s %8s %9s %7s %9s %8s %7s %7s %9s %6s %8s %6s\n' strategy workers "ms each" demanded "start s" \
    "a second" "ms CPU" "thread%" "tuner%" "machine%" files threads MB
  local job strategy workers delay
  for job in "$@"; do
    IFS=: read -r strategy workers delay <<<"$job"
    row "$strategy" "$workers" "$delay"
  done
}

write_kernel
write_recording
{
  echo "# bench/many_workers.sh: $("$gtune" --version | head -1), $(nproc) cores, $(date -u +%F), $(uname -sm)"
  echo "# open files: soft limit $(ulimit -Sn), hard limit $(ulimit -Hn)"
  echo "# demanded: workers divided by the time of a configuration; start: until the first measurement; ms CPU: CPU"
  echo "# time of the tuner's first thread, which asks, tells and stores, per configuration; thread%, tuner%: CPU time"
  echo "# of that thread and of the whole tuner, of a core; machine%: of all cores, by all programs; files, threads:"
  echo "# of the tuner; MB: memory of tuner and workers"
  table "$@"
} >"$out.partial"
mv "$out.partial" "$out"
cat "$out"
! grep -q FAILED "$out"
