// The sum of an array. Every thread adds up its share of the elements; how should the threads'
// sums become one?
//
// The elements are integers, whose sum is exact in any order. A sum of floats would depend on the
// order in which atomics arrive.
//
//   METHOD  ATOMICS: each thread adds its sum to the result.
//           SPINLOCK: a block adds up its threads' sums, then its first thread takes a lock.
//           SHUFFLES: the same, with an atomic addition in place of the lock.
//           TWO_PASSES: each block stores its sum, and sum_parts adds those up.
//           COOPERATIVE: the same in one launch, whose blocks wait for each other
//   WORD    what a thread loads at once: unsigned or uint4
//   UNROLL  loads of a thread that may be under way at once
//   BLOCK   threads per block

#include <cooperative_groups.h>

enum Method { ATOMICS, SPINLOCK, SHUFFLES, TWO_PASSES, COOPERATIVE };

__device__ inline unsigned sum_of_word(unsigned word) { return word; }
__device__ inline unsigned sum_of_word(uint4 word) { return word.x + word.y + word.z + word.w; }

/// The sum of the elements that are the calling thread's.
template <typename WORD, int UNROLL>
__device__ inline unsigned sum_of_thread(const unsigned* x, long long n) {
  constexpr int WIDTH = sizeof(WORD) / sizeof(unsigned);
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  unsigned sum = 0;
#pragma unroll UNROLL
  for (long long i = thread; i < n / WIDTH; i += threads) {
    sum += sum_of_word(reinterpret_cast<const WORD*>(x)[i]);
  }
  // The elements after the last whole word.
  for (long long i = n / WIDTH * WIDTH + thread; i < n; i += threads) sum += x[i];
  return sum;
}

__device__ inline unsigned sum_of_warp(unsigned value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  return value;
}

/// The sum over a block, in its first thread.
template <int BLOCK>
__device__ inline unsigned sum_of_block(unsigned value) {
  __shared__ unsigned part[BLOCK / 32];
  value = sum_of_warp(value);
  __syncthreads();  // an earlier sum has been read
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  return sum_of_warp(threadIdx.x < BLOCK / 32 ? part[threadIdx.x] : 0);
}

/// Stores the sum of all blocks' sums. Called by one block.
template <int BLOCK>
__device__ inline void add_up(const unsigned* parts, unsigned* result, int count) {
  unsigned sum = 0;
  for (int i = threadIdx.x; i < count; i += BLOCK) sum += parts[i];
  sum = sum_of_block<BLOCK>(sum);
  if (threadIdx.x == 0) *result = sum;
}

__device__ inline void add_under_lock(unsigned* result, unsigned value, unsigned* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();  // what the last owner wrote is seen from here on
  *static_cast<volatile unsigned*>(result) += value;
  __threadfence();  // and the next owner sees this
  atomicExch(lock, 0);
}

template <Method METHOD, typename WORD, int UNROLL, int BLOCK>
__global__ void __launch_bounds__(BLOCK)
    reduction(const unsigned* x, unsigned* result, unsigned* parts, unsigned* lock, long long n) {
  const unsigned of_thread = sum_of_thread<WORD, UNROLL>(x, n);
  if constexpr (METHOD == ATOMICS) {
    atomicAdd(result, of_thread);
  } else {
    const unsigned of_block = sum_of_block<BLOCK>(of_thread);
    if (threadIdx.x == 0) {
      if constexpr (METHOD == SPINLOCK) add_under_lock(result, of_block, lock);
      if constexpr (METHOD == SHUFFLES) atomicAdd(result, of_block);
      if constexpr (METHOD == TWO_PASSES || METHOD == COOPERATIVE) parts[blockIdx.x] = of_block;
    }
  }
  if constexpr (METHOD == COOPERATIVE) {
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0) add_up<BLOCK>(parts, result, gridDim.x);
  }
}

/// The second pass: one block.
template <int BLOCK>
__global__ void sum_parts(const unsigned* parts, unsigned* result, int count) {
  add_up<BLOCK>(parts, result, count);
}

// The obvious kernel: every element is an atomic addition. For integers, the compiler makes one
// addition per warp of them.
extern "C" __global__ void reduction_naive(const unsigned* x, unsigned* result, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(result, x[i]);
}

/// One block of 1024 threads and a tree in shared memory.
extern "C" __global__ void reduction_reference(const unsigned* x, unsigned* result, long long n) {
  __shared__ unsigned part[1024];
  unsigned sum = 0;
  for (long long i = threadIdx.x; i < n; i += 1024) sum += x[i];
  part[threadIdx.x] = sum;
  for (int half = 512; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *result = part[0];
}
