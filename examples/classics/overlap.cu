// How much of a kernel's time hides behind the copies of its data?
//
// Copies to the device, kernels and copies to the host use different engines. If the data go
// through in one piece, each waits for the one before; in chunks and on three streams, a chunk is
// copied in while the one before it is computed and the one before that copied out. At best, the
// whole takes as long as the longest of the three parts.

extern "C" __global__ void iterate(const float* x, float* y, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = x[i];
  for (int round = 0; round < rounds; ++round) value = 0.999f * value + 0.001f;
  y[i] = value;
}

extern "C" __global__ void iterate_reference(const float* x, float* y, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double value = x[i];
  for (int round = 0; round < rounds; ++round) value = 0.999f * value + 0.001f;
  y[i] = static_cast<float>(value);
}
