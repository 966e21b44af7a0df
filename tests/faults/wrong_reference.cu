// A reference that writes behind its output: it must be blamed, and no configuration.
extern "C" __global__ void row_sum_beyond(float* __restrict__ out, const float* __restrict__ in,
                                          long long rows, int cols) {
  const long long row = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row > rows) return;
  double sum = 0.0;
  if (row < rows) {
    for (int c = 0; c < cols; ++c) sum += in[row * cols + c];
  }
  out[row] = static_cast<float>(sum);
}
