// The SGEMM kernel on the CPU, thread by thread: every index it computes, every barrier it needs.
#include "host_cuda.hpp"
// After what stands in for CUDA.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "sgemm.cu"

namespace gtune::host {
namespace {

struct Sizes {
  int M, N, K;
};

void PrintTo(const Sizes& s, std::ostream* out) { *out << s.M << "x" << s.N << "x" << s.K; }

std::vector<float> random_floats(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(engine);
  return values;
}

std::size_t area(int rows, int cols) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

/// One configuration of the kernel's template, for any problem and grid.
template <int BM, int BN, int BK, int TM, int TN, int LANE_ROWS, int STAGES, int LAG, int VEC,
          int GROUP, int ORDERED>
struct Tile {
  static int tiles(Sizes s) { return ((s.M - 1) / BM + 1) * ((s.N - 1) / BN + 1); }
  static int slices(Sizes s) { return s.K == 0 ? 1 : (s.K - 1) / BK + 1; }

  static void run(Sizes s, int blocks, float alpha, const std::vector<float>& a,
                  const std::vector<float>& b, float beta, std::vector<float>& c,
                  std::vector<int>& arrivals) {
    constexpr std::size_t shared = STAGES * (BK * (BM + 4 + BN) * 4 + 16);
    launch(blocks, (BM / TM) * (BN / TN), shared, [&] {
      sgemm<BM, BN, BK, TM, TN, LANE_ROWS, STAGES, LAG, VEC, GROUP, 1, ORDERED>(
          s.M, s.N, s.K, alpha, a.data(), b.data(), beta, c.data(), arrivals.data());
    });
  }

  /// Runs and compares with sums in double.
  static void check(Sizes s, int blocks, float alpha, float beta) {
    const auto a = random_floats(area(s.M, s.K), 1);
    const auto b = random_floats(area(s.K, s.N), 2);
    // As BLAS has it: with beta = 0 what C holds does not matter.
    std::vector<float> before(area(s.M, s.N), std::numeric_limits<float>::quiet_NaN());
    if (beta != 0) before = random_floats(area(s.M, s.N), 3);
    std::vector<float> c = before;
    std::vector<int> arrivals(static_cast<std::size_t>(tiles(s)), 0);
    run(s, blocks, alpha, a, b, beta, c, arrivals);
    for (int row = 0; row < s.M; ++row) {
      for (int col = 0; col < s.N; ++col) {
        double sum = 0;
        for (int k = 0; k < s.K; ++k) {
          sum += static_cast<double>(a[area(row, s.K) + static_cast<std::size_t>(k)]) *
                 b[area(k, s.N) + static_cast<std::size_t>(col)];
        }
        const std::size_t at = area(row, s.N) + static_cast<std::size_t>(col);
        const double expected = alpha * sum + (beta == 0 ? 0 : beta * double{before[at]});
        ASSERT_NEAR(c[at], expected, 1e-4) << "row " << row << ", column " << col;
      }
    }
    // Ready for the next launch.
    EXPECT_EQ(arrivals, std::vector<int>(arrivals.size(), 0));
  }

  /// A block per tile, split-K, and grids that divide nothing evenly.
  static void check_all_grids(Sizes s) {
    const int most = tiles(s) * slices(s);
    for (const int blocks : {tiles(s), min(2 * tiles(s), most), min(3, most), min(5, most)}) {
      SCOPED_TRACE(testing::Message()
                   << s.M << "x" << s.N << "x" << s.K << " on " << blocks << " blocks");
      check(s, blocks, 1.0f, 0.0f);
      check(s, blocks, -0.5f, 2.0f);
    }
  }
};

using Square = Tile<32, 32, 16, 4, 4, 4, 3, 1, 4, 8, 0>;
using Ordered = Tile<32, 32, 16, 4, 4, 8, 4, 2, 4, 1, 1>;
using Pairs = Tile<64, 32, 16, 8, 4, 4, 3, 1, 2, 8, 0>;
using Scalar = Tile<32, 64, 16, 4, 8, 8, 4, 1, 1, 8, 0>;

class SgemmOnHost : public testing::TestWithParam<Sizes> {};

TEST_P(SgemmOnHost, FloatsByFour) { Square::check_all_grids(GetParam()); }
TEST_P(SgemmOnHost, InOrder) { Ordered::check_all_grids(GetParam()); }
TEST_P(SgemmOnHost, FloatsByTwo) { Pairs::check_all_grids(GetParam()); }
TEST_P(SgemmOnHost, SingleFloats) { Scalar::check_all_grids(GetParam()); }

// Whole tiles, moved tiles, matrices smaller than a tile, pitches for each vector, no K at all.
INSTANTIATE_TEST_SUITE_P(Sizes, SgemmOnHost,
                         testing::Values(Sizes{64, 64, 64}, Sizes{1, 1, 1}, Sizes{1, 40, 33},
                                         Sizes{33, 68, 17}, Sizes{65, 66, 50}, Sizes{37, 41, 35},
                                         Sizes{32, 32, 0}, Sizes{64, 31, 1}, Sizes{70, 96, 129}),
                         [](const auto& test) {
                           const Sizes& s = test.param;
                           return std::to_string(s.M) + "x" + std::to_string(s.N) + "x" +
                                  std::to_string(s.K);
                         });

TEST(SgemmOnHost, WithoutAlphaAAndBAreNotRead) {
  const Sizes s{33, 36, 20};
  const std::vector<float> nan(area(64, 64), std::numeric_limits<float>::quiet_NaN());
  std::vector<float> c(area(s.M, s.N), 3.0f);
  std::vector<int> arrivals(4, 0);
  Square::run(s, 4, 0.0f, nan, nan, 2.0f, c, arrivals);
  EXPECT_EQ(c, std::vector<float>(c.size(), 6.0f));
}

TEST(SgemmOnHost, InOrderTheBitsAreTheSameEveryTime) {
  const Sizes s{40, 36, 200};
  const auto a = random_floats(area(s.M, s.K), 1);
  const auto b = random_floats(area(s.K, s.N), 2);
  std::vector<int> arrivals(4, 0);
  std::vector<float> first(area(s.M, s.N));
  Ordered::run(s, 7, 1.0f, a, b, 0.0f, first, arrivals);
  for (int i = 0; i < 5; ++i) {
    std::vector<float> again(first.size());
    Ordered::run(s, 7, 1.0f, a, b, 0.0f, again, arrivals);
    EXPECT_EQ(again, first);
  }
}

}  // namespace
}  // namespace gtune::host
