// kernels/ptx.cuh on the CPU: the same functions with the same order of memory accesses.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "host_cuda.hpp"

namespace ptx {

using Shared = unsigned char*;

inline Shared dynamic_shared() { return gtune::host::here().state->shared.data(); }

/// A device faults if an address is not a multiple of the size of what is accessed.
inline void check_aligned(const void* address, int bytes) {
  if (reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(bytes) != 0) {
    std::abort();
  }
}

inline float4 load_shared(Shared from) {
  check_aligned(from, sizeof(float4));
  gtune::host::yield_at_times();
  float4 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

inline float load_shared_one(Shared from) {
  gtune::host::yield_at_times();
  float v = 0;
  std::memcpy(&v, from, sizeof v);
  return v;
}

inline void store_shared(Shared to, float4 v) {
  check_aligned(to, sizeof v);
  gtune::host::yield_at_times();
  std::memcpy(to, &v, sizeof v);
}
inline void store_shared_one(Shared to, float v) {
  gtune::host::yield_at_times();
  std::memcpy(to, &v, sizeof v);
}

template <int WIDTH>
void copy_async(Shared to, const float* from) {
  gtune::host::yield_at_times();
  check_aligned(from, 4 * WIDTH);
  check_aligned(to, 4 * WIDTH);
  std::memcpy(to, from, 4 * WIDTH);
}

template <int WIDTH>
void copy_async_if(bool valid, Shared to, const float* from) {
  if (valid) return copy_async<WIDTH>(to, from);
  std::memset(to, 0, 4 * WIDTH);
}

inline void wait_for_copies() {}

/// The eight bytes of an mbarrier: arrivals per phase, arrivals still missing, and the phase.
struct Barrier {
  std::uint16_t count;
  std::uint16_t missing;
  std::uint32_t phase;
};

inline std::atomic_ref<std::uint64_t> word_of(Shared barrier) {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(barrier));
}
inline Barrier unpacked(std::uint64_t word) { return std::bit_cast<Barrier>(word); }

inline void barrier_init(Shared barrier, int count) {
  const auto all = static_cast<std::uint16_t>(count);
  word_of(barrier).store(std::bit_cast<std::uint64_t>(Barrier{all, all, 0}));
}

inline void barrier_arrive(Shared barrier) {
  std::uint64_t before = word_of(barrier).load();
  for (;;) {
    Barrier now = unpacked(before);
    if (--now.missing == 0) {
      now.missing = now.count;
      ++now.phase;
    }
    if (word_of(barrier).compare_exchange_weak(before, std::bit_cast<std::uint64_t>(now))) return;
  }
}

inline void barrier_arrive_after_copies(Shared barrier) { barrier_arrive(barrier); }

inline void barrier_wait(Shared barrier, unsigned parity) {
  // A phase of this parity has ended if the current phase has the other parity.
  while (unpacked(word_of(barrier).load()).phase % 2 == parity) gtune::host::yield();
}

inline void store(float* to, float4 value) {
  check_aligned(to, sizeof value);
  std::memcpy(to, &value, sizeof value);
}

inline void add_one(float* to, float value) {
  std::atomic_ref<float>(*to).fetch_add(value, std::memory_order_relaxed);
}
inline void add(float* to, float4 value) {
  check_aligned(to, sizeof value);
  add_one(to, value.x);
  add_one(to + 1, value.y);
  add_one(to + 2, value.z);
  add_one(to + 3, value.w);
}

inline int counter_read(const int* counter) {
  gtune::host::yield();
  return std::atomic_ref<int>(*const_cast<int*>(counter)).load(std::memory_order_acquire);
}
inline void counter_set(int* counter, int value) {
  std::atomic_ref<int>(*counter).store(value, std::memory_order_release);
}
inline int counter_add(int* counter, int value) {
  return std::atomic_ref<int>(*counter).fetch_add(value, std::memory_order_acq_rel);
}

}  // namespace ptx
