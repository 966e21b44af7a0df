// A launch of no threads, of a kernel that is tuned by its template.
enum Mode { Plain, Relu };
template <int TILE, Mode MODE>
__global__ void k(float *y, int dev_n, char c) {
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i < dev_n) y[i] = MODE == Relu ? c : 0;
}
void launch(float *y, int n, cudaStream_t s) { k<16, Relu><<<n / 16, 0, -1, s>>>(y, n, 0.5f); }
