// Floats as sums of two TF32 numbers, for sgemm_tf32x3.cu.
#pragma once

namespace tf32x3 {

constexpr int DEPTH = 32;         // of a slice
constexpr int STEPS = DEPTH / 8;  // wgmma takes eight k at a time

/// x = high + low, high rounded to TF32. The tensor cores ignore the lowest bits of `low`, of
/// which only one can matter.
__device__ inline void split(float x, float& high, float& low) {
  high = __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
  low = x - high;
}

/// B' for one 64 x BM product, split, as wgmma takes it.
struct Fragments {
  unsigned high[STEPS][4];
  unsigned low[STEPS][4];

  /// `x`, `x_k4`: B at this lane's k and four further on, in its two columns.
  __device__ void set(int step, float2 x, float2 x_k4) {
    const float floats[4] = {x.x, x.y, x_k4.x, x_k4.y};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float h, l;
      tf32x3::split(floats[i], h, l);
      high[step][i] = __float_as_uint(h);
      low[step][i] = __float_as_uint(l);
    }
  }
};

}  // namespace tf32x3
