// How threads share a tile in the direct and shallow kernels of sgemm.cu. The launch says it, not
// the template, so that one compiled kernel serves tiles of every form.
#pragma once

namespace fp32 {

/// 2^exponent, by which numbers that are not negative are divided with a shift.
struct PowerOfTwo {
  int exponent;

  __device__ int value() const { return 1 << exponent; }
  __device__ int times(int x) const { return x << exponent; }
  __device__ int quotient(int x) const { return x >> exponent; }
  __device__ int remainder(int x) const { return x & (value() - 1); }
  /// ceil(extent / value()), for extent > 0.
  __device__ unsigned parts(int extent) const {
    return (static_cast<unsigned>(extent - 1) >> exponent) + 1;
  }

  __device__ friend PowerOfTwo operator*(PowerOfTwo a, PowerOfTwo b) {
    return {a.exponent + b.exponent};
  }
  /// 1 where b is the larger.
  __device__ friend PowerOfTwo operator/(PowerOfTwo a, PowerOfTwo b) {
    return {max(a.exponent - b.exponent, 0)};
  }
};

/// The number itself, for one that the compiler knows.
template <int VALUE>
__device__ constexpr PowerOfTwo power_of_two() {
  static_assert(VALUE > 0 && (VALUE & (VALUE - 1)) == 0, "a power of two");
  int exponent = 0;
  while ((1 << exponent) < VALUE) ++exponent;
  return {exponent};
}

struct TileLayout {
  PowerOfTwo rows;  // of the tile
  PowerOfTwo columns;
  // With STAGES = 0:
  PowerOfTwo lane_rows;  // rows of lanes in a warp
  PowerOfTwo k_lanes;    // neighbours that share outputs and take turns along k: 1, 4, 8 or 32
  PowerOfTwo k_warps;    // warps that do so
  PowerOfTwo steps;      // of k that a thread reads at once, at most most_steps()
};

/// Of k, with STAGES = 0: their operands and the outputs are to find room in registers.
template <int TM, int TN>
__device__ constexpr int most_steps() {
  int steps = 16;
  while (steps > 1 && steps * (TM + TN) + TM * TN > 80) steps /= 2;
  return steps;
}

}  // namespace fp32
