// The SGEMM kernel on the CPU, thread by thread: every index it computes, every barrier it needs.
#include "host_cuda.hpp"
// After the stand-ins for CUDA.
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <ostream>
#include <random>
#include <string>

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

/// A matrix with `pad` floats after each stored row; the kernel may neither use nor change them.
struct Matrix {
  int rows, cols, pitch;
  bool transposed;
  std::vector<float> stored;

  Matrix(int rows_, int cols_, int pad, bool transposed_, unsigned seed)
      : rows(rows_),
        cols(cols_),
        pitch((transposed_ ? rows_ : cols_) + pad),
        transposed(transposed_),
        stored(area(transposed_ ? cols_ : rows_, pitch), unused) {
    const auto values = random_floats(area(rows, cols), seed);
    for (int row = 0; row < rows; ++row) {
      for (int col = 0; col < cols; ++col) {
        at(row, col) = values[area(row, cols) + static_cast<std::size_t>(col)];
      }
    }
  }

  static constexpr float unused = std::numeric_limits<float>::infinity();

  float& at(int row, int col) {
    return transposed ? stored[area(col, pitch) + static_cast<std::size_t>(row)]
                      : stored[area(row, pitch) + static_cast<std::size_t>(col)];
  }
};

/// What all configurations of the kernel's template share, for any problem and grid. `Kernel` runs
/// it with tiles of BM x BN and slices that are DEPTH deep.
template <class Kernel, int BM, int BN, int DEPTH, int TRANS_A, int TRANS_B, int ORDERED>
struct Product {
  static int tiles(Sizes s) { return ((s.M - 1) / BM + 1) * ((s.N - 1) / BN + 1); }
  static int slices(Sizes s) { return s.K == 0 ? 1 : (s.K - 1) / DEPTH + 1; }

  /// Counters, followed by the blocks' partial results for tiles that they share.
  static std::vector<int> workspace(Sizes s, int blocks) {
    const int counters = ORDERED ? (tiles(s) + 3) / 4 * 4 : tiles(s);
    std::vector<int> ints(
        static_cast<std::size_t>(counters + (ORDERED ? 2 * blocks * BM * BN : 0)));
    std::fill(ints.begin() + counters, ints.end(), -1);  // NaN
    return ints;
  }

  /// Runs the kernel and compares with sums in double.
  static void check(Sizes s, int pad, int blocks, float alpha, float beta) {
    Matrix a(s.M, s.K, pad, TRANS_A, 1);
    Matrix b(s.K, s.N, pad, TRANS_B, 2);
    Matrix c(s.M, s.N, pad, false, 3);
    const Matrix before = c;
    if (beta == 0) {  // as in BLAS: the old contents of C do not matter
      for (int row = 0; row < s.M; ++row) {
        for (int col = 0; col < s.N; ++col) {
          c.at(row, col) = std::numeric_limits<float>::quiet_NaN();
        }
      }
    }
    std::vector<int> arrivals = workspace(s, blocks);
    Kernel::run(s, blocks, alpha, a, b, beta, c, arrivals);
    Matrix expected = before;
    for (int row = 0; row < s.M; ++row) {
      for (int col = 0; col < s.N; ++col) {
        double sum = 0;
        for (int k = 0; k < s.K; ++k) sum += double{a.at(row, k)} * double{b.at(k, col)};
        ASSERT_NEAR(c.at(row, col), alpha * sum + beta * double{expected.at(row, col)}, 1e-4)
            << "row " << row << ", column " << col;
        c.at(row, col) = expected.at(row, col);
      }
    }
    EXPECT_EQ(c.stored, before.stored);  // nothing beside the matrix
    // Ready for the next launch.
    EXPECT_TRUE(std::all_of(arrivals.begin(), arrivals.begin() + tiles(s),
                            [](int count) { return count == 0; }));
  }

  /// One block per tile, split-K, and grids that divide nothing evenly.
  static void check_all_grids(Sizes s, int pad = 0) {
    const int most = tiles(s) * slices(s);
    for (const int blocks :
         {tiles(s), min(2 * tiles(s), most), min(3 * tiles(s), most), min(3, most), min(5, most)}) {
      SCOPED_TRACE(testing::Message()
                   << s.M << "x" << s.N << "x" << s.K << " on " << blocks << " blocks");
      check(s, pad, blocks, 1.0f, 0.0f);
      check(s, pad, blocks, -0.5f, 2.0f);
    }
  }
};

