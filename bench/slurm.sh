#!/usr/bin/env bash
# Checks that links leave nothing running: workers through srun, ssh and a pipe that forwards only whole
# lines, on a one-node Slurm and an sshd of its own in a scratch folder. Each run ends, is interrupted, is
# killed, or loses its link. Exits 1 if a job or a process is left then. Needs root and Debian's packages,
# which --install installs, but no GPU.
# Usage: bench/slurm.sh [--install] OUTPUT_FILE
set -euo pipefail
cd "$(dirname "$0")/.."
source bench/slurm/one_node.sh
source bench/present_recording.sh
packages="${slurm_packages[*]} openssh-server openssh-client"
if [ "${1:-}" = --install ]; then
  # shellcheck disable=SC2086
  scripts/install_packages.sh $packages
  shift
fi
out=${1:?usage: bench/slurm.sh [--install] OUTPUT_FILE}
require_tools "$packages" "${slurm_tools[*]} sshd ssh ssh-keygen"
gtune=$(realpath "${GTUNE:-build/gtune}")
recording=$(realpath db/recordings/copy-1GiB-h200.jsonl)
kernel=(copy --bytes 1073741824)
most_s=60 # after which something counts as left behind
delay_ms=50
work=$(mktemp -d /tmp/gtune-links-XXXXXX)
trap 'stop_daemons "$work/sshd.pid"; sleep 1; rm -rf "$work"' EXIT

start_sshd() {
  mkdir -p /run/sshd # sshd requires it, whatever its configuration
  ssh-keygen -q -t ed25519 -N '' -f "$work/host_key"
  ssh-keygen -q -t ed25519 -N '' -f "$work/user_key"
  cp "$work/user_key.pub" "$work/authorized"
  cat >"$work/sshd_config" <<CONF
Port 26822
ListenAddress 127.0.0.1
HostKey $work/host_key
AuthorizedKeysFile $work/authorized
PidFile $work/sshd.pid
StrictModes no
UsePAM no
PermitRootLogin yes
CONF
  "$(command -v sshd)" -f "$work/sshd_config" -E "$work/sshd.log"
}

# launcher NAME FAULT: the command that starts a worker, with FAULT as its $GTUNE_FAULT.
launcher() {
  local worker="env GTUNE_REPLAY_DELAY_MS=$delay_ms GTUNE_FAULT=$2 $gtune worker --device replay:$work/copy.jsonl"
  case $1 in
    srun) echo "srun $worker" ;;
    ssh)
      echo "ssh -p 26822 -i $work/user_key -o BatchMode=yes -o StrictHostKeyChecking=no" \
        "-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR localhost $worker"
      ;;
    "whole lines") echo "stdbuf -oL sed '' | $worker | stdbuf -oL sed ''" ;;
  esac
}

# Workers and launchers of this script. The tuner's command line would match too, but it has ended by then.
processes() { pgrep -f -- "worker --device replay:$work/copy.jsonl" || true; }
workers() { pgrep -f -- "^$gtune worker --device replay:$work/copy.jsonl" || true; }
jobs_left() { squeue -h -o %i; }

now_ms() { date +%s%3N; }

# wait_until_nothing COMMAND...: waits until it prints nothing; fails after $most_s seconds.
wait_until_nothing() {
  local end=$(($(now_ms) + most_s * 1000))
  while [ -n "$("$@")" ]; do
    [ "$(now_ms)" -lt $end ] || return 1
    sleep 0.05
  done
}

# The processes that carry a tuner's link, without the worker, which may be in the same group.
carriers() {
  local pid
  for pid in $(pgrep -g "$(pgrep -P "$1" | head -n 1)"); do
    [ "$(readlink "/proc/$pid/exe")" = "$gtune" ] || echo "$pid"
  done
}

# signal_all SIGNAL PIDS...: signals them one by one; some may already have ended with others.
signal_all() {
  local signal=$1 pid
  shift
  for pid in "$@"; do kill "-$signal" "$pid" 2>/dev/null || true; done
}

