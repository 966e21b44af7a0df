// Where the largest number of each row is, a block of 256 threads a row.
extern "C" __global__ void argmax(const float* x, int* place, int columns) {
  __shared__ int best[256];
  x += size_t(blockIdx.x) * columns;
  int mine = 0;
  for (int i = threadIdx.x; i < columns; i += 256)
    if (x[i] > x[mine]) mine = i;
  best[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < 256; ++i)
    if (x[best[i]] > x[mine]) mine = best[i];
  place[blockIdx.x] = mine;
}
