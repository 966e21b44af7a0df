#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "space/enumeration.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;
using Sizes = std::map<std::string, std::vector<std::int64_t>>;

const fs::path repository = GTUNE_SOURCE_DIR;

KernelSpec bundled_spec(const std::string& kernel) {
  return read_spec(repository / "tuner_configs" / (kernel + ".toml"),
                   std::array{repository / "kernels"});
}

/// Asks for one without SPLIT, MIN_BLOCKS and UNROLL, which is more than any: the whole space takes
/// long to enumerate.
void expect_a_configuration(const KernelSpec& spec, const Sizes& sizes) {
  const Narrowing few{{"SPLIT", {1}}, {"MIN_BLOCKS", {1}}, {"UNROLL", {1}}};
  const Problem problem = expand_problems(spec, sizes).front();
  EXPECT_GT(enumerate(spec, problem, device(), few).space.size(), 0U) << problem.text();
}

/// Log-uniform in 1..16384.
std::int64_t random_size(std::mt19937& random) {
  const double share = std::generate_canonical<double, 32>(random);
  return static_cast<std::int64_t>(std::exp(share * std::log(16385.0)));
}

TEST(BundledSpaces, OfSgemmHaveAConfigurationForEverySize) {
  const KernelSpec spec = bundled_spec("sgemm");
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) {
    expect_a_configuration(spec, {{"M", {random_size(random)}},
                                  {"N", {random_size(random)}},
                                  {"K", {random_size(random)}},
                                  {"TA", {i % 2}},
                                  {"TB", {i / 2 % 2}},
                                  {"deterministic", {i / 4 % 2}}});
  }
}

/// Around the sizes at which constraints decide which ways to compute a product there are.
TEST(BundledSpaces, OfSgemmHaveAConfigurationAtTheLimitsOfItsConstraints) {
  const KernelSpec spec = bundled_spec("sgemm");
  for (const std::int64_t m : {1, 2, 15, 17, 33, 5000}) {
    for (const std::int64_t n : {1, 31, 33, 5000}) {
      for (const std::int64_t k : {0, 1, 4, 5, 96, 97}) {
        expect_a_configuration(spec, {{"M", {m}}, {"N", {n}}, {"K", {k}}, {"TB", {m % 2}}});
      }
    }
  }
}

}  // namespace
}  // namespace gtune