/// Slices in shared memory.
template <int BM, int BN, int BK, int TM, int TN, int LANE_ROWS, int STAGES, int TRANS_A,
          int TRANS_B, int A_VEC, int B_VEC, int EXACT, int ORDERED>
struct Tile : Product<Tile<BM, BN, BK, TM, TN, LANE_ROWS, STAGES, TRANS_A, TRANS_B, A_VEC, B_VEC,
                           EXACT, ORDERED>,
                      BM, BN, BK, TRANS_A, TRANS_B, ORDERED> {
  static void run(Sizes s, int blocks, float alpha, const Matrix& a, const Matrix& b, float beta,
                  Matrix& c, std::vector<int>& arrivals) {
    constexpr int a_floats = !TRANS_A && A_VEC > 1 ? BM * (BK + 4) : BK * (BM + (TRANS_A ? 0 : 4));
    constexpr int b_floats = BK * (BN + (TRANS_B ? 4 : 0));
    constexpr std::size_t shared = STAGES * ((a_floats + b_floats) * 4 + 16);
    launch(blocks, (BM / TM) * (BN / TN), shared, [&] {
      sgemm<BM, BN, BK, TM, TN, LANE_ROWS, STAGES, 1, TRANS_A, TRANS_B, A_VEC, B_VEC, EXACT,
            ORDERED>(s.M, s.N, s.K, alpha, a.stored.data(), a.pitch, b.stored.data(), b.pitch, beta,
                     c.stored.data(), c.pitch, arrivals.data(), {});
    });
  }
};

/// Operands are read where they are.
template <int BM, int BN, int TM, int TN, int LANE_ROWS, int K_LANES, int K_WARPS, int UNROLL,
          int TRANS_A, int TRANS_B, int A_VEC, int B_VEC>
struct Direct : Product<Direct<BM, BN, TM, TN, LANE_ROWS, K_LANES, K_WARPS, UNROLL, TRANS_A,
                               TRANS_B, A_VEC, B_VEC>,
                        BM, BN, K_LANES * K_WARPS * UNROLL, TRANS_A, TRANS_B, 1> {
  static void run(Sizes s, int blocks, float alpha, const Matrix& a, const Matrix& b, float beta,
                  Matrix& c, std::vector<int>& arrivals) {
    const std::size_t shared =
        K_WARPS == 1 && blocks == Direct::tiles(s) ? 0 : K_WARPS * BM * BN * 4;
    const fp32::TileLayout layout{fp32::power_of_two<BM>(),        fp32::power_of_two<BN>(),
                                  fp32::power_of_two<LANE_ROWS>(), fp32::power_of_two<K_LANES>(),
                                  fp32::power_of_two<K_WARPS>(),   fp32::power_of_two<UNROLL>()};
    launch(blocks, (BM / TM) * (BN / TN) * K_LANES * K_WARPS, shared, [&] {
      sgemm<0, 0, 4, TM, TN, 0, 0, 1, TRANS_A, TRANS_B, A_VEC, B_VEC, 0, 0>(
          s.M, s.N, s.K, alpha, a.stored.data(), a.pitch, b.stored.data(), b.pitch, beta,
          c.stored.data(), c.pitch, arrivals.data(), layout);
    });
  }
};

/// A thread keeps columns of B.
template <int BM, int BN, int BK, int TM, int TN, int TRANS_A, int TRANS_B>
struct Shallow
    : Product<Shallow<BM, BN, BK, TM, TN, TRANS_A, TRANS_B>, BM, BN, BK, TRANS_A, TRANS_B, 0> {
  static void run(Sizes s, int blocks, float alpha, const Matrix& a, const Matrix& b, float beta,
                  Matrix& c, std::vector<int>& arrivals) {
    const fp32::TileLayout layout{
        fp32::power_of_two<BM>(), fp32::power_of_two<BN>(), {}, {}, {}, {}};
    launch(blocks, BN / TN, (BK + 4) * (BM + (TRANS_B ? BN : 0)) * 4, [&] {
      sgemm<0, 0, BK, TM, TN, 0, 1, 1, TRANS_A, TRANS_B, 1, 1, 0, 0>(
          s.M, s.N, s.K, alpha, a.stored.data(), a.pitch, b.stored.data(), b.pitch, beta,
          c.stored.data(), c.pitch, arrivals.data(), layout);
    });
  }
};

