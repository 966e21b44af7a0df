// What the fills of data.toml made, counted by one block.

__device__ void count_if(bool condition, int* counter) {
  if (condition) atomicAdd(counter, 1);
}

extern "C" __global__ void describe(const float* steps, const unsigned* shuffled,
                                    const int* offsets, const float* spread, const float* twin,
                                    const float* lowest, const float* points, const float* fields,
                                    const unsigned char* pixels, int n, int total, int* facts) {
  __shared__ int counters[8];
  __shared__ unsigned seen[1024];
  __shared__ float sum, squares;
  if (threadIdx.x < 8) counters[threadIdx.x] = 0;
  if (threadIdx.x == 0) sum = squares = 0;
  for (int i = threadIdx.x; i < 1024; i += BLOCK) seen[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += BLOCK) {
    count_if(steps[i] != (i % 7) * 0.5f + n, &counters[0]);
    count_if(shuffled[i] < n && atomicAdd(&seen[shuffled[i]], 1) == 0, &counters[1]);
    count_if(i > 0 ? offsets[i] < offsets[i - 1] : offsets[0] != 0 || offsets[n - 1] != total,
             &counters[2]);
    atomicAdd(&sum, spread[i]);
    atomicAdd(&squares, (spread[i] - 3) * (spread[i] - 3));
    count_if(twin[i] != spread[i], &counters[4]);
    count_if(!(isinf(lowest[i]) && lowest[i] < 0), &counters[5]);
    for (int field = 0; field < 3; ++field) {
      count_if(points[3 * i + field] != fields[n * field + i], &counters[6]);
    }
    count_if(!(points[i] >= 0 && points[i] < 1) || pixels[i] < 50, &counters[7]);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    counters[3] = fabsf(sum / n - 3) < 0.3f && fabsf(sqrtf(squares / n) - 2) < 0.3f;
  }
  __syncthreads();
  if (threadIdx.x < 8) facts[threadIdx.x] = counters[threadIdx.x];
}

extern "C" __global__ void expected(int n, int* facts) {
  facts[threadIdx.x] = threadIdx.x == 1 ? n : threadIdx.x == 3;
}
