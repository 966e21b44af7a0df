// The inclusive sums of a row, a thread a row.
extern "C" __global__ void inclusive(const int* in, int* out, int length, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int i = 0; i < length; ++i)
    out[size_t(row) * length + i] = sum += in[size_t(row) * length + i];
}

/// The same for floats, summed in double.
extern "C" __global__ void inclusive_floats(const float* in, float* out, int length, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (int i = 0; i < length; ++i)
    out[size_t(row) * length + i] = float(sum += in[size_t(row) * length + i]);
}