using Square = Tile<32, 32, 16, 4, 4, 4, 3, 0, 0, 1, 4, 0, 0>;
using Ordered = Tile<32, 32, 16, 4, 4, 8, 4, 0, 0, 1, 4, 0, 1>;
using Pairs = Tile<64, 32, 16, 8, 4, 4, 3, 0, 0, 1, 2, 0, 0>;
using Scalar = Tile<32, 64, 16, 4, 8, 8, 4, 0, 0, 1, 1, 0, 0>;
using BothTransposed = Tile<32, 64, 16, 4, 8, 4, 3, 1, 1, 4, 1, 0, 0>;
using ATransposed = Tile<32, 32, 16, 4, 4, 8, 3, 1, 0, 2, 1, 0, 1>;
using BTransposed = Tile<32, 32, 16, 4, 4, 4, 4, 0, 1, 1, 1, 0, 0>;
using KeptByFour = Tile<32, 32, 16, 4, 4, 4, 3, 0, 0, 4, 4, 0, 0>;
using KeptByTwo = Tile<64, 32, 32, 8, 4, 8, 3, 0, 1, 2, 1, 0, 1>;
// Tiles of three quarters of a power of two: some lanes copy nothing.
using WideByFour = Tile<32, 48, 16, 4, 12, 8, 3, 0, 0, 1, 4, 0, 0>;
using WideSingle = Tile<128, 48, 16, 8, 12, 8, 3, 0, 0, 1, 1, 0, 1>;
using WideTransposed = Tile<32, 96, 16, 4, 12, 4, 3, 0, 1, 1, 1, 0, 0>;
using WideExact = Tile<32, 48, 16, 4, 12, 8, 4, 0, 0, 1, 4, 1, 0>;
using Tall = Tile<48, 32, 16, 12, 4, 4, 3, 0, 0, 1, 2, 0, 0>;
using TallTransposed = Tile<48, 64, 16, 12, 8, 4, 3, 1, 0, 4, 4, 0, 0>;
using TallKept = Tile<48, 32, 16, 12, 4, 4, 3, 0, 0, 4, 4, 0, 1>;
using Thin = Tile<16, 64, 16, 4, 4, 4, 3, 0, 0, 1, 4, 0, 0>;
using Narrow = Tile<64, 16, 16, 4, 4, 8, 3, 0, 0, 1, 2, 0, 0>;
template <int TRANS_A, int TRANS_B>
using FourRows = Tile<4, 256, 16, 4, 4, 1, 3, TRANS_A, TRANS_B, 1, TRANS_B ? 1 : 4, 0, 0>;
using EightRows = Tile<8, 128, 32, 4, 4, 2, 3, 0, 0, 1, 2, 0, 1>;
template <int TRANS_A, int TRANS_B>
using FourColumns = Tile<256, 4, 16, 4, 4, 32, 3, TRANS_A, TRANS_B, TRANS_A ? 4 : 1, 1, 0, 0>;
using EightColumns = Tile<128, 8, 32, 4, 4, 16, 3, 0, 1, 1, 1, 0, 0>;
template <int TRANS_A, int TRANS_B>
using Exact =
    Tile<32, 64, 16, 4, 8, 4, 3, TRANS_A, TRANS_B, TRANS_A ? 4 : 1, TRANS_B ? 1 : 4, 1, 0>;

using ExactKept = Tile<32, 64, 16, 4, 8, 4, 3, 0, 0, 4, 4, 1, 0>;

class SgemmOnHost : public testing::TestWithParam<Sizes> {};

TEST_P(SgemmOnHost, FloatsByFour) { Square::check_all_grids(GetParam()); }
TEST_P(SgemmOnHost, InOrder) { Ordered::check_all_grids(GetParam()); }
TEST_P(SgemmOnHost, FloatsByTwo) { Pairs::check_all_grids(GetParam()); }
TEST_P(SgemmOnHost, SingleFloats) { Scalar::check_all_grids(GetParam()); }
TEST_P(SgemmOnHost, BothTransposed) { BothTransposed::check_all_grids(GetParam()); }
TEST_P(SgemmOnHost, ATransposed) { ATransposed::check_all_grids(GetParam(), 1); }
TEST_P(SgemmOnHost, BTransposed) { BTransposed::check_all_grids(GetParam(), 3); }
TEST_P(SgemmOnHost, RowsKeptByFour) {
  KeptByFour::check_all_grids(GetParam());
  KeptByFour::check_all_grids(GetParam(), 3);
}
TEST_P(SgemmOnHost, RowsKeptByTwo) { KeptByTwo::check_all_grids(GetParam(), 1); }
TEST_P(SgemmOnHost, TilesOfThreeQuarters) {
  WideByFour::check_all_grids(GetParam());
  WideSingle::check_all_grids(GetParam(), 1);
  WideTransposed::check_all_grids(GetParam());
  Tall::check_all_grids(GetParam());
  TallTransposed::check_all_grids(GetParam());
  TallKept::check_all_grids(GetParam(), 3);
}
TEST_P(SgemmOnHost, ThinTiles) { Thin::check_all_grids(GetParam(), 4); }
TEST_P(SgemmOnHost, NarrowTiles) { Narrow::check_all_grids(GetParam()); }

