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
