// In the style of ThunderKittens: layouts as types, a globals struct, __grid_constant__.
#include <cuda_fp16.h>
#include <stdint.h>

namespace kit {
namespace ducks {
struct row_layout {};
struct col_layout {};
}  // namespace ducks

template <typename T, int R, int C, typename Layout = ducks::row_layout>
struct tile {
  using dtype = T;
  static constexpr int rows = R;
  static constexpr int cols = C;
  static constexpr int num_elements = rows * cols;
  T data[R * C];
};

template <typename T>
struct gl {
  T *raw;
  int batch, rows, cols;
  __device__ T &at(int b, int r, int c) const { return raw[(b * rows + r) * cols + c]; }
};
}  // namespace kit

template <int D>
struct globals {
  static constexpr int tile_rows = 16;
  using vec = kit::tile<float, 1, D>;
  float *x;
  const float *w;
  float *o;
  int n;
  float eps;
};

template <int D, int NUM_WORKERS = 4>
__global__ __launch_bounds__(NUM_WORKERS * 32,
                             1) void norm_kernel(const __grid_constant__ globals<D> g) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = blockIdx.x * NUM_WORKERS + warp;
  if (row >= g.n) return;
  float sum = 0;
  for (int i = lane; i < D; i += 32) sum += g.x[row * D + i] * g.x[row * D + i];
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
  const float scale = rsqrtf(sum / D + g.eps);
  for (int i = lane; i < D; i += 32) g.o[row * D + i] = g.x[row * D + i] * scale * g.w[i];
}
