// kernels/memory.cuh on the CPU: the same functions with the same order of memory accesses.
#pragma once

#include <atomic>
#include <cstdint>

#include "host_cuda.hpp"

namespace memory {

inline Bytes* dynamic_shared() { return gtune::host::here().state->shared.data(); }

template <int POLICY, class Type>
Type load(const Type* from) {
  gtune::host::yield_at_times();
  return *from;
}
template <int POLICY, class Type>
void store(Type* to, Type word) {
  gtune::host::yield_at_times();
  *to = word;
}

/// Copies one word of this width, so UBSan notices misaligned addresses.
template <int WIDTH>
void copy_async(Bytes* to, const Bytes* from) {
  gtune::host::yield_at_times();
  *reinterpret_cast<Word<WIDTH>*>(to) = *reinterpret_cast<const Word<WIDTH>*>(from);
}
inline void close_group() {}
template <int PENDING>
void wait_groups() {}

inline unsigned funnel_shift(unsigned low, unsigned high, int bits) {
  const std::uint64_t both = std::uint64_t{high} << 32 | low;
  return static_cast<unsigned>(both >> bits);
}

inline unsigned pick_bytes(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t both = std::uint64_t{y} << 32 | x;
  unsigned picked = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned byte = selector >> 4 * i & 7;
    picked |= static_cast<unsigned>(both >> 8 * byte & 0xff) << 8 * i;
  }
  return picked;
}

inline unsigned warp_xor(unsigned value) {
  static std::atomic<unsigned> sums[32];  // one per warp; one block runs at a time
  const unsigned thread = threadIdx.x;
  std::atomic<unsigned>& sum = sums[thread / 32];
  sum.fetch_xor(value);
  __syncwarp();
  const unsigned all = sum.load();
  __syncwarp();
  sum.fetch_xor(value);  // back to zero
  __syncwarp();
  return all;
}

inline void combine_xor(unsigned* to, unsigned value) {
  std::atomic_ref<unsigned>(*to).fetch_xor(value, std::memory_order_relaxed);
}

}  // namespace memory
