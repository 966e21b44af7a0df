#include <gtest/gtest.h>

#include <cstring>

#include "measure/argument_bytes.hpp"
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

TEST(KernelArguments, AStructLiesAsTheCompilerLaysItOut) {
  struct Line {
    char sign;
    double slope;
    const std::byte* x;
    alignas(16) float offset;
    std::int16_t last;
  };
  const StructPlan plan{"line",
                        {{ElementType::i8, -1, 0, "", 0},
                         {ElementType::f64, 0, 2.5, "", 0},
                         {ElementType::i32, 0, 0, "x", 0},
                         {ElementType::f32, 0, 4, "", 16},
                         {ElementType::i16, 7, 0, "", 0}},
                        false};
  const auto* const address = reinterpret_cast<const std::byte*>(0x1234);
  const std::vector<std::byte> bytes =
      struct_bytes(plan, [&](const std::string& name) { return name == "x" ? address : nullptr; });
  Line line{};
  ASSERT_EQ(bytes.size(), sizeof line);
  std::memcpy(&line, bytes.data(), sizeof line);
  EXPECT_EQ(line.sign, -1);
  EXPECT_EQ(line.slope, 2.5);
  EXPECT_EQ(line.x, address);
  EXPECT_EQ(line.offset, 4);
  EXPECT_EQ(line.last, 7);
}

TEST(KernelArguments, HalvesAreRounded) {
  const auto bits = [](ElementType type, double value) {
    const std::vector<std::byte> bytes = number_bytes(type, 0, value);
    std::uint16_t read = 0;
    EXPECT_EQ(bytes.size(), sizeof read);
    std::memcpy(&read, bytes.data(), sizeof read);
    return read;
  };
  EXPECT_EQ(bits(ElementType::f16, 0.5), 0x3800);
  EXPECT_EQ(bits(ElementType::f16, 1 + 3 * 0x1p-11), 0x3c02);  // ties to even
  EXPECT_EQ(bits(ElementType::bf16, -2), 0xc000);
}

TEST(TensorMaps, WithoutSizesTheyAreZeros) {
  const TensorMap map =
      encode_tensor_map({"m", "A", 0, {}, {}, {}, Swizzle::b128}, ElementType::f32, nullptr);
  for (const std::byte each : map.opaque) EXPECT_EQ(each, std::byte{0});
}

}  // namespace
}  // namespace gtune
