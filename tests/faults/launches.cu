// Kernels that only the right kind of launch gets right.
#include <cooperative_groups.h>

// Every block adds to a sum that all of them read behind a barrier of the grid.
extern "C" __global__ void together(int* sum, int* out) {
  if (threadIdx.x == 0) atomicAdd(sum, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = *(volatile int*)sum;
}

#ifndef CLUSTER  // a parameter of clusters.toml
#define CLUSTER 1
#endif

extern "C" __global__ void cluster_sizes(int* out) {
  int blocks;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  if (threadIdx.x == 0) out[blockIdx.x] = blocks == CLUSTER;
}

extern "C" __global__ void fill(int* out, int value) { out[blockIdx.x] = value; }

__device__ unsigned long long nanoseconds() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__device__ void wait(unsigned long long duration) {
  for (const unsigned long long start = nanoseconds(); nanoseconds() < start + duration;) {
  }
}

// Lets the next kernel begin before it writes.
extern "C" __global__ void write_late(int* data) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  wait(200'000);
  data[blockIdx.x] = 1;
}

#ifndef WAITS  // a parameter of programmatic.toml
#define WAITS 1
#endif

extern "C" __global__ void read_early(int* out, const volatile int* data) {
#if __CUDA_ARCH__ >= 900
  if (WAITS == 1) asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  out[blockIdx.x] = data[blockIdx.x];
}

// The most blocks that an SM held at once.
extern "C" __global__ void count_neighbours(int* on_sm, int* most) {
  unsigned sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  atomicMax(most, atomicAdd(&on_sm[sm], 1) + 1);
  wait(20'000);
  atomicSub(&on_sm[sm], 1);
}

#ifndef CARVEOUT  // a parameter of carveout.toml
#define CARVEOUT 100
#endif

extern "C" __global__ void many_if_carved_out(int* out, const int* most) {
  *out = (*most > 4) == (CARVEOUT == 100);
}
