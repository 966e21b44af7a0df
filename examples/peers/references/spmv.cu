// A sparse matrix in compressed rows times a vector, a thread a row, summed in double.
extern "C" __global__ void spmv(const unsigned* row_offsets, const unsigned* columns,
                                const float* values, const float* x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (unsigned i = row_offsets[row]; i < row_offsets[row + 1]; ++i)
    sum += double(values[i]) * x[columns[i]];
  y[row] = float(sum);
}
