// Are texture fetches faster than loads, and for which shape of thread block?
//
// Each thread sums the square of pixels around its own. Neighbouring threads read mostly the same
// pixels, which the L1 cache holds. It also serves textures, but a two-dimensional texture is
// stored in tiles, so neighbours above and below are as near as those to the left and right.
// Everything but the fetch is the same for all.

enum Fetch { global_load, ldg, texture_1d, texture_2d };

template <Fetch FETCH, int BLOCK_X, int BLOCK_Y>
__global__ void box_sum(const float* pixels, cudaTextureObject_t linear, cudaTextureObject_t tiled,
                        float* sums, int width, int height, int radius) {
  const int x = blockIdx.x * BLOCK_X + threadIdx.x;
  const int y = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int row = y - radius; row <= y + radius; ++row) {
    for (int column = x - radius; column <= x + radius; ++column) {
      const int r = min(max(row, 0), height - 1);
      const int c = min(max(column, 0), width - 1);
      // Without __restrict__, the compiler does not turn the first into the second.
      if (FETCH == global_load) sum += pixels[r * width + c];
      if (FETCH == ldg) sum += __ldg(&pixels[r * width + c]);
      if (FETCH == texture_1d) sum += tex1Dfetch<float>(linear, r * width + c);
      if (FETCH == texture_2d) sum += tex2D<float>(tiled, c + 0.5f, r + 0.5f);  // a texel's centre
    }
  }
  sums[y * width + x] = sum;
}

extern "C" __global__ void box_sum_reference(const float* pixels, float* sums, int width,
                                             int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double sum = 0;
  for (int row = y - radius; row <= y + radius; ++row) {
    for (int column = x - radius; column <= x + radius; ++column) {
      sum += pixels[min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)];
    }
  }
  sums[y * width + x] = static_cast<float>(sum);
}
