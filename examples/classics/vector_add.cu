// c = a + b. How much of a GPU do one thread, one block and many blocks use, and how wide should
// their loads and stores be?
//
// One kernel answers for every launch: each thread takes every N-th vector, where N is the number
// of threads in the grid. A single thread takes them all, as on a CPU. In a grid that covers the
// arrays, each thread takes one.
//
//   VECTOR  what a thread loads and stores at once: float, float2 or float4

__device__ inline float sum(float a, float b) { return a + b; }
__device__ inline float2 sum(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float4 sum(float4 a, float4 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

template <typename VECTOR>
__global__ void vector_add(const float* a, const float* b, float* c, long long n) {
  constexpr int WIDTH = sizeof(VECTOR) / sizeof(float);
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = thread; i < n / WIDTH; i += threads) {
    const VECTOR in_a = reinterpret_cast<const VECTOR*>(a)[i];
    const VECTOR in_b = reinterpret_cast<const VECTOR*>(b)[i];
    reinterpret_cast<VECTOR*>(c)[i] = sum(in_a, in_b);
  }
  // The elements after the last whole vector.
  for (long long i = n / WIDTH * WIDTH + thread; i < n; i += threads) c[i] = a[i] + b[i];
}

extern "C" __global__ void vector_add_reference(const float* a, const float* b, float* c,
                                                long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
