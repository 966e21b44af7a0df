#include "answer/problems_around.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "answer/toy_spec.hpp"

namespace gtune {
namespace {

/// n, and m, which follows as half of n less 100, and has to be positive.
KernelSpec halves_spec() {
  const test::TemporaryFolder folder;
  folder.write("k.cu", "");
  return read_spec(folder.write("k.toml", R"toml([kernel]
source = "k.cu"
entry = "k"
[problem]
n = 1024
m = { default = "n / 2 - 100" }
[params]
A = [1, 2]
[launch]
grid = [1]
block = [32]
[[args]]
name = "out"
type = "f32"
count = "n"
direction = "out"
[check]
reference = { entry = "k", grid = [1], block = [32] }
rtol = 0.0
)toml"),
                   {});
}

TEST(ProblemsOfAnySize, LeaveOutSizesFromWhichNoneFollows) {
  const std::vector<Problem> problems =
      problems_of_any_size(halves_spec(), {{"n", 1024}, {"m", 412}});
  EXPECT_GT(problems.size(), 50U);
  EXPECT_TRUE(std::all_of(problems.begin(), problems.end(),
                          [](const Problem& each) { return each.find("m").value_or(0) >= 1; }));
  EXPECT_EQ(problems, problems_of_any_size(halves_spec(), {{"n", 1024}, {"m", 412}}));
}

}  // namespace
}  // namespace gtune
