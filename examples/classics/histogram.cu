// How often does each value of a byte occur? All threads want to add to the same 256 counters: how
// many private copies of them does it take, and how much does that depend on the data?
//
// A block counts in shared memory and adds its counts to the result at the end.
//
//   COPIES  histograms per block. 1: all warps share one. As many as the block has warps: each warp
//           has its own
//   WORD    what a thread loads at once: 1, 4 or 16 bytes
//   BLOCK   threads per block

constexpr int BINS = 256;

__device__ inline void count(unsigned* bins, unsigned char byte) { atomicAdd(bins + byte, 1u); }
__device__ inline void count(unsigned* bins, unsigned word) {
  for (int shift = 0; shift < 32; shift += 8) {
    count(bins, static_cast<unsigned char>(word >> shift));
  }
}
__device__ inline void count(unsigned* bins, uint4 words) {
  count(bins, words.x);
  count(bins, words.y);
  count(bins, words.z);
  count(bins, words.w);
}

template <int COPIES, typename WORD, int BLOCK>
__global__ void __launch_bounds__(BLOCK)
    histogram(const unsigned char* bytes, unsigned* counts, long long n) {
  __shared__ unsigned copies[COPIES][BINS];
  for (int bin = threadIdx.x; bin < COPIES * BINS; bin += BLOCK) copies[0][bin] = 0;
  __syncthreads();

  unsigned* mine = copies[threadIdx.x / 32 % COPIES];
  const long long thread = static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * BLOCK;
  const long long words = n / static_cast<long long>(sizeof(WORD));
  for (long long i = thread; i < words; i += threads) {
    count(mine, reinterpret_cast<const WORD*>(bytes)[i]);
  }
  // The bytes after the last whole word.
  for (long long i = words * sizeof(WORD) + thread; i < n; i += threads) count(mine, bytes[i]);
  __syncthreads();

  for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
    unsigned sum = 0;
    for (int copy = 0; copy < COPIES; ++copy) sum += copies[copy][bin];
    if (sum != 0) atomicAdd(counts + bin, sum);
  }
}

// The obvious kernel: every byte is an atomic addition in global memory.
extern "C" __global__ void histogram_global(const unsigned char* bytes, unsigned* counts,
                                            long long n) {
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = thread; i < n; i += threads) count(counts, bytes[i]);
}

/// A block of 256 threads for each bin, without atomics.
extern "C" __global__ void histogram_reference(const unsigned char* bytes, unsigned* counts,
                                               long long n) {
  __shared__ unsigned part[256];
  unsigned sum = 0;
  for (long long i = threadIdx.x; i < n; i += 256) sum += bytes[i] == blockIdx.x;
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = part[0];
}
