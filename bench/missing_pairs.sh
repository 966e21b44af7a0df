#!/usr/bin/env bash
# Measures on GPU 0, in one sweep, the pairs of a problem and an instance that `gtune export --format missing` names. Each
# problem takes every configuration named for any problem that is valid for it, so that later exports find more known.
# Among problems that name the same sizes, those that lack most come first, in case a time limit ends the run.
# Usage: bench/missing_pairs.sh GTUNE DATABASE KERNEL [MAX_VARIANTS...]
# $DEVICE, if set, is another GPU. $PART, as 1/2, takes every second problem from the first on: with it, several GPUs
# share the work, each with its own copy of the database.
set -euo pipefail
shopt -s nullglob  # nothing may be missing
export GTUNE_ALSO=
gtune=$1
database=$2
kernel=$3
variants=("${@:4}")
[ ${#variants[@]} -gt 0 ] || variants=(8)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for most in "${variants[@]}"; do
  "$gtune" export "$kernel" --db "$database" --max-variants "$most" --format missing
done >"$scratch/missing.txt"
# Of each line, the sizes and the configurations.
python3 - "$kernel" "$scratch" <<'SCRIPT'
import os
import shlex
import sys

kernel, folder = sys.argv[1:]
problems, configs, missing = {}, {}, {}
with open(f"{folder}/missing.txt") as file:
    for line in file:
        words = shlex.split(line, comments=True)
        if words[:2] != ["gtune", kernel]:
            continue
        options = list(zip(words[2::2], words[3::2]))
        sizes = {name[2:]: value for name, value in options if name not in ("--config", "--db")}
        problem = tuple(sorted(sizes.items()))
        problems[problem] = sizes
        named = [value for name, value in options if name == "--config"]
        configs.update((value, None) for value in named)
        missing[problem] = missing.get(problem, 0) + len(named)
part, parts = map(int, os.environ.get("PART", "1/1").split("/"))
order = sorted(problems, key=missing.get, reverse=True)
problems = {each: problems[each] for each in order[part - 1 :: parts]}
for number, names in enumerate(sorted({tuple(sizes) for sizes in problems.values()})):
    with open(f"{folder}/shapes.{number}.csv", "w") as out:
        print(*names, sep=",", file=out)
        for sizes in problems.values():
            if tuple(sizes) == names:
                print(*sizes.values(), sep=",", file=out)
with open(f"{folder}/configs.txt", "w") as out:
    print(*(f"--config\n{config}" for config in configs), sep="\n", file=out)
print(f"{kernel}: {len(problems)} problems, {len(configs)} configurations", file=sys.stderr)
SCRIPT
mapfile -t configs <"$scratch/configs.txt"
for shapes in "$scratch"/shapes.*.csv; do
  status=0
  "$gtune" "$kernel" --shapes "$shapes" --device "${DEVICE:-0}" --db "$database" --profile off --quiet "${configs[@]}" \
    >"$scratch/out.txt" || status=$?
  # 1, 4: some problems failed, or have no valid configuration.
  case $status in 0 | 1 | 4) ;; *) exit "$status" ;; esac
  grep -c "^best" "$scratch/out.txt" || true
done
