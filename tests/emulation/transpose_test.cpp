// The transpose kernel on the CPU, thread by thread: every index it computes.
#include "host_cuda.hpp"
// After what stands in for CUDA.
#include <gtest/gtest.h>

#include <numeric>

namespace transpose_source {
#include "transpose.cu"
}

namespace gtune::host {
namespace {

template <int TILE_R, int TILE_C, int THREADS, int VEC, int PAD, int ORDER>
void check(int rows, int cols) {
  SCOPED_TRACE(testing::Message() << rows << "x" << cols << ", vectors of " << VEC << ", order "
                                  << ORDER);
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  std::vector<float> in(count);
  std::iota(in.begin(), in.end(), 1.0f);
  std::vector<float> out(count, -1.0f);
  const int blocks = ((rows - 1) / TILE_R + 1) * ((cols - 1) / TILE_C + 1);
  launch_in_turn(blocks, THREADS, [&] {
    transpose_source::transpose<TILE_R, TILE_C, THREADS, VEC, PAD, ORDER, 1>(rows, cols, in.data(),
                                                                             out.data());
  });
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const auto from = static_cast<std::size_t>(r) * static_cast<std::size_t>(cols) +
                        static_cast<std::size_t>(c);
      const auto to = static_cast<std::size_t>(c) * static_cast<std::size_t>(rows) +
                      static_cast<std::size_t>(r);
      ASSERT_EQ(out[to], in[from]) << "row " << r << ", column " << c;
    }
  }
}

TEST(TransposeOnHost, IsRightAtEverySize) {
  for (const auto& [rows, cols] : {std::pair{1, 1},
                                   {1, 70},
                                   {70, 1},
                                   {33, 37},
                                   {64, 64},
                                   {36, 68},
                                   {31, 64},
                                   {64, 34},
                                   {65, 33}}) {
    check<16, 16, 64, 1, 1, 0>(rows, cols);
    check<32, 32, 64, 4, 1, 1>(rows, cols);
    check<32, 16, 128, 2, 0, 2>(rows, cols);
  }
}

}  // namespace
}  // namespace gtune::host
