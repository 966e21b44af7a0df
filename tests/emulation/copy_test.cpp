// The copy kernel on the CPU, thread by thread: every index it computes.
#include "host_cuda.hpp"
// After the stand-ins for CUDA, and outside the namespace below.
#include <gtest/gtest.h>

#include "bulk_copy.cuh"
#include "memory.cuh"

namespace copy_source {
#include "copy.cu"
}

namespace gtune::host {
namespace {

/// Bytes by which the addresses lie past an aligned one.
struct Offsets {
  int in = 0, out = 0;
};

std::vector<unsigned char> bytes_of(int count, unsigned factor) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(i * factor + i / 256 * 29);
  }
  return bytes;
}

template <int MODE, int STRIDE, int SHIFTED, int WIDTH, int UNROLL, int BLOCK, int BLOCKS_PER_SM,
          int BULK = 0, int EXACT = 0>
void check(int bytes, Offsets offsets) {
  SCOPED_TRACE(testing::Message() << "mode " << MODE << ", " << bytes << " bytes from +"
                                  << offsets.in << " to +" << offsets.out << ", width " << WIDTH
                                  << ", stride " << STRIDE << ", bulk " << BULK);
  const bool sums = MODE == copy_source::copying::READ;
  auto in = bytes_of(MODE == copy_source::copying::WRITE ? 0 : bytes + offsets.in, 167);
  auto out = bytes_of(bytes + offsets.out, 31);
  if (sums) out.assign(static_cast<std::size_t>((bytes / 65536 + 1) * 4), 0);
  auto expected = out;
  copy_source::copying::handle_bytes<MODE>(in.data() + offsets.in,
                                           expected.data() + (sums ? 0 : offsets.out), 0, bytes, 1);
  const int per_block = BULK != 0 ? UNROLL * BULK : WIDTH * UNROLL * BLOCK;
  const int blocks = BLOCKS_PER_SM != 0 ? BLOCKS_PER_SM : (bytes + per_block - 1) / per_block;
  for (int b = 0; b < blocks; ++b) {
    launch_some(b, b + 1, blocks, BLOCK, UNROLL * (BULK + 8), [&] {
      copy_source::copy<MODE, STRIDE, SHIFTED, WIDTH, UNROLL, BLOCK, BLOCKS_PER_SM, 0, BULK, EXACT>(
          bytes, offsets.in, offsets.out, in.data(), out.data());
    });
  }
  ASSERT_EQ(out, expected);
}

class CopyOnHost : public testing::TestWithParam<int> {};

TEST_P(CopyOnHost, CopiesReadsAndWrites) {
  const int bytes = GetParam();
  check<0, 1, 0, 1, 4, 32, 0>(bytes, {});
  check<0, 1, 0, 4, 2, 64, 0>(bytes, {});
  check<0, 8, 0, 16, 2, 32, 0>(bytes, {});
  check<0, 1, 0, 16, 1, 32, 2>(bytes, {});
  check<0, 32, 0, 8, 4, 32, 1>(bytes, {});
  check<1, 1, 0, 1, 4, 64, 0>(bytes, {3, 0});
  check<1, 1, 0, 2, 2, 32, 2>(bytes, {6, 0});
  check<1, 4, 0, 16, 2, 64, 0>(bytes, {});
  check<1, 1, 0, 16, 2, 32, 0>(bytes, {5, 0});  // not meant for this, but right
  check<2, 1, 0, 16, 2, 32, 0>(bytes, {0, 9});
  check<2, 2, 0, 4, 2, 32, 1>(bytes, {});
}

TEST_P(CopyOnHost, CopiesBetweenAnyAlignments) {
  const int bytes = GetParam();
  for (const Offsets& offsets : {Offsets{0, 1}, {1, 0}, {4, 12}, {15, 2}, {8, 8}, {7, 14}}) {
    check<0, 1, 1, 16, 2, 32, 0>(bytes, offsets);
    check<0, 1, 1, 8, 1, 64, 1>(bytes, offsets);
    check<0, 1, 1, 4, 4, 32, 0>(bytes, offsets);
    check<0, 2, 1, 2, 2, 32, 0>(bytes, offsets);
    check<0, 1, 0, 16, 1, 32, 0>(bytes, offsets);
  }
}

TEST_P(CopyOnHost, CopiesInBulk) {
  const int bytes = GetParam();
  check<0, 1, 0, 16, 1, 32, 0, 512>(bytes, {});
  check<0, 1, 0, 16, 4, 32, 2, 256>(bytes, {});
  check<0, 1, 0, 16, 3, 32, 1, 256>(bytes, {5, 5});
  check<0, 1, 0, 16, 2, 32, 1, 256>(bytes, {5, 4});
}

INSTANTIATE_TEST_SUITE_P(Bytes, CopyOnHost,
                         testing::Values(1, 15, 16, 17, 31, 47, 1023, 1024, 1025, 4099),
                         testing::PrintToStringParamName());

TEST(CopyOnHostExact, ChecksNothingWhereBlocksDivideTheBytes) {
  for (const int blocks : {1, 2, 3, 7}) {
    check<0, 1, 0, 16, 2, 32, 0, 0, 1>(blocks * 1024, {});
    check<0, 1, 0, 8, 4, 32, 3, 0, 1>(blocks * 1024, {8, 16});
    check<0, 1, 1, 4, 4, 64, 0, 0, 1>(blocks * 1024, {4, 8});
    check<0, 1, 0, 16, 4, 32, 2, 256, 1>(blocks * 1024, {});
    check<1, 1, 0, 16, 2, 32, 0, 0, 1>(blocks * 1024, {});
    check<2, 4, 0, 4, 4, 64, 2, 0, 1>(blocks * 1024, {});
  }
}

TEST(CopyOnHostSums, EachOfItsOwnPart) { check<1, 1, 0, 16, 2, 256, 1>(2 * 65536 + 4097, {}); }

}  // namespace
}  // namespace gtune::host
