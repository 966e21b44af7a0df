#!/usr/bin/env bash
# Regenerates tests/golden/expected/ from the present reports and docs/spec_keys.md from the schema of specs,
# and lists the changed files.
# Usage: scripts/update_golden.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
cmake --build "$build" --target test_golden
rm -rf tests/golden/expected
GTUNE_UPDATE_GOLDEN=1 "$build/tests/test_golden" --gtest_brief=1
git --no-pager diff --stat -- tests/golden/expected docs/spec_keys.md
git status --short -- tests/golden/expected docs/spec_keys.md
