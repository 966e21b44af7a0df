// The line about slow compiles.
#include "cli/compile_progress.hpp"

#include <gtest/gtest.h>

namespace gtune::test {
namespace {

using std::chrono::seconds;

TEST(CompileProgress, SaysNothingInTheFirstSecond) {
  EXPECT_EQ(compile_progress_text(0, 4, seconds(0)), std::nullopt);
}

TEST(CompileProgress, CountsSeveralCompiles) {
  EXPECT_EQ(compile_progress_text(3, 8, seconds(12)), "compiling 3/8, 12 s");
  EXPECT_EQ(compile_progress_text(0, 1, seconds(2)), "compiling, 2 s");
}

}  // namespace
}  // namespace gtune::test
