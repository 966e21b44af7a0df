#pragma once

#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune::test {

/// The spec of the bundled kernel.
inline KernelSpec spec_of_sgemm() {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const std::vector<std::filesystem::path> kernels = {root / "kernels"};
  return read_spec(root / "tuner_configs" / "sgemm.toml", kernels);
}

inline Problem product(const KernelSpec& spec, std::int64_t m, std::int64_t n, std::int64_t k) {
  return expand_problems(spec, {{"M", {m}}, {"N", {n}}, {"K", {k}}}).front();
}

}  // namespace gtune::test
