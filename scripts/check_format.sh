#!/usr/bin/env bash
# Checks that clang-format 14 would change nothing in the tracked C++ and CUDA files; with --fix it
# changes them. kernels/ is left out, because any changed byte would make stored measurements stale.
# CLANG_FORMAT names another program.
set -euo pipefail
cd "$(dirname "$0")/.."

clang_format=${CLANG_FORMAT:-clang-format}
if ! "$clang_format" --version | grep -q 'version 14\.'; then
  echo "check_format.sh: $("$clang_format" --version 2>&1 | head -1): version 14 is needed, others format differently" >&2
  exit 2
fi
mode=(--dry-run -Werror)
if [ "${1:-}" = --fix ]; then mode=(-i); fi
git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard -- \
  '*.cpp' '*.hpp' '*.h' '*.c' 'tests/*.cu' 'bench/*.cu' 'bench/*.cuh' 'examples/*.cu' | xargs -0 "$clang_format" "${mode[@]}"
