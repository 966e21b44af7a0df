// Squares of numbers in memory whose kind a parameter chooses, with one fault per value of FAULT.
#ifndef FAULT
#define FAULT 0
#endif

extern "C" __global__ void square(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] + (FAULT == 1 ? 1 : 0);
  if (FAULT == 2 && i == 0) y[n] = 1;  // beyond the end
}

extern "C" __global__ void right(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}

extern "C" __global__ void same(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
