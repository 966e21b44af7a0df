// Kernels whose work is proportional to n + extra. bench/gate.sh plants slowdowns by changing
// EXTRA.

constexpr int EXTRA = 0;  // per mille

/// Elements that are processed a second time.
__device__ __host__ constexpr int extra_of(int n) { return n / 1000 * EXTRA; }

/// Copies n floats, and the extra ones once more to where nothing is compared.
__global__ void copy_floats(const float* x, float* y, float* spare, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    y[i] = x[i];
  } else if (i - n < extra_of(n)) {
    spare[i - n] = x[i - n];
  }
}

__global__ void copy_reference(const float* x, float* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = x[i];
}
