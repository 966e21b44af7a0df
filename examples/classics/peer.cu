// How fast do two GPUs exchange data, and who should move it: copy engines or kernels?
//
// A copy between the memories of two GPUs needs no host memory in between. Copy engines do it as
// they do all copies. A kernel of one GPU can also read the other's memory, or write it.

template <typename WORD>
__global__ void copy_by_kernel(const float* from, float* to, int floats) {
  const int words = floats / static_cast<int>(sizeof(WORD) / sizeof(float));
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += threads) {
    reinterpret_cast<WORD*>(to)[i] = reinterpret_cast<const WORD*>(from)[i];
  }
}

extern "C" __global__ void peer_reference(const float* here, const float* there, float* to_there,
                                          float* to_here, int floats, int direction) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= floats) return;
  if (direction != 1) to_there[i] = here[i];
  if (direction != 0) to_here[i] = there[i];
}
