// The inner product of two vectors by one block of 256 threads, summed in double.
extern "C" __global__ void dot(const float* x, const float* y, float* result, unsigned n) {
  __shared__ double part[256];
  double sum = 0;
  for (size_t i = threadIdx.x; i < n; i += 256) sum += double(x[i]) * y[i];
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *result = float(part[0]);
}
