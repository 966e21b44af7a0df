// A head of 128 by the root of its mean square, times weights, its two halves rotated by an angle
// of the token's place; a block of 64 threads a head. Angles are FP32: at a place of some thousands
// the rounding of an angle is what differs most, and belongs to the definition.
extern "C" __global__ void norm_rope(const float* x, float* y, const float* weight,
                                     const int* place, float eps, float theta_scale) {
  __shared__ double part[64];
  const size_t head = (size_t(blockIdx.y) * gridDim.x + blockIdx.x) * 128;
  const int i = threadIdx.x;
  const double a = x[head + i], b = x[head + i + 64];
  part[i] = a * a + b * b;
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (i < half) part[i] += part[i + half];
  }
  __syncthreads();
  const double scale = 1 / sqrt(part[0] / 128 + eps);
  const float angle = place[blockIdx.y] * powf(theta_scale, float(i));
  const double c = cos(double(angle)), s = sin(double(angle));
  const double first = a * scale * weight[i], second = b * scale * weight[i + 64];
  y[head + i] = float(first * c - second * s);
  y[head + i + 64] = float(first * s + second * c);
}
