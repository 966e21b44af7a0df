#!/usr/bin/env bash
# Builds everything and runs all tests. Tests that need a GPU skip if there is none.
# Usage: ./test.sh [--install] [--sanitize | --fuzz SECONDS [INPUTS [fuzz_targets | fuzz_room_targets]]]
#   --install   first installs missing packages
#   --sanitize  under AddressSanitizer and UndefinedBehaviorSanitizer
#   --fuzz      runs the fuzz targets instead, each for at most SECONDS and INPUTS; needs clang++ (tests/fuzz/README.md);
#               fuzz_room_targets leaves out those that need the whole of gtune, which takes long to compile
# GTUNE_WERROR=ON in the environment makes warnings errors, as in CI.
# GTUNE_TEST_OBJECTS=build-test with --sanitize links the test objects of that build, which must be up to date, with the
# sanitized gtune.
set -euo pipefail
cd "$(dirname "$0")"

packages=(--check)
if [ "${1:-}" = "--install" ]; then
  packages=()
  shift
fi
case "${1:-}" in
  '' | --sanitize) ;;
  --fuzz) : "${2:?how many seconds for each target?}" ;;
  *)
    sed -n 's/^# Usage/usage/p' "$0" >&2
    exit 2
    ;;
esac
packages+=(git)  # for the tests that read kernels of earlier commits
preset=dev
folder=build-test
target=all
options=(-DGTUNE_WERROR="${GTUNE_WERROR:-OFF}")
left_out='^$'
if [ "${1:-}" = "--fuzz" ]; then
  preset=fuzz
  folder=build-fuzz
  target=${4:-fuzz_targets}
  packages+=(clang libclang-rt-dev)
elif [ "${1:-}" = "--sanitize" ]; then
  preset=sanitize
  folder=build-sanitize
  # These would test compilers, not gtune.
  left_out='BundledKernel.Compiles|StandardHeaders.Each|^Examples|Bundled(CHeader|Choices)|HeaderCompilers|TheSpecsOfThe'
  # The quality of a search, or of answers, does not depend on the build. These also export, or leave out one by
  # one, all of the bundled results, which is the work of the same code as in tests/export and tests/answer.
  left_out+='|GuidedStrategy.(FindsTheBest|IsNoWorse|LearnsWhat)|Export.(HasAFallbackForEverySize|ChoosesAs)'
  left_out+='|Bundled.(SizesLeftOut|WhatNamesNoTier|IsExported|MissingPairs|IsLeftAsItIs|OnesOwnResults)'
  options+=(-DGTUNE_TEST_OBJECTS="${GTUNE_TEST_OBJECTS:+$PWD/$GTUNE_TEST_OBJECTS}")
  # CUPTI opens a library in a way (RTLD_DEEPBIND) that AddressSanitizer refuses.
  left_out+='|MetricCatalog|MetricsOf|^Metrics\.|MetricSet|Profile.(AskedMetrics|MistakesAre)'
fi
if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi

scripts/install_packages.sh "${packages[@]}"
cmake --preset "$preset" "${options[@]}"
cmake --build "$folder" --target "$target"

if [ "${1:-}" = "--fuzz" ]; then
  exec tests/fuzz/run.sh "$folder" "$2" "${3:-1000000000}" "$target"
fi

log=$folder/tests.log
echo "running the tests; all of what they print is in $log"
status=0
# Two more jobs than there are cores, because many tests wait.
ctest --test-dir "$folder" -j "$(($(nproc) + 2))" -LE slow -E "$left_out" --output-on-failure --quiet --output-log "$log" ||
  status=$?
# Shows only the failures, which a long log would hide.
if [ "$status" != 0 ]; then
  grep -E -A60 '\*\*\*(Failed|Exception|Timeout|Not Run)' "$log" | grep -vE ' Passed |  Start ' || true
fi
sed -n '/tests passed/,$p' "$log"
exit "$status"
