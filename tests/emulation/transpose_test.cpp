// The transpose kernel on the CPU, thread by thread: every index it computes.
#include "host_cuda.hpp"
// After the stand-ins for CUDA, and outside the namespace below.
#include <gtest/gtest.h>

#include <string>

#include "transpose.cu"

namespace gtune::host {
namespace {

/// Bytes that differ from their neighbours, from an address aligned to `alignment` and no more.
class ByteMatrix {
 public:
  ByteMatrix(std::size_t bytes, std::size_t alignment)
      : m_bytes(bytes + alignment), m_first(alignment) {
    for (std::size_t i = 0; i < m_bytes.size(); ++i) {
      m_bytes[i] = static_cast<unsigned char>(i * 167 + i / 256 * 29);
    }
  }
  [[nodiscard]] unsigned char* data() { return m_bytes.data() + m_first; }

 private:
  std::vector<unsigned char> m_bytes;
  std::size_t m_first;
};

struct Shape {
  int rows, cols, batch = 1;
};

struct Launch {
  int blocks = 0;              // 0: one per tile
  std::size_t alignment = 16;  // of the pointers, in bytes
};

constexpr int aligned = transposition::ALIGNED, realigned = transposition::REALIGNED;

/// Elements of ELEMENT bytes, each block after the other.
template <int ELEMENT, int KIND, int EXACT, int TILE_ROWS, int TILE_COLS, int THREADS, int WIDTH,
          int STAGES, int SQUARES = 1, int STRIPS = 1, int BAND = 0>
void check(Shape shape, Launch launch = {}) {
  const int rows = shape.rows, cols = shape.cols, batch = shape.batch;
  using Mover = typename transposition::MoverOf<ELEMENT, KIND, EXACT != 0, TILE_ROWS, TILE_COLS,
                                                THREADS, WIDTH, SQUARES != 0,
                                                transposition::Order<STRIPS, BAND>>::Type;
  SCOPED_TRACE(testing::Message() << batch << " of " << rows << "x" << cols << " elements of "
                                  << ELEMENT << " bytes, kind " << KIND << ", words of " << WIDTH
                                  << ", " << STAGES << " stages, strips " << STRIPS);
  const auto bytes = static_cast<std::size_t>(batch) * static_cast<std::size_t>(rows) *
                     static_cast<std::size_t>(cols) * ELEMENT;
  ByteMatrix in(bytes, launch.alignment), out(bytes, launch.alignment);
  const int tiles = typename Mover::Problem{rows, cols, batch, in.data(), out.data()}.tiles();
  const int grid = launch.blocks == 0 ? tiles : launch.blocks;
  for (int b = 0; b < grid; ++b) {
    launch_some(b, b + 1, grid, THREADS, STAGES * Mover::STAGE_BYTES + Mover::TURNED_BYTES, [&] {
      transpose<ELEMENT, KIND, EXACT, TILE_ROWS, TILE_COLS, THREADS, WIDTH, STAGES, SQUARES, STRIPS,
                BAND>(rows, cols, batch, in.data(), out.data());
    });
  }
  for (int r = 0; r < rows * batch; ++r) {
    for (int c = 0; c < cols; ++c) {
      const std::ptrdiff_t matrix = static_cast<std::ptrdiff_t>(r / rows) * rows * cols;
      const auto* from = in.data() + (static_cast<std::ptrdiff_t>(r) * cols + c) * ELEMENT;
      const auto* to =
          out.data() + (matrix + static_cast<std::ptrdiff_t>(c) * rows + r % rows) * ELEMENT;
      ASSERT_TRUE(std::equal(from, from + ELEMENT, to)) << "row " << r << ", column " << c;
    }
  }
}

/// Rows that begin with a word of each width that the element fits into, or anywhere; in small
/// tiles.
template <int ELEMENT>
void check_element(Shape shape) {
  if constexpr (ELEMENT <= 4) check<ELEMENT, aligned, 0, 32, 32, 64, 4, 1>(shape);
  if constexpr (ELEMENT <= 8) {
    check<ELEMENT, aligned, 0, 16, 32, ELEMENT <= 2 ? 8 : 32, 8, 2>(shape, {2});
  }
  check<ELEMENT, aligned, 0, 16, 16, 16, 16, 3, 0>(shape, {1});
  check<ELEMENT, realigned, 0, 32, 32, 32, 4, 1>(shape);
  check<ELEMENT, realigned, 0, ELEMENT == 1 ? 32 : 16, 64, 64, 4, 2>(shape, {2});
}

class TransposeOnHost : public testing::TestWithParam<Shape> {};

TEST_P(TransposeOnHost, IsRightForEveryElement) {
  check_element<1>(GetParam());
  check_element<2>(GetParam());
  check_element<4>(GetParam());
  check_element<8>(GetParam());
  check_element<16>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Shapes, TransposeOnHost,
                         testing::Values(Shape{1, 1}, Shape{1, 70}, Shape{70, 1}, Shape{33, 37},
                                         Shape{64, 64}, Shape{36, 68}, Shape{31, 64}, Shape{64, 34},
                                         Shape{65, 33}, Shape{48, 80}, Shape{33, 35, 3}),
                         [](const auto& test) {
                           return std::to_string(test.param.rows) + "x" +
                                  std::to_string(test.param.cols) +
                                  (test.param.batch > 1 ? "Batch" : "");
                         });

TEST(TransposeOnHostWhole, TilesThatNeedNoEdgesAreRight) {
  check<1, aligned, 1, 32, 32, 4, 16, 2>({64, 96}, {2});
  check<2, aligned, 1, 32, 16, 16, 8, 1>({64, 48});
  check<4, aligned, 1, 32, 32, 32, 16, 3>({96, 64}, {2});
  check<8, aligned, 1, 16, 32, 32, 16, 1>({32, 64, 2});
  check<16, aligned, 1, 16, 16, 64, 16, 1>({16, 32});
  check<4, aligned, 1, 32, 32, 32, 16, 1>({33, 30});  // not meant for this, but right
}

/// All of a few columns, or rows, in a tile.
template <int ELEMENT, int FEW>
void check_thin(int many, Launch launch = {}) {
  constexpr int columns = transposition::FEW_COLUMNS, rows = transposition::FEW_ROWS;
  check<ELEMENT, columns, 0, 64, FEW, 32, 4, 1>({many, FEW}, launch);
  check<ELEMENT, rows, 0, FEW, 64, 32, 4, 1>({FEW, many}, launch);
  check<ELEMENT, columns, 0, 32, FEW, 32, 4, 2>({many, FEW, 2}, {2, launch.alignment});
  check<ELEMENT, rows, 0, FEW, 32, 32, 4, 2>({FEW, many, 2}, {2, launch.alignment});
}

TEST(TransposeOnHostThin, MatricesOfAFewRowsOrColumnsAreRight) {
  check_thin<1, 3>(201);
  check_thin<1, 4>(128);
  check_thin<2, 31>(67);
  check_thin<4, 1>(97);
  check_thin<4, 3>(200);
  check_thin<8, 6>(130);
  check_thin<16, 2>(65);
  // Made for another number of columns or rows, but right.
  check<4, transposition::FEW_COLUMNS, 0, 32, 4, 32, 4, 1>({70, 5});
  check<4, transposition::FEW_ROWS, 0, 4, 32, 32, 4, 1>({5, 70});
}

TEST(TransposeOnHostOrder, CoversEveryTile) {
  check<4, aligned, 1, 32, 32, 32, 16, 1, 1, 2>({96, 128});
  check<4, aligned, 0, 32, 32, 32, 4, 1, 0, 4>({33, 350});  // 22 tiles
  check<8, aligned, 0, 16, 16, 16, 16, 1, 0, 4>({30, 16});  // fewer tiles than strips
  check<2, realigned, 0, 32, 32, 32, 4, 1, 0, 4>({33, 350, 2});
  check<4, aligned, 1, 16, 16, 16, 16, 1, 1, 1, 2>({80, 48, 2});  // the last band is one tile high
  check<8, realigned, 0, 16, 16, 32, 4, 1, 0, 1, 8>({150, 35});
}

TEST(TransposeOnHostPointers, MayBeAlignedToAnElementAlone) {
  check<1, aligned, 0, 32, 32, 64, 4, 1>({64, 64}, {0, 1});
  check<4, aligned, 1, 32, 32, 32, 16, 1>({64, 64}, {0, 4});
  check<1, realigned, 0, 32, 32, 32, 4, 1>({65, 67}, {0, 1});
  check<2, realigned, 0, 32, 32, 32, 4, 1>({40, 36}, {0, 2});
  check<4, realigned, 0, 32, 32, 32, 4, 1>({64, 64}, {0, 4});
  check<8, realigned, 0, 16, 16, 32, 4, 1>({33, 32}, {0, 8});
  check_thin<1, 5>(150, {0, 1});
  check_thin<2, 3>(150, {0, 2});
}

}  // namespace
}  // namespace gtune::host
