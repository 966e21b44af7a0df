// What blocks of sgemm.cu that share a tile leave for each other in global memory.
#pragma once

#include "ptx.cuh"

namespace fp32 {

/// A counter per tile of the blocks that are done with their part of it. One thread of a block.
struct Arrivals {
  int* counters;

  /// Whether all `others` have come before: the counter is then ready for the next launch.
  __device__ bool is_last(unsigned tile, unsigned others) const {
    if (ptx::counter_add(&counters[tile], 1) != static_cast<int>(others)) return false;
    ptx::counter_set(&counters[tile], 0);
    return true;
  }
  __device__ void arrive(unsigned tile) const { ptx::counter_add(&counters[tile], 1); }
  __device__ void wait_for_first(unsigned tile) const {
    while (ptx::counter_read(&counters[tile]) < 1) {
    }
  }
  /// What lies behind the counters, from the next multiple of 16 bytes on.
  __device__ float* behind(unsigned tiles) const {
    return reinterpret_cast<float*>(counters + (tiles + 3) / 4 * 4);
  }
};

/// What blocks have of the tiles that they share. The first and the last tile of a block may be
/// such ones: it has a slot for each. A thread's outputs lie so that its warp's are side by side.
template <int THREADS, int TM, int TN>
struct Partials {
  float* slots;

  __device__ float4* at(unsigned slot, int i, int j) const {
    return reinterpret_cast<float4*>(slots + slot * (static_cast<long long>(THREADS) * TM * TN)) +
           (i * (TN / 4) + j / 4) * THREADS + threadIdx.x;
  }
  __device__ void write(unsigned slot, const float (&c)[TM][TN]) const {
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int j = 0; j < TN; j += 4) {
        *at(slot, i, j) = {c[i][j], c[i][j + 1], c[i][j + 2], c[i][j + 3]};
      }
    }
  }
  /// Past L1, which knows nothing of what other blocks write.
  __device__ void add(unsigned slot, float (&c)[TM][TN]) const {
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int j = 0; j < TN; j += 4) {
        const float4 v = __ldcg(at(slot, i, j));
        c[i][j] += v.x, c[i][j + 1] += v.y, c[i][j + 2] += v.z, c[i][j + 3] += v.w;
      }
    }
  }
};

}  // namespace fp32
