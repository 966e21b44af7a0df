#!/usr/bin/env bash
# Runs clang-tidy with the checks of .clang-tidy over src/; any warning is an error. It checks the batches
# of a unity build, one or a few per room, so that headers are read once per batch.
# Usage: scripts/check_tidy.sh [ROOM...]      CLANG_TIDY names another program than the one from PyPI, which is
# installed into build-tidy/. Each version has other checks. Unlike version 14, this one passes over system headers,
# which makes it several times faster.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build-tidy
version=23.1.4
clang_tidy=${CLANG_TIDY:-}
if [ -z "$clang_tidy" ]; then
  tools=$folder/tools-$version
  clang_tidy=$tools/bin/clang-tidy
  if [ ! -x "$clang_tidy" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "clang-tidy==$version"
  fi
fi
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON -DGTUNE_TESTS=OFF \
  -DGTUNE_HEADER_ONLY=OFF >/dev/null
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
