// Declared first, defined later; default template arguments in the declaration; extern "C" blocks.
template <int TX = 32, int TY = 8>
__global__ void transpose(float *odata, const float *idata, int width, int height);

void launch(float *out, const float *in, int w, int h) {
  dim3 threads(32, 8);
  dim3 grid((w + 31) / 32, (h + 31) / 32);
  transpose<32, 8><<<grid, threads>>>(out, in, w, h);
}

template <int TX, int TY>
__global__ void transpose(float *odata, const float *idata, int width, int height) {
  __shared__ float tile[TX][TX + 1];
  int x = blockIdx.x * TX + threadIdx.x;
  int y = blockIdx.y * TX + threadIdx.y;
  for (int j = 0; j < TX; j += TY) {
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * TX + threadIdx.x;
  y = blockIdx.x * TX + threadIdx.y;
  for (int j = 0; j < TX; j += TY) {
    if (x < height && y + j < width)
      odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

extern "C" {
__global__ void copy_ref(float *odata, const float *idata, int width, int height);
}
