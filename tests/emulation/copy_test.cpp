// The copy kernel on the CPU, thread by thread: every index it computes.
#include "host_cuda.hpp"
// After what stands in for CUDA.
#include <gtest/gtest.h>

#include <numeric>

namespace copy_source {
#include "copy.cu"
}

namespace gtune::host {
namespace {

/// Copies `bytes` bytes, `in` and `out` starting so many bytes behind an aligned address.
template <int WIDTH, int UNROLL, int BLOCK, int BLOCKS_PER_SM, int CACHE>
void check(int bytes, int in_offset, int out_offset) {
  SCOPED_TRACE(testing::Message() << bytes << " bytes from +" << in_offset << " to +" << out_offset
                                  << ", width " << WIDTH);
  const auto end = static_cast<std::size_t>(bytes);
  std::vector<unsigned char> in(end + static_cast<std::size_t>(in_offset));
  std::iota(in.begin(), in.end(), static_cast<unsigned char>(1));
  std::vector<unsigned char> out(end + static_cast<std::size_t>(out_offset), 0);
  const int per_block = WIDTH * UNROLL * BLOCK;
  const int blocks = BLOCKS_PER_SM != 0 ? BLOCKS_PER_SM : (bytes + per_block - 1) / per_block;
  launch(blocks, BLOCK, 0, [&] {
    copy_source::copy<WIDTH, UNROLL, BLOCK, BLOCKS_PER_SM, CACHE>(bytes, in.data() + in_offset,
                                                                  out.data() + out_offset);
  });
  for (std::size_t i = 0; i < end; ++i) {
    ASSERT_EQ(out[i + static_cast<std::size_t>(out_offset)],
              in[i + static_cast<std::size_t>(in_offset)])
        << "byte " << i;
  }
}

TEST(CopyOnHost, IsRightAtEverySizeAndAlignment) {
  for (const int bytes : {1, 15, 16, 1023, 1024, 1025, 4099}) {
    check<1, 4, 32, 0, 0>(bytes, 0, 0);
    check<4, 2, 64, 0, 1>(bytes, 0, 0);
    check<16, 2, 32, 0, 2>(bytes, 0, 0);
    check<16, 1, 32, 2, 0>(bytes, 0, 0);
    check<8, 4, 32, 1, 1>(bytes, 0, 0);
    check<16, 2, 32, 0, 0>(bytes, 1, 3);
  }
}

}  // namespace
}  // namespace gtune::host
