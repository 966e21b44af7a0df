// Keeps the positive elements, in any order.
__global__ void keep(int* kept, int* count, const int* x, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n || x[i] <= 0) return;
  const int at = atomicAdd(count, 1);
  kept[at] = LOSE && at == 7 ? 0 : x[i];
}

__global__ void keep_in_order(int* kept, int* count, const int* x, int n) {
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0) kept[(*count)++] = x[i];
  }
}

__device__ int occurrences(const int* list, int n, int value) {
  int found = 0;
  for (int i = 0; i < n; ++i) found += list[i] == value;
  return found;
}

__global__ void same_bag(const int* kept, const int* right, int n, unsigned long long* mismatches) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && occurrences(kept, n, right[i]) != occurrences(right, n, right[i])) {
    atomicAdd(mismatches, 1ULL);
  }
}

// What is right here it takes for wrong.
__global__ void other_bag(const int* kept, const int* right, int n,
                          unsigned long long* mismatches) {
  if (blockIdx.x == 0 && threadIdx.x == 0 && kept[0] == right[0]) *mismatches = n;
}
