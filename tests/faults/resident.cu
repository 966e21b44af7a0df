// A grid of as many blocks as the device holds at once, which meet at a barrier.
#include <cooperative_groups.h>

template <int BLOCK, int SPILL>
__global__ void resident(int n, int* arrived, int* out) {
  int own[32];
  for (int i = 0; i < 32; ++i) own[i] = 0;
  for (int i = 0; SPILL && i < 100; ++i) own[out[i] & 31] += own[i & 31];
  if (threadIdx.x == 0) atomicAdd(arrived, 1);
  cooperative_groups::this_grid().sync();
  const int zero = SPILL ? own[n % 32] : 0;
  const bool all = *(volatile int*)arrived == gridDim.x;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    out[i] = all ? i + zero : -1;
  }
}

__global__ void count_up(int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}
