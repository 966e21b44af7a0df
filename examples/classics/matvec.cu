// y = A x with A in rows. Why is the obvious kernel slow, what do the textbook's remedies gain, and
// what does it take to read A at the speed of memory?
//
// Four classic kernels, each with one thread per row, and then the one that is tuned.

constexpr int TILE = 32;     // rows and columns of a tile of A in shared memory
constexpr int X_TILE = 256;  // elements of x in shared memory

// 1. A thread goes along its row. Neighbouring threads read words that are a whole row apart.
extern "C" __global__ void thread_per_row(const float* A, const float* x, float* y, int m, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += A[static_cast<long long>(row) * n + j] * x[j];
  y[row] = sum;
}

// 2. The same with A stored transposed: neighbouring threads read neighbouring words.
extern "C" __global__ void transposed(const float* At, const float* x, float* y, int m, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += At[static_cast<long long>(j) * m + row] * x[j];
  y[row] = sum;
}

// 3. Also, a block loads each part of x once, into shared memory. Launch: X_TILE threads.
extern "C" __global__ void x_shared(const float* At, const float* x, float* y, int m, int n) {
  __shared__ float part[X_TILE];
  const int row = blockIdx.x * X_TILE + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += X_TILE) {
    const int count = min(X_TILE, n - first);
    __syncthreads();
    if (threadIdx.x < count) part[threadIdx.x] = x[first + threadIdx.x];
    __syncthreads();
    if (row >= m) continue;
    for (int j = 0; j < count; ++j) {
      sum += At[static_cast<long long>(first + j) * m + row] * part[j];
    }
  }
  if (row < m) y[row] = sum;
}

// 4. A in rows again. A warp loads a tile of A along the rows, then each thread goes along its row
// of the tile. The column of padding puts a column's words into different banks. Launch: TILE
// threads.
extern "C" __global__ void x_and_a_shared(const float* A, const float* x, float* y, int m, int n) {
  __shared__ float tile[TILE][TILE + 1];
  __shared__ float part[TILE];
  const int first_row = blockIdx.x * TILE;
  const int lane = threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    const bool inside = first + lane < n;
    __syncthreads();
    part[lane] = inside ? x[first + lane] : 0;
    for (int r = 0; r < TILE; ++r) {
      const bool exists = inside && first_row + r < m;
      tile[r][lane] = exists ? A[static_cast<long long>(first_row + r) * n + first + lane] : 0;
    }
    __syncthreads();
    for (int j = 0; j < TILE; ++j) sum += tile[lane][j] * part[j];
  }
  if (first_row + lane < m) y[first_row + lane] = sum;
}

// The tuned kernel: a team of threads takes ROWS rows together and reads along them, so that loads
// are coalesced without a transpose or a tile.
//
//   TEAM   ONE_WARP or ONE_BLOCK: the threads that share a row
//   BLOCK  threads per block
//   ROWS   rows that a team takes together, so that a word of x is loaded once for all of them
//   LOADS  loads from each row that may be under way at once
//   WIDTH  floats per load: 4 if every row begins at a multiple of 16 bytes, else 1
//   CACHE  how A is loaded. USUAL: through L1, which x also needs. STREAM: to be evicted first.
//          NO_L1: through L2 alone
enum Team { ONE_WARP, ONE_BLOCK };
enum Cache { USUAL, STREAM, NO_L1 };

template <int WIDTH>
struct Words {
  using Type = float;
};
template <>
struct Words<4> {
  using Type = float4;
};

__device__ inline float product(float a, float b) { return a * b; }
__device__ inline float product(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

template <Cache CACHE, typename WORD>
__device__ inline WORD load(const WORD* at) {
  if constexpr (CACHE == STREAM) return __ldcs(at);
  if constexpr (CACHE == NO_L1) return __ldcg(at);
  return __ldg(at);
}

/// Adds the products of LOADS words of each row, from word `first` on, STEP words apart.
template <int ROWS, int LOADS, int STEP, Cache CACHE, typename WORD>
__device__ inline void add(float (&sum)[ROWS], const WORD* const (&row)[ROWS], const WORD* x,
                           int first) {
  WORD a[ROWS][LOADS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
#pragma unroll
    for (int l = 0; l < LOADS; ++l) a[r][l] = load<CACHE>(row[r] + first + l * STEP);
  }
#pragma unroll
  for (int l = 0; l < LOADS; ++l) {
    const WORD factor = __ldg(x + first + l * STEP);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) sum[r] += product(a[r][l], factor);
  }
}

__device__ inline float sum_of_warp(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  return value;
}

template <Team TEAM, int BLOCK, int ROWS, int LOADS, int WIDTH, Cache CACHE>
__global__ void __launch_bounds__(BLOCK)
    matvec(const float* __restrict__ A, const float* __restrict__ x, float* __restrict__ y, int m,
           int n) {
  using Word = typename Words<WIDTH>::Type;
  constexpr int THREADS = TEAM == ONE_WARP ? 32 : BLOCK;  // of a team
  constexpr int WARPS = THREADS / 32;
  constexpr int TEAMS = BLOCK / THREADS;
  const int thread = threadIdx.x % THREADS;
  const int first_row = (blockIdx.x * TEAMS + threadIdx.x / THREADS) * ROWS;

  const Word* row[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const long long index = min(first_row + r, m - 1);  // beyond the last: computed, not stored
    row[r] = reinterpret_cast<const Word*>(A + index * n);
  }
  const Word* words_of_x = reinterpret_cast<const Word*>(x);
  const int words = n / WIDTH;
  float sum[ROWS] = {};
  int i = thread;
  for (; i + (LOADS - 1) * THREADS < words; i += LOADS * THREADS) {
    add<ROWS, LOADS, THREADS, CACHE>(sum, row, words_of_x, i);
  }
#pragma unroll 1
  for (; i < words; i += THREADS) add<ROWS, 1, THREADS, CACHE>(sum, row, words_of_x, i);

  __shared__ float part[ROWS][WARPS];  // used only by teams of several warps
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    sum[r] = sum_of_warp(sum[r]);
    if (WARPS > 1 && thread % 32 == 0) part[r][thread / 32] = sum[r];
  }
  if (WARPS > 1) __syncthreads();
  if (thread >= 32) return;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (WARPS > 1) sum[r] = sum_of_warp(thread < WARPS ? part[r][thread] : 0);
    if (thread == 0 && first_row + r < m) y[first_row + r] = sum[r];
  }
}

/// A block of 256 threads per row, summed in double.
extern "C" __global__ void matvec_reference(const float* A, const float* x, float* y, int n) {
  __shared__ double part[256];
  const float* row = A + static_cast<long long>(blockIdx.x) * n;
  double sum = 0;
  for (int j = threadIdx.x; j < n; j += 256) sum += static_cast<double>(row[j]) * x[j];
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = static_cast<float>(part[0]);
}
