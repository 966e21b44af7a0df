// Accuracy of a product of floats from three products of their TF32 parts, on the CPU.
#include "host_cuda.hpp"
// After the stand-ins for CUDA.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace tf32x3_source {
#include "tf32x3_split.cuh"
}

namespace gtune::host {
namespace {

using tf32x3_source::tf32x3::split;

/// The bits of a float that the tensor cores use.
float tf32(float x) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xffffe000u); }

struct Parts {
  explicit Parts(float x) { split(x, high, low); }
  float high = 0;
  float low = 0;
};

double three_products(float x, float y) {
  const Parts a(x), b(y);
  const auto product = [](float left, float right) {
    return static_cast<double>(tf32(left)) * static_cast<double>(tf32(right));
  };
  return product(a.low, b.high) + product(a.high, b.low) + product(a.high, b.high);
}

class SplitOnHost : public testing::Test {
 protected:
  /// A float of either sign, with magnitude 2^-60 to 2^61.
  float any() {
    const float sign = m_random() % 2 == 0 ? 1.0f : -1.0f;
    return sign * std::ldexp(m_mantissa(m_random), m_exponent(m_random));
  }

 private:
  std::mt19937 m_random{1};
  std::uniform_real_distribution<float> m_mantissa{1.0f, 2.0f};
  std::uniform_int_distribution<int> m_exponent{-60, 60};
};

TEST_F(SplitOnHost, PartsAreTheFloat) {
  for (int i = 0; i < 100000; ++i) {
    const float x = any();
    const Parts parts(x);
    EXPECT_EQ(tf32(parts.high), parts.high) << x;
    EXPECT_EQ(static_cast<double>(parts.high) + static_cast<double>(parts.low), x);
    EXPECT_LE(std::abs(parts.low), std::ldexp(1.0f, std::ilogb(x) - 11)) << x;
    // The tensor cores lose at most the last of its bits.
    EXPECT_LE(std::abs(parts.low - tf32(parts.low)), std::ldexp(1.0f, std::ilogb(x) - 23)) << x;
  }
}

// Lost are the last bit of either low part (2^-23 each) and the product of the low parts (2^-22).
TEST_F(SplitOnHost, ThreeProductsLoseLittle) {
  double squares = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const float x = any();
    const float y = any();
    const double exact = static_cast<double>(x) * static_cast<double>(y);
    const double error = (three_products(x, y) - exact) / exact;
    EXPECT_LE(std::abs(error), 0x1p-21) << x << " * " << y;
    squares += error * error;
  }
  EXPECT_LE(std::sqrt(squares / count), 1.2 * 0x1p-24);
}

TEST_F(SplitOnHost, WholeNumbersOfElevenBitsAreExact) {
  for (int x = -2048; x <= 2048; x += 7) {
    EXPECT_EQ(three_products(static_cast<float>(x), 2047.0f), 2047.0 * x);
  }
}

// The kernel finds such sums by it and computes them again.
TEST_F(SplitOnHost, WhatIsNotFiniteIsSoInThePartsTogether) {
  std::vector<float> values = {std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::max(), -0x1.fffp127f};
  for (const std::uint32_t nan :
       {0x7fc00000u, 0x7fffffffu, 0xffc12345u, 0xffffffffu, 0x7f800001u}) {
    values.push_back(std::bit_cast<float>(nan));
  }
  for (const float value : values) {
    EXPECT_FALSE(std::isfinite(three_products(value, 0.75f))) << value;
  }
}

}  // namespace
}  // namespace gtune::host