still_there() {
  local pid
  for pid in $1; do [ ! -e "/proc/$pid/stat" ] || grep -q '^State:.*Z' "/proc/$pid/status" || echo "$pid"; done
}

failed=0
# row LINK SCENARIO: prints the scenario, the tuner's exit code, how long the tuner takes to end, how
# long until the worker is gone, and what is left.
row() {
  local link=$1 scenario=$2 fault="" budget=2000 tuner code=0 begin old="" carriers=""
  local tuner_ms=- worker_ms=- left=nothing
  case $scenario in
    "run ends") budget=20 ;;
    "lost link") budget=60 ;;
    *hangs*) fault=worker:hang@measure#10 ;;
  esac
  rm -f "$work/run.db"
  setsid "$gtune" "${kernel[@]}" --device none --db "$work/run.db" --quiet --fresh --strategy random --profile off \
    --budget $budget --worker-command "$(launcher "$link" "$fault")" >"$work/out" 2>"$work/err" &
  tuner=$!
  if [ "$scenario" = "run ends" ]; then
    wait $tuner || code=$?
  else
    sleep 2.5
    old=$(workers)
    carriers=$(carriers $tuner)
    [ -n "$old" ] || { echo "no worker is running behind $link" >&2; failed=1; }
  fi
  begin=$(now_ms)
  case $scenario in
    "Ctrl-C"*) kill -INT $tuner ;;
    "kill -9"*) kill -9 $tuner ;;
    "tuner stopped"*) kill -STOP $tuner ;;
    "lost link") signal_all KILL $carriers ;;
  esac
  if [[ $scenario = "Ctrl-C"* ]]; then
    wait $tuner || code=$?
    tuner_ms=$(($(now_ms) - begin))
  fi
  if wait_until_nothing still_there "$old"; then worker_ms=$(($(now_ms) - begin)); else failed=1; fi
  [[ $scenario != "tuner stopped"* ]] || kill -9 $tuner
  [ "$scenario" = "run ends" ] || [[ $scenario = "Ctrl-C"* ]] || wait $tuner 2>/dev/null || code=$?
  if ! wait_until_nothing processes || ! wait_until_nothing jobs_left; then
    left="processes: $(processes | wc -l), jobs: $(jobs_left | wc -l)"
    failed=1
  fi
  case $scenario in
    "run ends" | "lost link") [ $code = 0 ] || failed=1 ;;
    "Ctrl-C"*) [ $code = 130 ] || failed=1 ;;
  esac
  printf '%-12s %-28s %-10s %-15s %-16s %s\n' "$link" "$scenario" "$code" "$tuner_ms" "$worker_ms" "$left" |
    { read -r line && echo "$line" && echo "$line" >&3; }
}

table() {
  local link scenario
  printf '%-12s %-28s %-10s %-15s %-16s %s\n' link scenario "exit code" "tuner ends, ms" "worker gone, ms" left
  for link in srun ssh "whole lines"; do
    for scenario in "run ends" "Ctrl-C" "Ctrl-C, kernel hangs" "kill -9" "kill -9, kernel hangs" \
      "lost link" "tuner stopped, kernel hangs"; do
      row "$link" "$scenario"
    done
  done
}

exec 3>&2 # progress
start_slurm
start_sshd
present_recording "$gtune" "$recording" "${kernel[@]}" >"$work/copy.jsonl"
{
  echo "# bench/slurm.sh $(basename "$out")"
  echo "# $("$gtune" --version | head -1), $(slurmctld -V), $(ssh -V 2>&1), $(nproc) cores, $(date -u +%F)"
  echo "# times are from the event: SIGINT or SIGKILL to the tuner; SIGKILL to srun, ssh or sed (lost link: another"
  echo "# worker ends the run); SIGSTOP to the tuner, and SIGKILL when the worker is gone"
  table
} >"$work/table" 2>"$work/noise" || failed=1 # bash prints a remark for each killed tuner
[ $failed = 0 ] || cat "$work/noise" >&2
cat "$work/table"
cp "$work/table" "$out"
exit $failed
