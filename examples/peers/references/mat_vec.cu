// Row blockIdx.x of a matrix times vector blockIdx.y, by a block of 256 threads, summed in double.
#include <cuda_fp16.h>

extern "C" __global__ void mat_vec(const __half* matrix, const float* vectors, float* products,
                                   int columns) {
  __shared__ double part[256];
  const __half* row = matrix + size_t(blockIdx.x) * columns;
  const float* vector = vectors + size_t(blockIdx.y) * columns;
  double sum = 0;
  for (int i = threadIdx.x; i < columns; i += 256) sum += double(__half2float(row[i])) * vector[i];
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) products[size_t(blockIdx.y) * gridDim.x + blockIdx.x] = float(part[0]);
}
