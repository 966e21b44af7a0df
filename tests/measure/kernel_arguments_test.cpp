#include <gtest/gtest.h>

#include <cstring>

#include "measure/problem_buffers.hpp"

namespace gtune {
namespace {

TEST(KernelArguments, EachIsPointedToWhereItsTypeMayLie) {
  KernelArguments arguments;
  TensorMap map;
  std::memset(map.opaque, 0x5a, sizeof map.opaque);
  arguments.add_scalar({"n", ElementType::i32, -7, 0});
  arguments.add_map(map);
  arguments.add_scalar({"x", ElementType::f64, 0, 0.5});
  arguments.add_map(map);
  void** const values = arguments.data();
  std::int32_t n = 0;
  std::memcpy(&n, values[0], sizeof n);
  EXPECT_EQ(n, -7);
  double x = 0;
  std::memcpy(&x, values[2], sizeof x);
  EXPECT_EQ(x, 0.5);
  for (const int i : {1, 3}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values[i]) % 64, 0U);
    EXPECT_EQ(std::memcmp(values[i], &map, sizeof map), 0);
  }
}

TEST(TensorMaps, WithoutSizesTheyAreZeros) {
  const TensorMap map =
      encode_tensor_map({"m", "A", 0, {}, {}, {}, Swizzle::b128}, ElementType::f32, nullptr);
  for (const std::byte each : map.opaque) EXPECT_EQ(each, std::byte{0});
}

}  // namespace
}  // namespace gtune
