// The part of CUDA C++ that gtune's kernels use, for the CPU. Each CUDA thread is a host thread, so
// AddressSanitizer sees every access and ThreadSanitizer every race. Slow: meant for a few small
// blocks.
#pragma once

#include <algorithm>
#include <barrier>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

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

/// What the threads of a block share. Each block gets new memory of exactly the requested size, so
/// an access past its end is noticed.
struct Block {
  Block(int threads, std::size_t shared_bytes)
      : barrier(threads), shuffled(static_cast<std::size_t>(threads)), shared(shared_bytes) {
    for (int first = 0; first < threads; first += 32) {
      warps.push_back(std::make_unique<std::barrier<>>(min(32, threads - first)));
    }
  }
  [[nodiscard]] std::barrier<>& warp(unsigned thread) { return *warps[thread / 32]; }

  std::barrier<> barrier;
  std::vector<std::unique_ptr<std::barrier<>>> warps;
  std::vector<float> shuffled;  // what each thread offers the others of its warp
  std::vector<unsigned char> shared;
};

inline thread_local Index thread_index, block_index, grid_size, block_size;
inline thread_local Block* block = nullptr;

/// Runs `kernel()` in each of blocks x threads host threads, blocks [first, last) of them.
inline void launch_some(int first, int last, int blocks, int threads, std::size_t shared_bytes,
                        const std::function<void()>& kernel) {
  std::vector<std::unique_ptr<Block>> state;
  std::vector<std::thread> running;
  for (int b = first; b < last; ++b) {
    state.push_back(std::make_unique<Block>(threads, shared_bytes));
  }
  for (int b = first; b < last; ++b) {
    for (int t = 0; t < threads; ++t) {
      running.emplace_back([&, b, t] {
        thread_index.x = static_cast<unsigned>(t);
        block_index.x = static_cast<unsigned>(b);
        grid_size.x = static_cast<unsigned>(blocks);
        block_size.x = static_cast<unsigned>(threads);
        block = state[static_cast<std::size_t>(b - first)].get();
        kernel();
        // A thread that has returned no longer takes part in barriers.
        block->warp(thread_index.x).arrive_and_drop();
        block->barrier.arrive_and_drop();
      });
    }
  }
  for (std::thread& each : running) each.join();
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

#define threadIdx gtune::host::thread_index
#define blockIdx gtune::host::block_index
#define gridDim gtune::host::grid_size
#define blockDim gtune::host::block_size

inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline void __syncthreads() { gtune::host::block->barrier.arrive_and_wait(); }
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

inline void __syncwarp() {
  gtune::host::block->warp(gtune::host::thread_index.x).arrive_and_wait();
}
/// All lanes of the warp take part.
inline float __shfl_xor_sync(unsigned, float value, int lanes) {
  std::vector<float>& shuffled = gtune::host::block->shuffled;
  const unsigned thread = gtune::host::thread_index.x;
  shuffled[thread] = value;
  __syncwarp();
  const float other = shuffled[thread ^ static_cast<unsigned>(lanes)];
  __syncwarp();
  return other;
}
