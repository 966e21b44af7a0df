// Buffers padded to whole blocks: nobody looks at a bound. FAULT 1: the last element that counts is
// wrong; 2: one behind the padding is written.

extern "C" __global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  y[i] = FAULT == 1 && i == n - 1 ? 0 : 2 * x[i];
  if (FAULT == 2 && i == 0) y[gridDim.x * BLOCK] = 0;
}

extern "C" __global__ void right(const float* x, float* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = 2 * x[i];
}