// Only the pitches are multiples of the vector: tiles moved inwards may begin anywhere.
TEST(SgemmOnHost, MovedTilesOfPitchedMatrices) {
  Square::check_all_grids({37, 41, 35}, 3);
  BothTransposed::check_all_grids({37, 70, 35}, 3);
}

// At full width where the pitch and the width of the matrix allow it, else float by float.
TEST(SgemmOnHost, TilesWiderOrTallerThanTheMatrix) {
  for (const Sizes s :
       {Sizes{20, 24, 40}, Sizes{40, 24, 36}, Sizes{20, 44, 35}, Sizes{3, 4, 100}}) {
    Square::check_all_grids(s);
    Pairs::check_all_grids(s);
    Scalar::check_all_grids(s);
    KeptByFour::check_all_grids(s);
    KeptByTwo::check_all_grids(s);
    ATransposed::check_all_grids(s);
    BothTransposed::check_all_grids(s);
  }
  for (const Sizes s :
       {Sizes{20, 24, 40}, Sizes{40, 36, 35}, Sizes{44, 44, 36}, Sizes{30, 46, 35}}) {
    WideByFour::check_all_grids(s);
    WideSingle::check_all_grids(s);
    TallTransposed::check_all_grids(s);
    TallKept::check_all_grids(s);
  }
  Square::check_all_grids({20, 22, 40}, 2);
  KeptByFour::check_all_grids({20, 21, 38}, 3);
  BothTransposed::check_all_grids({22, 24, 40}, 2);
}

// A matrix times a few vectors: warps as thin as the tile.
TEST(SgemmOnHost, FewRows) {
  for (const Sizes s : {Sizes{1, 257, 33}, Sizes{4, 256, 48}, Sizes{7, 40, 50}}) {
    FourRows<0, 0>::check_all_grids(s);
    FourRows<0, 1>::check_all_grids(s, 1);
    FourRows<1, 0>::check_all_grids(s, 4);
    EightRows::check_all_grids(s, 2);
  }
}

TEST(SgemmOnHost, FewColumns) {
  for (const Sizes s : {Sizes{257, 1, 33}, Sizes{256, 4, 48}, Sizes{40, 7, 50}}) {
    FourColumns<0, 0>::check_all_grids(s);
    FourColumns<0, 1>::check_all_grids(s, 1);
    FourColumns<1, 0>::check_all_grids(s, 4);
    EightColumns::check_all_grids(s, 2);
  }
}

// Lanes and warps that take turns along k, and blocks that share a tile.
TEST(SgemmOnHost, DirectDots) {
  for (const Sizes s : {Sizes{9, 3, 141}, Sizes{1, 1, 1}}) {
    Direct<8, 2, 4, 2, 1, 32, 1, 2, 0, 0, 1, 1>::check_all_grids(s);
    Direct<8, 2, 4, 2, 1, 32, 1, 2, 0, 1, 2, 2>::check_all_grids(s, 1);
    Direct<4, 4, 2, 1, 2, 4, 2, 4, 0, 1, 4, 2>::check_all_grids(s, 3);
    Direct<2, 4, 1, 1, 1, 8, 4, 2, 1, 0, 1, 1>::check_all_grids(s, 2);
    Direct<2, 1, 1, 1, 1, 32, 2, 8, 0, 1, 4, 4>::check_all_grids(s);
  }
}

// Neighbouring lanes have neighbouring columns, or rows.
TEST(SgemmOnHost, DirectStreams) {
  for (const Sizes s : {Sizes{9, 70, 5}, Sizes{3, 33, 1}}) {
    Direct<8, 64, 4, 2, 1, 1, 1, 4, 0, 0, 4, 1>::check_all_grids(s);
    Direct<4, 32, 2, 1, 1, 1, 4, 2, 0, 0, 2, 1>::check_all_grids(s, 1);
    Direct<32, 8, 4, 2, 8, 1, 1, 1, 1, 1, 1, 1>::check_all_grids(s, 4);
    Direct<32, 4, 1, 1, 32, 1, 1, 4, 1, 1, 1, 4>::check_all_grids(s, 1);
  }
}

