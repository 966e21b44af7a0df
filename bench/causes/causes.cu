// Kernels with one planted cause of slowness each, for bench/forecasts.sh: AMOUNT sets how much of
// the cause there is, and the results do not depend on it.
//
//   KIND    what is planted
//   AMOUNT  STORES: stride of the stores, elements. BRANCHES: branches taken within a warp.
//           CONFLICTS: padding of a row of 32 words in shared memory; 1 avoids conflicts.
//           SPILLS: blocks per SM that the compiler must leave registers for.
//           SPECIAL, DOUBLE: of four steps, those on the special-function or FP64 pipe.
//           ATOMICS: counters that the threads of a block share.
//           ADDITIONS, SHUFFLES: a quarter of how many there are in a repetition
//   WORK    repetitions of the work on an element

enum Kind { STORES, BRANCHES, CONFLICTS, SPILLS, SPECIAL, DOUBLE, ATOMICS, ADDITIONS, SHUFFLES };

constexpr int lanes = 32;
constexpr int classes = 16;  // of elements, by which BRANCHES branches

/// Without conflicts for strides of 1 to 32.
__device__ inline int padded(int element) { return element + element / lanes; }

/// The element of the block's THREADS that a thread takes: neighbours are STRIDE apart.
template <int THREADS, int STRIDE>
__device__ inline int strided(int thread) {
  constexpr int run = THREADS / STRIDE;
  return thread % run * STRIDE + thread / run;
}

/// One of the branches: code of its own for each class, so that it is not a selection.
template <int CLASS, int WORK>
__device__ inline float branch(float x) {
#pragma unroll 1
  for (int i = 0; i < WORK; ++i) x = x * (0.25f + 0.03125f * CLASS) + (1.0f + CLASS);
  return x;
}

template <int WORK, int CLASS = 0>
__device__ inline float branch_of(int number, float x) {
  if constexpr (CLASS < classes) {
    if (number == CLASS) return branch<CLASS, WORK>(x);
    return branch_of<WORK, CLASS + 1>(number, x);
  }
  return x;
}

/// x -> sin(x) / 2 + 1/4, on the special-function pipe or by the FMA pipe alone (Taylor, |x| < 1).
__device__ inline float sine_step(float x, bool special) {
  if (special) return 0.5f * __sinf(x) + 0.25f;
  const float s = x * x;
  return 0.5f * x * (1 + s * (-1 / 6.0f + s * (1 / 120.0f + s * (-1 / 5040.0f)))) + 0.25f;
}

/// x -> x / 2 + 1/4, often enough that the conversions of doubles take little of the time.
template <class Number>
__device__ inline float halves(Number x) {
#pragma unroll
  for (int i = 0; i < 32; ++i) x = x * Number(0.5) + Number(0.25);
  return static_cast<float>(x);
}

__device__ inline float double_step(float x, bool in_double) {
  return in_double ? halves<double>(x) : halves<float>(x);
}

/// x, after 4 * AMOUNT additions of 0, which are the FMA pipe's work, or shuffles of a lane to
/// itself in each repetition. That `zero` is 0 is unknown to the compiler.
template <int KIND, int WORK, int AMOUNT>
__device__ inline float unchanged(float x, int zero) {
  const float nothing = zero;
  const int lane = threadIdx.x % lanes + zero;
#pragma unroll 1
  for (int i = 0; i < WORK; ++i) {
#pragma unroll
    for (int step = 0; step < 4 * AMOUNT; ++step) {
      x = KIND == ADDITIONS ? x + nothing : __shfl_sync(~0U, x, lane);
    }
  }
  return x;
}

/// The result of an element that needs no others.
template <int KIND, int WORK, int AMOUNT>
__device__ inline float alone(float x, int number) {
  if constexpr (KIND == BRANCHES) return branch_of<WORK>(number, x);
  if constexpr (KIND == SPECIAL || KIND == DOUBLE) {
    for (int i = 0; i < WORK; ++i) {
#pragma unroll
      for (int step = 0; step < 4; ++step) {
        x = KIND == SPECIAL ? sine_step(x, step < AMOUNT) : double_step(x, step < AMOUNT);
      }
    }
  }
  return x;
}

/// ADDITIONS, SHUFFLES: a thread for each element.
template <int KIND, int WORK, int AMOUNT, int BLOCK>
__device__ void keep_elements(const float* in, float* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x;
  const float x = unchanged<KIND, WORK, AMOUNT>(i < n ? in[i] : 0, n < 0 ? 1 : 0);
  if (i < n) out[i] = x;
}

