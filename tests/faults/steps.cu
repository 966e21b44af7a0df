// Sums in two steps over partial sums, with one fault per value of FAULT.
#ifndef FAULT
#define FAULT 0
#endif

// Setup: what the timed steps find in the workspace.
extern "C" __global__ void prepare(double* partial, int* ready) {
  partial[threadIdx.x] = 1e30;  // is written before it is read
  if (FAULT != 1) *ready = 7;
}

template <int PARTS>
__global__ void add(double* partial, const float* x, const int* ready, int n) {
  const int chunk = (n + PARTS - 1) / PARTS;
  double sum = *ready == 7 ? 0 : 1;  // 1: the setup did not run
  const int end = min(n, (static_cast<int>(blockIdx.x) + 1) * chunk);
  for (int i = blockIdx.x * chunk; i < end; ++i) sum += x[i];
  partial[blockIdx.x] = sum;
}

template <int PARTS>
__global__ void finish(float* y, double* partial) {
  if (FAULT == 2) asm volatile("trap;");
  while (FAULT == 3 && *(volatile double*)partial < 1e300) {
  }
  if (FAULT == 4) partial[PARTS] = 0;  // behind the end
  double sum = 0;
  for (int i = 0; i < PARTS - (FAULT == 5); ++i) sum += partial[i];
  *y = static_cast<float>(sum);
}

// Where there is one part, the first step has the result.
extern "C" __global__ void take(float* y, const double* partial) {
  *y = static_cast<float>(*partial);
}

extern "C" __global__ void right(const float* x, float* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *y = static_cast<float>(sum);
}
