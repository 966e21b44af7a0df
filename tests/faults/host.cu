#include <cub/cub.cuh>
#include <vector>

template <int BLOCK>
__global__ void sums(float* y, const float* x, int n) {
  using Reduce = cub::BlockReduce<float, BLOCK>;
  __shared__ typename Reduce::TempStorage storage;
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const float sum = Reduce(storage).Sum(i < n ? x[i] * SCALE : 0.0F);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

int main() {
  std::vector<float> x(64);
  sums<64><<<1, 64>>>(x.data(), x.data(), 64);
}
