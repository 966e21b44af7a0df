#!/usr/bin/env bash
# The time that an exported header of sgemm takes to choose, over 300 log-uniform problems of one kind on an H200: the
# mean of a round, least of 60 rounds. Needs no GPU.
# Usage: bench/select_time.sh GTUNE DATABASE [INSTANCES...]
set -euo pipefail
gtune=$(realpath "$1")
database=$(realpath "$2")
instances=("${@:3}")
[ ${#instances[@]} -gt 0 ] || instances=(8 12 24)
compiler=${CXX:-c++}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/main.cpp" <<'SOURCE'
#include "gtune_sgemm.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  using Clock = std::chrono::steady_clock;
  const auto device = gtune_sgemm::known_device("NVIDIA H200");
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> exponent(0, std::log(16384.0));
  const auto size = [&] { return static_cast<long long>(std::exp(exponent(engine))); };
  std::vector<gtune_sgemm::Problem> problems;
  for (int i = 0; i < 300; ++i) {
    const long long m = size(), n = size(), k = size();
    problems.push_back(gtune_sgemm::problem(m, n, k));
  }
  double least = 1e9;
  long long sum = 0;
  for (int round = 0; round < 60; ++round) {
    const auto begin = Clock::now();
    for (const auto& problem : problems) sum += gtune_sgemm::select(device, problem).variant;
    const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
    least = std::min(least, took.count() / static_cast<double>(problems.size()));
  }
  std::printf("%5d variants %6.2f us  (sum of the variants: %lld)\n", gtune_sgemm::variants, least, sum);
}
SOURCE
echo "command: bench/select_time.sh $*"
echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
echo "host:    $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2), $("$compiler" --version | head -1), -O2"
for n in "${instances[@]}"; do
  "$gtune" export sgemm --db "$database" --max-variants "$n" -o "$scratch/gtune_sgemm.hpp" >/dev/null 2>&1
  "$compiler" -std=c++17 -O2 -I"$scratch" -o "$scratch/main" "$scratch/main.cpp"
  printf '%2d instances ' "$n"
  "$scratch/main"
done
