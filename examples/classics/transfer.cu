// How fast do copies between host and device get, and which kind of host memory do they need?
//
// The copies themselves are steps of transfer.toml. With pageable memory, the driver first copies
// through page-locked memory of its own; pinned memory is read and written by the device's copy
// engines. Write-combined memory is pinned and not cached: CPUs write it fast and read it slowly.
// Mapped memory needs no copy at all: a kernel reads and writes the host's memory over the link.

extern "C" __global__ void copy_mapped(const float4* from, float4* to, int words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < words) to[i] = from[i];
}

extern "C" __global__ void transfer_reference(const float* x, float* device_y, float* y, int floats,
                                              int direction) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= floats) return;
  if (direction != 1) device_y[i] = x[i];
  if (direction != 0) y[i] = x[i];
}
