// Rows of `columns` numbers, a block of 256 threads a row, sums in double.
__device__ double sum_of_block(double mine) {
  __shared__ double part[256];
  __syncthreads();
  part[threadIdx.x] = mine;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  __syncthreads();
  return part[0];
}

/// (x - mean) / deviation
extern "C" __global__ void layer_norm(const float* x, float* y, int columns, float eps) {
  x += size_t(blockIdx.x) * columns;
  y += size_t(blockIdx.x) * columns;
  double sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += 256) sum += x[i];
  const double mean = sum_of_block(sum) / columns;
  for (int i = threadIdx.x; i < columns; i += 256) squares += (x[i] - mean) * (x[i] - mean);
  const double scale = 1 / sqrt(sum_of_block(squares) / columns + eps);
  for (int i = threadIdx.x; i < columns; i += 256) y[i] = float((x[i] - mean) * scale);
}

/// x / root of the mean square, times a weight for each column
extern "C" __global__ void rms_norm(const float* x, const float* weight, float* y, int columns,
                                    float eps) {
  x += size_t(blockIdx.x) * columns;
  y += size_t(blockIdx.x) * columns;
  double squares = 0;
  for (int i = threadIdx.x; i < columns; i += 256) squares += double(x[i]) * x[i];
  const double scale = 1 / sqrt(sum_of_block(squares) / columns + eps);
  for (int i = threadIdx.x; i < columns; i += 256) y[i] = float(x[i] * scale * weight[i]);
}

/// e^x / the row's sum of it, x scaled
extern "C" __global__ void softmax(const float* x, float* y, int columns, float factor) {
  x += size_t(blockIdx.x) * columns;
  y += size_t(blockIdx.x) * columns;
  double sum = 0;
  for (int i = threadIdx.x; i < columns; i += 256) sum += exp(double(x[i]) * factor);
  const double all = sum_of_block(sum);
  for (int i = threadIdx.x; i < columns; i += 256) y[i] = float(exp(double(x[i]) * factor) / all);
}

/// (x - mean) / deviation, times a weight and plus a bias for each column
extern "C" __global__ void affine_layer_norm(const float* x, const float* weight, const float* bias,
                                             float* y, int columns, float eps) {
  x += size_t(blockIdx.x) * columns;
  y += size_t(blockIdx.x) * columns;
  double sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += 256) sum += x[i];
  const double mean = sum_of_block(sum) / columns;
  for (int i = threadIdx.x; i < columns; i += 256) squares += (x[i] - mean) * (x[i] - mean);
  const double scale = 1 / sqrt(sum_of_block(squares) / columns + eps);
  for (int i = threadIdx.x; i < columns; i += 256)
    y[i] = float((x[i] - mean) * scale * weight[i] + bias[i]);
}

/// residual += x; x = residual / root of its mean square, times a weight for each column
extern "C" __global__ void add_rms_norm(float* x, float* residual, const float* weight, int columns,
                                        float eps) {
  x += size_t(blockIdx.x) * columns;
  residual += size_t(blockIdx.x) * columns;
  double squares = 0;
  for (int i = threadIdx.x; i < columns; i += 256) {
    const double sum = double(x[i]) + residual[i];
    squares += sum * sum;
  }
  const double scale = 1 / sqrt(sum_of_block(squares) / columns + eps);
  for (int i = threadIdx.x; i < columns; i += 256) {
    const double sum = double(x[i]) + residual[i];
    x[i] = float(sum * scale * weight[i]);
    residual[i] = float(sum);
  }
}

/// x / root of the mean square
extern "C" __global__ void plain_rms_norm(const float* x, float* y, int columns, float eps) {
  x += size_t(blockIdx.x) * columns;
  y += size_t(blockIdx.x) * columns;
  double squares = 0;
  for (int i = threadIdx.x; i < columns; i += 256) squares += double(x[i]) * x[i];
  const double scale = 1 / sqrt(sum_of_block(squares) / columns + eps);
  for (int i = threadIdx.x; i < columns; i += 256) y[i] = float(x[i] * scale);
}

/// Of square matrices, row i of each: e^x / the sum of it over columns up to i, 0 beyond.
extern "C" __global__ void causal_softmax(const float* x, float* y, int columns) {
  const size_t row = (size_t(blockIdx.y) * gridDim.x + blockIdx.x) * columns;
  const int length = int(blockIdx.x) + 1;
  double sum = 0;
  for (int i = threadIdx.x; i < length; i += 256) sum += exp(double(x[row + i]));
  const double all = sum_of_block(sum);
  for (int i = threadIdx.x; i < columns; i += 256)
    y[row + i] = i < length ? float(exp(double(x[row + i])) / all) : 0.0f;
}
