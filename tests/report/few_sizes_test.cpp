#include "report/few_sizes.hpp"

#include <gtest/gtest.h>

#include "spec/problem_text.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

Problem sizes(std::int64_t m, std::int64_t n) { return {{"M", m}, {"N", n}}; }

TEST(FewSizes, NameTheFirstSizeAndThoseThatDifferFromTheirDefaults) {
  const KernelSpec spec = spec_of(spec_text("A = [1, 2]"));  // N defaults to M
  EXPECT_EQ(problem_text(spec, sizes(4096, 4096)), "M=4096");
  EXPECT_EQ(problem_text(spec, sizes(1000, 1000)), "M=1000");
  EXPECT_EQ(problem_text(spec, sizes(4096, 7)), "M=4096,N=7");
  EXPECT_EQ(few_sizes(spec, {sizes(5, 5), sizes(5, 7)}), "M=5; M=5,N=7");
}

TEST(FewSizes, AreFiveAtMost) {
  const KernelSpec spec = spec_of(spec_text("A = [1, 2]"));
  const std::vector<Problem> problems(7, sizes(5, 5));
  EXPECT_EQ(few_sizes(spec, problems), "M=5; M=5; M=5; M=5; M=5 and 2 more");
}

TEST(FewSizes, NameAllWithoutASpec) { EXPECT_EQ(few_sizes({sizes(5, 5)}), "M=5,N=5"); }

}  // namespace
}  // namespace gtune
