#!/usr/bin/env bash
# What `gtune sgemm` shows in a terminal of 80 and of 200 columns, on recorded measurements: while it runs, at its end,
# and after Ctrl-C. Needs tmux.
# Usage: bench/terminal.sh GTUNE OUTPUT_FILE
set -euo pipefail
gtune=$(realpath "$1")
out=$2
scratch=$(mktemp -d)
export LC_ALL=C.UTF-8 GTUNE_CACHE=$scratch/cache

screen() {  # everything, without the empty lines at the end
  tmux -L gtune-screens capture-pane -p -t screens | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

show() {  # COLUMNS WHEN
  echo "--- $1 columns, $2"
  screen
}

run() {  # COLUMNS BUDGET
  tmux -L gtune-screens new-session -d -s screens -x "$1" -y 60 \
    "trap : INT; '$gtune' sgemm --M 4096 --device replay --budget $2 --db '$scratch/$1-$2.db'; sleep 60"
}

{
  echo "command: bench/terminal.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "program: $("$gtune" --version | head -1)"
  for columns in 80 200; do
    run "$columns" 2000
    sleep 2
    show "$columns" "while it searches"
    tmux -L gtune-screens send-keys -t screens C-c
    sleep 2
    show "$columns" "after Ctrl-C"
    tmux -L gtune-screens kill-server
    sleep 0.5
    run "$columns" 64
    for _ in $(seq 60); do
      sleep 1
      if screen | grep -q '^run again'; then break; fi
    done
    show "$columns" "at the end"
    tmux -L gtune-screens kill-server
    sleep 0.5
  done
} >"$out"
rm -rf "$scratch"
