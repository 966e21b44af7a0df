#!/usr/bin/env bash
# Runs clang-tidy 14 with the checks of .clang-tidy over src/; any warning is an error. It checks the batches
# of a unity build, two or three per room: the headers of CUDA, JSON and the library take most of the time,
# and file by file they would be read 300 times instead of 23.
# Usage: scripts/check_tidy.sh [ROOM...]      CLANG_TIDY names another program.
set -euo pipefail
cd "$(dirname "$0")/.."

clang_tidy=${CLANG_TIDY:-clang-tidy-14}
if ! "$clang_tidy" --version | grep -q 'version 14\.'; then
  echo "check_tidy.sh: $clang_tidy is not version 14; others have other checks" >&2
  exit 2
fi
folder=build-tidy
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON -DGTUNE_TESTS=OFF >/dev/null
cmake --build "$folder" --target gtune_embedded >/dev/null

rooms=("$@")
if [ $# = 0 ]; then rooms=("[a-z]*"); fi
batches=()
for room in "${rooms[@]}"; do
  for batch in "$folder"/CMakeFiles/gtune_$room.dir/Unity/*.cxx; do
    [ -e "$batch" ] || { echo "check_tidy.sh: src/ has no room $room" >&2; exit 2; }
    batches+=("$batch")
  done
done
# The largest first, so that all cores are busy until the end. Counts of suppressed warnings are not shown.
ls -S "${batches[@]}" | xargs -P "$(nproc)" -n 1 "$clang_tidy" --quiet -p "$folder" \
  2> >(grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -header-filter' >&2) ||
  { echo "check_tidy.sh: the warnings above are errors; .clang-tidy says why what is off is off" >&2; exit 1; }
echo "clang-tidy: ${#batches[@]} batches, no warnings"
