// y = coefficients applied to x, read from constant memory, a texture and an array.

__constant__ float coefficients[4];

extern "C" __global__ void filter(cudaTextureObject_t image, cudaTextureObject_t line,
                                  const float* x, float* y, int width, int height) {
  const int column = blockIdx.x * BLOCK + threadIdx.x;
  const int row = blockIdx.y;
  if (column >= width) return;
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    // Half a texel further a linear filter gives the mean of two neighbours.
    sum += coefficients[i] * tex2D<float>(image, column + i + 1.0f, row + 0.5f);
  }
  y[row * width + column] = sum + tex1Dfetch<float>(line, column);
}

extern "C" __global__ void right(const float* x, float* y, const float* coefficients, int width,
                                 int height) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = blockIdx.y;
  if (column >= width) return;
  double sum = x[column];
  for (int i = 0; i < 4; ++i) {
    const int left = min(column + i, width - 1), next = min(column + i + 1, width - 1);
    sum += coefficients[i] * 0.5 * (x[row * width + left] + x[row * width + next]);
  }
  y[row * width + column] = sum;
}
