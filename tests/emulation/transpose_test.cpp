// The transpose kernel on the CPU, thread by thread: every index it computes.
#include "host_cuda.hpp"
// After the stand-ins for CUDA, and outside the namespace below.
#include <gtest/gtest.h>

#include <string>

#include "transpose_tiles.cuh"

namespace transpose_source {
#include "transpose.cu"
}

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
  int rows, cols;
};

/// Elements of ELEMENT bytes, `blocks` blocks (0: one per tile), pointers aligned to `alignment`.
template <int ELEMENT, int RAGGED, int TILE_R, int TILE_C, int THREADS, int WIDTH, int STAGES,
          int SQUARES = 1, int STRIPS = 1>
void check(Shape shape, int blocks = 0, std::size_t alignment = 16) {
  const auto [rows, cols] = shape;
  SCOPED_TRACE(testing::Message() << rows << "x" << cols << " elements of " << ELEMENT
                                  << " bytes, words of " << WIDTH << ", " << STAGES
                                  << " stages, strips " << STRIPS << ", ragged " << RAGGED);
  const auto bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols) * ELEMENT;
  ByteMatrix in(bytes, alignment), out(bytes, alignment);
  const int tiles = ((rows - 1) / TILE_R + 1) * ((cols - 1) / TILE_C + 1);
  const int grid = blocks == 0 ? tiles : blocks;
  for (int b = 0; b < grid; ++b) {
    launch_some(b, b + 1, grid, THREADS, STAGES * TILE_R * (TILE_C * ELEMENT + WIDTH), [&] {
      transpose_source::transpose<ELEMENT, RAGGED, TILE_R, TILE_C, THREADS, WIDTH, STAGES, SQUARES,
                                  STRIPS>(rows, cols, in.data(), out.data());
    });
  }
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const auto* from = in.data() + (static_cast<std::ptrdiff_t>(r) * cols + c) * ELEMENT;
      const auto* to = out.data() + (static_cast<std::ptrdiff_t>(c) * rows + r) * ELEMENT;
      ASSERT_TRUE(std::equal(from, from + ELEMENT, to)) << "row " << r << ", column " << c;
    }
  }
}

/// A word of each width that the element fits into, in small tiles.
template <int ELEMENT>
void check_element(Shape shape) {
  if constexpr (ELEMENT <= 4) check<ELEMENT, 1, 32, 32, 64, 4, 1>(shape);
  if constexpr (ELEMENT <= 8) check<ELEMENT, 1, 16, 32, ELEMENT <= 2 ? 8 : 32, 8, 2>(shape, 2);
  check<ELEMENT, 2, 32, 16, 32, 16, 1, 0>(shape);
  check<ELEMENT, 1, 16, 16, 16, 16, 3, 0>(shape, 1);
  check<ELEMENT, 2, 16, 64, 64, 16, 2, 0>(shape, 2);
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
                                         Shape{65, 33}, Shape{48, 80}),
                         [](const auto& test) {
                           return std::to_string(test.param.rows) + "x" +
                                  std::to_string(test.param.cols);
                         });

TEST(TransposeOnHostWhole, TilesThatNeedNoEdgesAreRight) {
  check<1, 0, 32, 32, 4, 16, 2>({64, 96}, 2);
  check<2, 0, 32, 16, 16, 8, 1>({64, 48});
  check<4, 0, 32, 32, 32, 16, 3>({96, 64}, 2);
  check<8, 0, 16, 32, 32, 16, 1>({32, 64});
  check<16, 0, 16, 16, 64, 16, 1>({16, 32});
  check<4, 0, 32, 32, 32, 16, 1>({33, 30});  // not meant for this, but right
}

TEST(TransposeOnHostStrips, CoverEveryTile) {
  check<4, 0, 32, 32, 32, 16, 1, 1, 2>({96, 128});
  check<4, 1, 32, 32, 32, 16, 1, 1, 4>({33, 350});  // 22 tiles
  check<8, 1, 16, 16, 16, 16, 1, 0, 4>({30, 16});   // fewer tiles than strips
}

TEST(TransposeOnHostPointers, MayBeAlignedToAnElementAlone) {
  check<1, 1, 32, 32, 64, 4, 1>({64, 64}, 0, 1);
  check<2, 1, 32, 32, 16, 16, 1>({40, 36}, 0, 2);
  check<4, 1, 32, 32, 32, 16, 1>({64, 64}, 0, 4);
  check<8, 1, 16, 16, 16, 16, 1>({33, 32}, 0, 8);
  check<4, 0, 32, 32, 32, 16, 1>({64, 64}, 0, 4);
}

}  // namespace
}  // namespace gtune::host
