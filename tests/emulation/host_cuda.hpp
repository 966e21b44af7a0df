// The part of CUDA C++ that gtune's kernels use, for the CPU. Each CUDA thread is a fiber, so
// AddressSanitizer sees every access and ThreadSanitizer every race. Slow: meant for a few small
// blocks.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "host_fibers.hpp"

#define __global__
#define __device__
// Shared by all blocks: blocks of a kernel that declares it run one after the other.
#define __shared__ static
#define __restrict__
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)

using std::max;
using std::min;

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

namespace gtune::host {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

/// Lets the other threads go on before this one does.
inline void yield();

/// Waits until all threads have arrived. One that returns from the kernel no longer takes part.
class Barrier {
 public:
  explicit Barrier(int threads) : m_threads(threads) {}

  void arrive_and_wait() {
    const int phase = m_phase.load();
    m_arrived.fetch_add(1);
    end_phase_if_complete();
    while (m_phase.load() == phase) yield();
  }
  void arrive_and_drop() {
    m_threads.fetch_sub(1);
    end_phase_if_complete();
  }

 private:
  /// No other thread runs in between.
  void end_phase_if_complete() {
    if (m_arrived.load() < m_threads.load()) return;
    m_arrived.store(0);
    m_phase.fetch_add(1);
  }

  // Atomic so that ThreadSanitizer knows what is ordered.
  std::atomic<int> m_threads;
  std::atomic<int> m_arrived = 0;
  std::atomic<int> m_phase = 0;
};

/// What the threads of a block share. Each block gets new memory of exactly the requested size, so
/// an access past its end is noticed.
struct Block {
  Block(int threads, std::size_t shared_bytes)
      : barrier(threads),
        shuffled(static_cast<std::size_t>(threads)),
        shared(shared_bytes, not_written) {
    for (int first = 0; first < threads; first += 32) {
      warps.push_back(std::make_unique<Barrier>(min(32, threads - first)));
    }
  }

  Barrier barrier;
  std::vector<std::unique_ptr<Barrier>> warps;
  std::vector<float> shuffled;  // what each thread offers the others of its warp
  static constexpr unsigned char not_written = 0xff;  // floats are NaN
  std::vector<unsigned char> shared;
};

/// A CUDA thread.
struct Thread {
  Index thread, block, grid_size, block_size;
  Block* state = nullptr;

  [[nodiscard]] Barrier& warp() const { return *state->warps[thread.x / 32]; }
};

inline std::atomic<Thread*> running = nullptr;  // atomic as nothing orders its reads by threads
inline Thread& here() { return *running.load(std::memory_order_relaxed); }

inline void yield() {
  Thread& self = here();
  Fiber::yield();
  running.store(&self, std::memory_order_relaxed);
}

/// Yields at one in 32 accesses to memory, so that threads do not only meet at barriers.
inline void yield_at_times() {
  constexpr std::uint32_t one_in = 32;
  static std::atomic<std::uint32_t> random = 1;
  const std::uint32_t next = random.load(std::memory_order_relaxed) * 1664525 + 1013904223;
  random.store(next, std::memory_order_relaxed);
  if (next >> 16U < 65536 / one_in) yield();
}

/// Runs `kernel()` in each of blocks x threads threads, blocks [first, last) of them.
inline void launch_some(int first, int last, int blocks, int threads, std::size_t shared_bytes,
                        const std::function<void()>& kernel) {
  std::vector<std::unique_ptr<Block>> state;
  std::vector<std::function<void()>> work;
  for (int b = first; b < last; ++b) {
    state.push_back(std::make_unique<Block>(threads, shared_bytes));
    for (int t = 0; t < threads; ++t) {
      work.emplace_back([&kernel, b, t, blocks, threads, block = state.back().get()] {
        Thread self = {{static_cast<unsigned>(t)},
                       {static_cast<unsigned>(b)},
                       {static_cast<unsigned>(blocks)},
                       {static_cast<unsigned>(threads)},
                       block};
        running.store(&self, std::memory_order_relaxed);
        kernel();
        self.warp().arrive_and_drop();
        block->barrier.arrive_and_drop();
      });
    }
  }
  run_in_turns(std::move(work));
}

/// All blocks at the same time, as they may run on a GPU.
inline void launch(int blocks, int threads, std::size_t shared_bytes,
                   const std::function<void()>& kernel) {
  launch_some(0, blocks, blocks, threads, shared_bytes, kernel);
}

/// One block after the other, for kernels with static shared memory.
inline void launch_in_turn(int blocks, int threads, const std::function<void()>& kernel) {
  for (int b = 0; b < blocks; ++b) launch_some(b, b + 1, blocks, threads, 0, kernel);
}

}  // namespace gtune::host

#define threadIdx gtune::host::here().thread
#define blockIdx gtune::host::here().block
#define gridDim gtune::host::here().grid_size
#define blockDim gtune::host::here().block_size

inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline void __syncthreads() { gtune::host::here().state->barrier.arrive_and_wait(); }
/// Loads and stores with a hint for the caches.
template <class Type>
Type __ldcs(const Type* from) {
  return *from;
}
template <class Type>
Type __ldcg(const Type* from) {
  return *from;
}
template <class Type>
Type __ldg(const Type* from) {
  return *from;
}
template <class Type>
void __stcs(Type* to, Type value) {
  *to = value;
}
template <class Type>
void __stcg(Type* to, Type value) {
  *to = value;
}

inline void __syncwarp() { gtune::host::here().warp().arrive_and_wait(); }
/// All lanes of the warp take part.
inline float __shfl_xor_sync(unsigned, float value, int lanes) {
  std::vector<float>& shuffled = gtune::host::here().state->shuffled;
  const unsigned thread = threadIdx.x;
  shuffled[thread] = value;
  __syncwarp();
  const float other = shuffled[thread ^ static_cast<unsigned>(lanes)];
  __syncwarp();
  return other;
}
