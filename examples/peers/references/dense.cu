// Products of dense matrices, each element by one thread, accumulated in double.
#include <cuda_fp16.h>

extern "C" __global__ void row_major(float* c, const float* a, const float* b, int m, int n,
                                     int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  double sum = 0;
  for (int i = 0; i < k; ++i) sum += double(a[size_t(row) * k + i]) * b[size_t(i) * n + column];
  c[size_t(row) * n + column] = float(sum);
}

/// C = A B^T in FP16: rows of B are columns of the product.
extern "C" __global__ void half_row_column(__half* c, const __half* a, const __half* b, int m,
                                           int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += double(__half2float(a[size_t(row) * k + i])) * __half2float(b[size_t(column) * k + i]);
  c[size_t(row) * n + column] = __double2half(sum);
}
