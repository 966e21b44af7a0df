#!/usr/bin/env bash
# Tunes the kernels of examples/peers whose sources examples/peers/fetch.sh has fetched, from an empty
# database, and compares each winner with the source's own default.
# Usage: bench/peers.sh GTUNE [SECONDS [SPEC...]]
#   SECONDS: the budget of each kernel's search, 4 by default. SPEC: examples/peers/NAME.toml; all by default.
# GTUNE_OPTIONS: more options for gtune tune. PEERS_JSON: a file that gets a line of JSON for each kernel.
set -uo pipefail
gtune=$(realpath "$1")
seconds=${2:-4}
here=$(realpath "$(dirname "$0")")
specs=("${@:3}")
[ ${#specs[@]} -gt 0 ] || specs=("$here"/../examples/peers/*.toml)
read -ra options <<<"${GTUNE_OPTIONS:-}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GTUNE_DB=$scratch/gtune.db GTUNE_CACHE=$scratch/cache

echo "command: bench/peers.sh $*"
echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
"$gtune" devices
echo
failed=0
for spec in "${specs[@]}"; do
  name=$(basename "$spec" .toml)
  if ! python3 "$here/peers_table.py" has-source "$spec"; then
    echo "$name: its source is not there (examples/peers/fetch.sh)" >&2
    continue
  fi
  if ! "$gtune" tune "$spec" --budget "${seconds}s" --quiet --json "${options[@]}" \
    >"$scratch/$name.json" 2>"$scratch/$name.log"; then
    failed=1
    tail -n 3 "$scratch/$name.log" | sed "s|^|$name: |" >&2
  fi
  python3 "$here/peers_table.py" line "$spec" "$scratch/$name.json" >>"$scratch/lines"
done
if [ -s "$scratch/lines" ]; then
  python3 "$here/peers_table.py" table "$scratch/lines" || failed=1
  [ -z "${PEERS_JSON:-}" ] || cp "$scratch/lines" "$PEERS_JSON"
fi
exit $failed
