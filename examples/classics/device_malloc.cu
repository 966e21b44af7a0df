// What does malloc cost in a kernel, and how much cheaper is it if a warp or a block allocates once
// for all its threads?
//
// Each thread needs a few words of memory, writes them and reads them back. The memory comes from a
// malloc of each thread, of one thread in a warp, or of one in a block; the owner also frees it. In
// the baseline, it was allocated before the launch.

enum Owner { before_launch, each_thread, each_warp, each_block };

/// This thread's words; null if the heap is full.
template <Owner OWNER>
__device__ int* allocate(int words, int*& allocation) {
  const int bytes = words * 4;
  const int thread = threadIdx.x;
  if (OWNER == each_thread) {
    allocation = static_cast<int*>(malloc(bytes));
    return allocation;
  }
  if (OWNER == each_warp) {
    const int lane = thread % 32;
    if (lane == 0) allocation = static_cast<int*>(malloc(32 * bytes));
    const auto address = __shfl_sync(~0u, reinterpret_cast<unsigned long long>(allocation), 0);
    int* const of_warp = reinterpret_cast<int*>(address);
    return of_warp == nullptr ? nullptr : of_warp + lane * words;
  }
  __shared__ int* of_block;
  if (thread == 0) {
    allocation = static_cast<int*>(malloc(blockDim.x * bytes));
    of_block = allocation;
  }
  __syncthreads();
  return of_block == nullptr ? nullptr : of_block + thread * words;
}

/// `allocation`: what this thread has allocated; null in all threads but the owner.
template <Owner OWNER>
__device__ void release(int* allocation) {
  if (OWNER == each_warp) __syncwarp();
  if (OWNER == each_block) __syncthreads();
  free(allocation);
}

/// Volatile, or the compiler would keep the words in registers and leave out the malloc.
__device__ int write_and_sum(volatile int* mine, int words, int first) {
  for (int i = 0; i < words; ++i) mine[i] = first + i;
  int sum = 0;
  for (int i = 0; i < words; ++i) sum += mine[i];
  return sum;
}

template <Owner OWNER>
__global__ void use_memory(int* sums, int* pool, int words, int threads) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = -1;  // wrong: the check finds a heap that is too small
  if (OWNER == before_launch) {
    sum = write_and_sum(pool + static_cast<long long>(index) * words, words, index);
  } else {
    int* allocation = nullptr;
    int* const mine = allocate<OWNER>(words, allocation);
    if (mine != nullptr) sum = write_and_sum(mine, words, index);
    release<OWNER>(allocation);
  }
  if (index < threads) sums[index] = sum;
}

extern "C" __global__ void sum_reference(int* sums, int words, int threads) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= threads) return;
  int sum = 0;
  for (int i = 0; i < words; ++i) sum += index + i;
  sums[index] = sum;
}
