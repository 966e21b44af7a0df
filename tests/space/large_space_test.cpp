#include <gtest/gtest.h>

#include <chrono>

#include "space/enumeration.hpp"
#include "support/patience.hpp"

namespace gtune {
namespace {

/// Eight parameters of ten values each: 10^8 combinations.
std::string ten_to_the_eighth() {
  std::string params;
  for (char name = 'A'; name <= 'H'; ++name) {
    params += std::string(1, name) + " = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n";
  }
  return params;
}

/// Tiles of a matrix product with far too many choices: 10^8 combinations.
const std::string tile_params = R"(BM = [8, 16, 32, 64, 128, 256, 512, 1024]
BN = [8, 16, 32, 64, 128, 256, 512, 1024]
BK = [4, 8, 16, 32, 64]
TM = [1, 2, 4, 8, 16]
TN = [1, 2, 4, 8, 16]
STAGES = [1, 2, 3, 4, 5]
VEC = [1, 2, 4, 8]
UNROLL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]
SPLIT = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]
)";
const std::string tile_constraints = R"(
block = "(BM/TM)*(BN/TN) >= 64 && (BM/TM)*(BN/TN) <= 1024 && (BM/TM)*(BN/TN) % 32 == 0"
work = "TM*TN >= 16 && TM*TN <= 128"
smem = "STAGES*(BM+BN)*BK*4 <= dev_max_shared"
loads = "BM*BK % ((BM/TM)*(BN/TN)*VEC) == 0 && BN*BK % ((BM/TM)*(BN/TN)*VEC) == 0"
unroll = "BK % UNROLL == 0 && UNROLL*TM*TN <= 512"
split = "M/SPLIT % BK == 0 && SPLIT*STAGES*(BM+BN)*BK*4 <= 4649000"
)";

/// The counts come from independent dynamic programming and other programs.
struct Large {
  const char* name;
  std::string params;
  std::string constraints;
  std::uint64_t valid;
};

void PrintTo(const Large& large, std::ostream* out) { *out << large.name; }

class LargeSpace : public testing::TestWithParam<Large> {};

TEST_P(LargeSpace, IsEnumeratedQuickly) {
  const KernelSpec spec = spec_of(spec_text(GetParam().params, GetParam().constraints));
  const auto begin = std::chrono::steady_clock::now();
  const Enumeration result = enumerate(spec, problem_of(spec), device());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(result.combinations, 100'000'000U);
  EXPECT_EQ(result.combinations, result.space.size() + excluded_in_all(result));
  EXPECT_EQ(result.space.size(), GetParam().valid);
  RecordProperty("milliseconds", static_cast<int>(1000 * took.count()));
  EXPECT_LT(took.count(), 1.0 * test::patience);
}

// All partial sums differ, so a lookup of earlier ones cannot help.
TEST(LargeSpaces, AreRightWhereNothingRepeats) {
  std::string params;
  for (char name = 'A'; name <= 'F'; ++name) {
    params += std::string(1, name) + " = [1, 2, 3, 4, 5, 6, 7, 8";
    params += name <= 'D' ? ", 9, 10, 11, 12]\n" : "]\n";
  }
  const KernelSpec spec =
      spec_of(spec_text(params, "s = \"(A+13*B+169*C+2197*D+28561*E+371293*F) % 97 == 0\""));
  const Enumeration result = enumerate(spec, problem_of(spec), device());
  EXPECT_EQ(result.space.size(), 13680U);
  EXPECT_EQ(result.combinations, result.space.size() + excluded_in_all(result));
}

INSTANTIATE_TEST_SUITE_P(
    All, LargeSpace,
    testing::Values(
        Large{"tiles", tile_params, tile_constraints, 400972},
        Large{"small", ten_to_the_eighth(),
              "a = \"A*B == 20\"\nb = \"C % D == 0 && C > D\"\nc = \"E + F == 11\"\n"
              "d = \"G == H\"",
              6800},
        Large{"sum", ten_to_the_eighth(), "s = \"A+B+C+D+E+F+G+H == 20\"", 50100},
        Large{"sum_bound", ten_to_the_eighth(), "s = \"A+B+C+D+E+F+G+H <= 20\"", 125610},
        Large{"high_sum", ten_to_the_eighth(), "s = \"A+B+C+D+E+F+G+H >= 67\"", 202170},
        Large{"product", ten_to_the_eighth(), "s = \"A*B*C*D*E*F*G*H == 40320\"", 368760},
        Large{"product_bound", ten_to_the_eighth(), "s = \"A*B*C*D*E*F*G*H <= 300\"", 163308},
        Large{"squares", ten_to_the_eighth(), "s = \"A*A+B*B+C*C+D*D+E*E+F*F+G*G+H*H == 100\"",
              30030},
        Large{"remainder", ten_to_the_eighth(),
              "s = \"(A*B*3 + C*D*7 + E*F*11 + G*H*13) % 997 == 0\"", 89466},
        Large{"ordered", ten_to_the_eighth(),
              "s = \"A<=B && B<=C && C<=D && D<=E && E<=F && F<=G && G<=H\"", 24310}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace gtune
