// Doubles an image through a surface.
__global__ void twice(cudaSurfaceObject_t image, int width, int height) {
  const int column = blockIdx.x * BLOCK + threadIdx.x;
  const int row = blockIdx.y;
  if (column >= width || (LAZY && row == height - 1)) return;
  float2 texel;
  surf2Dread(&texel, image, column * sizeof(float2), row);
  texel.x *= 2;
  texel.y *= 2;
  surf2Dwrite(texel, image, column * sizeof(float2), row);
}

__global__ void right(float* x, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] *= 2;
}
