// Of an image in rows: its transpose, its histogram, the sum of each row and of all.

__device__ double sum_of_block(double mine) {
  __shared__ double part[256];
  part[threadIdx.x] = mine;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  __syncthreads();
  return part[0];
}

extern "C" __global__ void transpose(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns)
    out[size_t(column) * rows + row] = in[size_t(row) * columns + column];
}

/// A block of 256 threads counts the bytes that have the value blockIdx.x.
extern "C" __global__ void histogram(const unsigned char* in, unsigned* counts, long long size) {
  double mine = 0;  // exact up to 2^53
  for (long long i = threadIdx.x; i < size; i += 256) mine += in[i] == blockIdx.x;
  const double all = sum_of_block(mine);
  if (threadIdx.x == 0) counts[blockIdx.x] = unsigned(all);
}

/// A block of 256 threads a row.
extern "C" __global__ void row_sums(const float* in, float* sums, long long columns) {
  double mine = 0;
  for (long long i = threadIdx.x; i < columns; i += 256) mine += in[blockIdx.x * columns + i];
  const double all = sum_of_block(mine);
  if (threadIdx.x == 0) sums[blockIdx.x] = float(all);
}