TEST(SgemmOnHost, ShallowProducts) {
  for (const Sizes s : {Sizes{9, 70, 5}, Sizes{17, 129, 8}, Sizes{3, 33, 1}, Sizes{10, 40, 19}}) {
    Shallow<8, 64, 8, 2, 1, 0, 0>::check_all_grids(s);
    Shallow<4, 64, 8, 1, 2, 0, 1>::check_all_grids(s, 1);
    Shallow<8, 128, 16, 4, 4, 1, 0>::check_all_grids(s, 2);
    Shallow<16, 32, 24, 2, 1, 1, 1>::check_all_grids(s, 3);
  }
}

// Vectors along k need rows that are aligned: where the matrix is not, single floats are read.
TEST(SgemmOnHost, DirectReadsUnalignedMatricesByFloat) {
  Direct<4, 4, 2, 1, 2, 4, 2, 4, 0, 1, 4, 4>::check_all_grids({7, 9, 64}, 0);
  Direct<4, 4, 2, 1, 2, 4, 2, 4, 0, 1, 4, 4>::check_all_grids({7, 9, 64}, 1);
  Direct<4, 4, 2, 1, 2, 4, 2, 4, 0, 1, 4, 4>::check_all_grids({7, 9, 64}, 2);
}

TEST(SgemmOnHost, DirectBitsAreTheSameEveryTime) {
  using Shared = Direct<4, 4, 2, 1, 2, 4, 2, 2, 0, 0, 1, 1>;
  const Sizes s{9, 6, 200};
  const Matrix a(s.M, s.K, 0, false, 1);
  const Matrix b(s.K, s.N, 0, false, 2);
  std::vector<int> arrivals = Shared::workspace(s, 7);
  Matrix first(s.M, s.N, 0, false, 3);
  Shared::run(s, 7, 1.0f, a, b, 0.0f, first, arrivals);
  for (int i = 0; i < 5; ++i) {
    Matrix again(s.M, s.N, 0, false, 4);
    Shared::run(s, 7, 1.0f, a, b, 0.0f, again, arrivals);
    EXPECT_EQ(again.stored, first.stored);
  }
}

// Several blocks share the slices of a tile in four stages, and its rows go out through the ring:
// bench/sanitizer.sh runs the same configuration on a GPU.
TEST(SgemmOnHost, SharedTilesGoOutThroughTheRing) {
  const Sizes s{70, 130, 133};
  Tile<64, 128, 16, 4, 8, 8, 4, 1, 1, 2, 1, 0, 0>::check(s, 2, 7, 1.0f, 0.0f);
  Tile<64, 128, 16, 4, 8, 8, 4, 0, 0, 1, 2, 0, 1>::check(s, 2, 7, 1.0f, 0.0f);
}

TEST(SgemmOnHost, WholeTilesAreNotChecked) {
  const Sizes s{64, 128, 96};
  Exact<0, 0>::check_all_grids(s);
  Exact<0, 1>::check_all_grids(s, 4);
  Exact<1, 0>::check_all_grids(s, 4);
  Exact<1, 1>::check_all_grids(s);
  ExactKept::check_all_grids(s);
  WideExact::check_all_grids({64, 96, 64});
}

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
  Matrix nan(64, 64, 0, false, 1);
  nan.stored.assign(nan.stored.size(), std::numeric_limits<float>::quiet_NaN());
  Matrix c(s.M, s.N, 0, false, 2);
  c.stored.assign(c.stored.size(), 3.0f);
  std::vector<int> arrivals(4, 0);
  Square::run(s, 4, 0.0f, nan, nan, 2.0f, c, arrivals);
  EXPECT_EQ(c.stored, std::vector<float>(c.stored.size(), 6.0f));
}

TEST(SgemmOnHost, InOrderTheBitsAreTheSameEveryTime) {
  const Sizes s{40, 36, 200};
  const Matrix a(s.M, s.K, 0, false, 1);
  const Matrix b(s.K, s.N, 0, false, 2);
  std::vector<int> arrivals = Ordered::workspace(s, 7);
  Matrix first(s.M, s.N, 0, false, 3);
  Ordered::run(s, 7, 1.0f, a, b, 0.0f, first, arrivals);
  for (int i = 0; i < 5; ++i) {
    Matrix again(s.M, s.N, 0, false, 4);
    Ordered::run(s, 7, 1.0f, a, b, 0.0f, again, arrivals);
    EXPECT_EQ(again.stored, first.stored);
  }
}

}  // namespace
}  // namespace gtune::host
