#!/usr/bin/env bash
# Builds gtune and tunes SGEMM at 4096 x 4096 x 4096: on GPU 0, or without a GPU on recorded measurements
# of an H200. With --install as the first argument it first installs missing packages.
# Arguments replace the default ones: ./tune.sh transpose --rows 8192
# GTUNE_WERROR=ON in the environment makes warnings errors.
set -euo pipefail
cd "$(dirname "$0")"

if [ "${1:-}" = "--install" ]; then
  shift
  scripts/install_packages.sh
else
  scripts/install_packages.sh --check
fi
mkdir -p build
cmake --preset release -DGTUNE_WERROR="${GTUNE_WERROR:-OFF}" >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
cmake --build build --target gtune
if [ $# -eq 0 ]; then set -- sgemm --M 4096; fi
exec build/gtune "$@"
