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

TEST(ProblemsInCell, AreSpreadOverItAndOfTheKind) {
  const KernelSpec spec = test::toy_spec();
  std::vector<Problem> measured;
  for (std::int64_t n = 1; n <= 65536; n += n) measured.push_back({{"n", n}, {"kind", 0}});
  const SizeGrid grid(spec, measured);
  const std::vector<Problem> problems =
      problems_in_cell(spec, {{"n", 64}, {"kind", 1}}, grid, 2);  // n from 256 to 4096
  ASSERT_EQ(problems.size(), 64U);
  int small = 0;
  for (const Problem& each : problems) {
    EXPECT_EQ(each.find("kind"), 1);
    EXPECT_EQ(grid.spot(each).node[0], 2) << each.text();
    small += *each.find("n") < 1024 ? 1 : 0;
  }
  EXPECT_NEAR(small, 32, 2);  // spread over octaves
  EXPECT_TRUE(problems_in_cell(spec, measured[0], grid, 4).empty()) << "no cell begins there";
}

TEST(ProblemsInCell, LeaveOutSizesFromWhichNoneFollows) {
  std::vector<Problem> measured;
  for (std::int64_t n = 202; n <= 60000; n += 2000) {
    measured.push_back({{"n", n}, {"m", n / 2 - 100}});
  }
  const SizeGrid grid(halves_spec(), measured);
  for (const Problem& each : problems_in_cell(halves_spec(), measured[0], grid, 0)) {
    EXPECT_GE(each.find("m").value_or(0), 1);
  }
}

}  // namespace
}  // namespace gtune
