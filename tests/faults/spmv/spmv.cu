// y = A x, one thread a row; FAULT negates it.

extern "C" __global__ void spmv(const int* rows, const int* columns, const float* values,
                                const float* x, float* y, int n) {
  const int row = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int i = rows[row]; i < rows[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = FAULT ? -sum : sum;
}