/// STORES, BRANCHES, SPECIAL, DOUBLE: a thread for each element, exchanged through shared memory.
template <int KIND, int WORK, int AMOUNT, int BLOCK>
__device__ void each_element(const float* in, float* out, long long n) {
  constexpr bool exchanges = KIND == STORES || KIND == BRANCHES;
  constexpr int stride = exchanges ? AMOUNT : 1;
  __shared__ float values[BLOCK + BLOCK / lanes];
  const long long first = static_cast<long long>(blockIdx.x) * BLOCK;
  const int thread = threadIdx.x;
  const int mine = strided<BLOCK, stride>(thread);
  if (exchanges && first + thread < n) values[padded(thread)] = in[first + thread];
  __syncthreads();
  float x = 0;
  if (first + mine < n) {
    x = alone<KIND, WORK, AMOUNT>(exchanges ? values[padded(mine)] : in[first + mine],
                                  mine / lanes % classes);
    if (KIND != BRANCHES) out[first + mine] = x;
  }
  if constexpr (KIND == BRANCHES) {
    values[padded(mine)] = x;
    __syncthreads();
    if (first + thread < n) out[first + thread] = values[padded(thread)];
  }
}

/// CONFLICTS: a lane adds up a row of its warp's tile of 32 x 32; `pitch` words from row to row.
template <int WORK, int AMOUNT, int BLOCK>
__device__ void sum_rows(const float* in, float* out, long long n) {
  constexpr int pitch = lanes + AMOUNT;
  extern __shared__ float tiles[];
  float* tile = tiles + threadIdx.x / lanes * lanes * pitch;
  const int lane = threadIdx.x % lanes;
  const long long first =
      (static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x / lanes * lanes) * lanes;
  for (int row = 0; row < lanes; ++row) {
    const long long i = first + row * lanes + lane;
    tile[row * pitch + lane] = i < n ? in[i] : 0;
  }
  __syncwarp();
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < WORK; ++i) {
#pragma unroll
    for (int column = 0; column < lanes; ++column) {
      sum = sum * 0.5f + tile[lane * pitch + ((column + i) & (lanes - 1))];
    }
  }
  for (int row = 0; row < lanes; ++row) {
    const long long i = first + row * lanes + lane;
    if (i < n) out[i] = sum;
  }
}

constexpr int live = 64;  // values of a thread in SPILLS

/// SPILLS: `live` elements of a thread, all needed in each round.
template <int WORK, int BLOCK>
__device__ void mix_values(const float* in, float* out, long long n) {
  const long long first = static_cast<long long>(blockIdx.x) * BLOCK * live + threadIdx.x;
  float value[live];
#pragma unroll
  for (int j = 0; j < live; ++j) {
    const long long i = first + static_cast<long long>(j) * BLOCK;
    value[j] = i < n ? in[i] : 0;
  }
#pragma unroll 1
  for (int round = 0; round < WORK; ++round) {
#pragma unroll
    for (int j = 0; j < live; ++j) value[j] = value[j] * 0.5f + value[(j + 17) % live] * 0.25f;
  }
#pragma unroll
  for (int j = 0; j < live; ++j) {
    const long long i = first + static_cast<long long>(j) * BLOCK;
    if (i < n) out[i] = value[j];
  }
}

/// ATOMICS: each warp counts its elements above 1/2, WORK times, in one of AMOUNT counters.
template <int WORK, int AMOUNT, int BLOCK>
__device__ void count_elements(const float* in, float* out, long long n) {
  __shared__ int counters[lanes];
  if (threadIdx.x < lanes) counters[threadIdx.x] = 0;
  __syncthreads();
  const long long i = static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x;
  // The value is unknown to the compiler, which would add up a warp's equal ones first.
  const int step = i < n && in[i] > 0.5f ? 1 : 0;
#pragma unroll 1
  for (int repeat = 0; repeat < WORK; ++repeat) {
    atomicAdd(&counters[(threadIdx.x + repeat) % AMOUNT], step);
  }
  __syncthreads();
  int sum = 0;
  for (int each = 0; each < AMOUNT; ++each) sum += counters[each];
  if (i < n) out[i] = static_cast<float>(sum) / BLOCK;
}

template <int KIND, int WORK, int AMOUNT, int BLOCK, int MIN_BLOCKS>
__global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    planted(const float* in, float* out, long long n) {
  if constexpr (KIND == CONFLICTS) {
    sum_rows<WORK, AMOUNT, BLOCK>(in, out, n);
  } else if constexpr (KIND == SPILLS) {
    mix_values<WORK, BLOCK>(in, out, n);
  } else if constexpr (KIND == ADDITIONS || KIND == SHUFFLES) {
    keep_elements<KIND, WORK, AMOUNT, BLOCK>(in, out, n);
  } else if constexpr (KIND == ATOMICS) {
    count_elements<WORK, AMOUNT, BLOCK>(in, out, n);
  } else {
    each_element<KIND, WORK, AMOUNT, BLOCK>(in, out, n);
  }
}
