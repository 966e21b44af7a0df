// Single-precision matrix product on FMA units: C = alpha * A * B + beta * C.
// A is M x K, B is K x N, C is M x N, all row-major and dense. Any M, N, K >= 0, any alignment.
// As in BLAS, beta == 0 means that C is not read and alpha == 0 that A and B are not.
//
// A block computes a BM x BN tile of C from slices of A and B that are BK deep. Its warps share
// the tile as a grid; a warp's lanes are LANE_ROWS x (32 / LANE_ROWS); a lane owns TM x TN outputs.
//
//   STAGES   slices in shared memory. 2: the next slice travels through registers.
//            3 and more: cp.async brings slices in several steps ahead.
//   VEC      floats per global load, where pitch and alignment allow; otherwise one at a time
//   UNROLL   steps of k unrolled in the inner loop
//   GROUP    rows of tiles that are walked column by column, so that neighbours share L2 lines
//
// Launch: grid = ceil(M / BM) * ceil(N / BN), block = (BM / TM) * (BN / TN) threads,
// dynamic shared memory = STAGES * BK * (BM + 4 + BN) * 4 bytes.

template <int WIDTH>
struct Vector;
template <>
struct Vector<1> {
  using Type = float;
};
template <>
struct Vector<2> {
  using Type = float2;
};
template <>
struct Vector<4> {
  using Type = float4;
};

/// Moves WIDTH floats in one access; both ends must be aligned to it.
template <int WIDTH>
__device__ void move(float* to, const float* from) {
  using Type = typename Vector<WIDTH>::Type;
  *reinterpret_cast<Type*>(to) = *reinterpret_cast<const Type*>(from);
}

/// True where every row of a matrix of this pitch can be read WIDTH floats at a time.
template <int WIDTH>
__device__ bool is_aligned(const float* matrix, int pitch) {
  return reinterpret_cast<unsigned long long>(matrix) % (4 * WIDTH) == 0 && pitch % WIDTH == 0;
}

/// Starts a copy of WIDTH floats into shared memory; writes zeros where `valid` is false.
template <int WIDTH>
__device__ void copy_async(float* to, const float* from, bool valid = true) {
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const int bytes = valid ? 4 * WIDTH : 0;
  if constexpr (WIDTH == 4) {  // only 16-byte copies may bypass L1
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                 "r"(bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from),
                 "n"(4 * WIDTH), "r"(bytes)
                 : "memory");
  }
}

/// Closes a group of copies. Every thread closes one per slice, even an empty one, so that
/// groups can be counted.
__device__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until at most PENDING groups of this thread's copies are under way.
template <int PENDING>
__device__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

/// *from where `valid`, else 0. Predicated by hand: as a branch per element, the edges would take
/// most of the compile time.
__device__ float load_if(bool valid, const float* from) {
  float value;
  asm volatile(
      "{\n .reg .pred p;\n setp.ne.s32 p, %2, 0;\n mov.f32 %0, 0f00000000;\n"
      " @p ld.global.f32 %0, [%1];\n}"
      : "=f"(value)
      : "l"(from), "r"(static_cast<int>(valid))
      : "memory");
  return value;
}

/// *to = value where `valid`.
__device__ void store_if(bool valid, float* to, float value) {
  asm volatile(
      "{\n .reg .pred p;\n setp.ne.s32 p, %2, 0;\n @p st.global.f32 [%0], %1;\n}" ::"l"(to),
      "f"(value), "r"(static_cast<int>(valid))
      : "memory");
}

template <int BM, int BN, int BK, int TM, int TN, int LANE_ROWS, int STAGES, int VEC, int UNROLL,
          int GROUP, int MIN_BLOCKS>
__global__ void __launch_bounds__((BM / TM) * (BN / TN), MIN_BLOCKS)
    sgemm(int M, int N, int K, float alpha, const float* __restrict__ A,
          const float* __restrict__ B, float beta, float* __restrict__ C) {
  constexpr int THREADS = (BM / TM) * (BN / TN);
  constexpr int LANE_COLS = 32 / LANE_ROWS;
  constexpr int WARP_ROWS = BM / (LANE_ROWS * TM);
  constexpr bool ASYNC = STAGES > 2;
  // A lane's rows and columns come in runs of up to four, each one shared load.
  constexpr int RUN_M = TM < 4 ? TM : 4;
  constexpr int RUN_N = TN < 4 ? TN : 4;
  // A is turned on the way into shared memory. Eight neighbouring lanes take eight k of one row
  // (fewer lanes with vectors), and the padding puts their stores into different banks.
  constexpr int A_VEC = ASYNC ? 1 : VEC;  // cp.async cannot turn: one float each
  constexpr int A_PITCH = BM + 4;
  constexpr int A_LANES = 8 / A_VEC;
  constexpr int A_ROWS = THREADS / A_LANES;  // rows of eight k per pass over the slice
  constexpr int A_PASSES = BM * BK / (THREADS * A_VEC);
  constexpr int B_LANES = BN / VEC;
  constexpr int B_PASSES = BK * BN / (THREADS * VEC);
  constexpr int SLICE = BK * (A_PITCH + BN);
  static_assert(BM % (LANE_ROWS * TM) == 0 && BN % (LANE_COLS * TN) == 0, "warps tile the block");
  static_assert(A_PASSES * THREADS * A_VEC == BM * BK, "threads share A's slice evenly");
  static_assert(B_PASSES * THREADS * VEC == BK * BN, "threads share B's slice evenly");
  static_assert(A_ROWS % BM == 0 || BM % A_ROWS == 0, "passes over A are regular");
  static_assert(THREADS % B_LANES == 0 || B_LANES % THREADS == 0, "passes over B are regular");
  static_assert(BK % 8 == 0 && BK % UNROLL == 0 && UNROLL % 2 == 0, "k steps");

  extern __shared__ __align__(16) float shared[];  // STAGES slices, each A's part, then B's

  // From here on A, B and C start at this block's tile; `rows` and `cols` are what is left there.
  if (M <= 0 || N <= 0) return;
  const int tiles_m = (M - 1) / BM + 1;
  const int tiles_n = (N - 1) / BN + 1;
  const int tile = static_cast<int>(blockIdx.x);
  const int group_row = tile / (GROUP * tiles_n) * GROUP;
  const int group_rows = min(GROUP, tiles_m - group_row);
  const int in_group = tile % (GROUP * tiles_n);
  const int row0 = (group_row + in_group % group_rows) * BM;
  const int col0 = in_group / group_rows * BN;
  const int rows = M - row0;
  const int cols = N - col0;
  const bool inside = rows >= BM && cols >= BN && is_aligned<A_VEC>(A, K) && is_aligned<VEC>(B, N);
  A += static_cast<long long>(row0) * K;
  B += col0;
  C += static_cast<long long>(row0) * N + col0;

  const int thread = static_cast<int>(threadIdx.x);
  const int a_row = thread / A_LANES % BM;
  const int a_k = thread / A_LANES / BM * 8 + thread % A_LANES * A_VEC;
  const int b_k = thread / B_LANES;
  const int b_col = thread % B_LANES * VEC;
  __align__(16) float a_next[ASYNC ? 1 : A_PASSES][A_VEC];
  __align__(16) float b_next[ASYNC ? 1 : B_PASSES][VEC];

  // This thread's part of pass i: A(a_row + a_row_step(i), a_k + a_k_step(i)), likewise B.
  const auto a_row_step = [](int i) { return i * A_ROWS % BM; };
  const auto a_k_step = [](int i) { return i * A_ROWS / BM * 8; };
  const auto b_k_step = [](int i) { return i * THREADS / B_LANES; };
  const auto b_col_step = [](int i) { return i * THREADS % B_LANES * VEC; };

  // Whole slices of inner tiles are read as they are. Everything else goes element by element,
  // with zeros outside the matrices.
  const auto read_slice = [&](int slice) {
    const int k0 = slice * BK;
    if (inside && K - k0 >= BK) {
      const float* a = A + static_cast<long long>(a_row) * K + k0 + a_k;
      const float* b = B + static_cast<long long>(k0 + b_k) * N + b_col;
#pragma unroll
      for (int i = 0; i < A_PASSES; ++i) {
        move<A_VEC>(a_next[i], a + static_cast<long long>(a_row_step(i)) * K + a_k_step(i));
      }
#pragma unroll
      for (int i = 0; i < B_PASSES; ++i) {
        move<VEC>(b_next[i], b + static_cast<long long>(b_k_step(i)) * N + b_col_step(i));
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < A_PASSES; ++i) {
      const int row = a_row + a_row_step(i);
      const int k = k0 + a_k + a_k_step(i);
      const float* a = A + static_cast<long long>(row) * K + k;
#pragma unroll
      for (int v = 0; v < A_VEC; ++v) a_next[i][v] = load_if((row < rows) & (k + v < K), a + v);
    }
#pragma unroll
    for (int i = 0; i < B_PASSES; ++i) {
      const int k = k0 + b_k + b_k_step(i);
      const int col = b_col + b_col_step(i);
      const float* b = B + static_cast<long long>(k) * N + col;
#pragma unroll
      for (int v = 0; v < VEC; ++v) b_next[i][v] = load_if((k < K) & (col + v < cols), b + v);
    }
  };

  const auto store_slice = [&](int stage) {
    float* a = shared + stage * SLICE + a_k * A_PITCH + a_row;
    float* b = shared + stage * SLICE + BK * A_PITCH + b_k * BN + b_col;
#pragma unroll
    for (int i = 0; i < A_PASSES; ++i) {
#pragma unroll
      for (int v = 0; v < A_VEC; ++v) {
        a[(a_k_step(i) + v) * A_PITCH + a_row_step(i)] = a_next[i][v];
      }
    }
#pragma unroll
    for (int i = 0; i < B_PASSES; ++i) {
      move<VEC>(b + b_k_step(i) * BN + b_col_step(i), b_next[i]);
    }
  };

  const auto copy_slice = [&](int slice, int stage) {
    const int k0 = slice * BK;
    float* a_to = shared + stage * SLICE + a_k * A_PITCH + a_row;
    float* b_to = shared + stage * SLICE + BK * A_PITCH + b_k * BN + b_col;
    const float* a = A + static_cast<long long>(a_row) * K + k0 + a_k;
    const float* b = B + static_cast<long long>(k0 + b_k) * N + b_col;
    if (inside && K - k0 >= BK) {
#pragma unroll
      for (int i = 0; i < A_PASSES; ++i) {
        copy_async<1>(a_to + a_k_step(i) * A_PITCH + a_row_step(i),
                      a + static_cast<long long>(a_row_step(i)) * K + a_k_step(i));
      }
#pragma unroll
      for (int i = 0; i < B_PASSES; ++i) {
        copy_async<VEC>(b_to + b_k_step(i) * BN + b_col_step(i),
                        b + static_cast<long long>(b_k_step(i)) * N + b_col_step(i));
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < A_PASSES; ++i) {
      const bool valid = a_row + a_row_step(i) < rows && k0 + a_k + a_k_step(i) < K;
      const float* from = a + static_cast<long long>(a_row_step(i)) * K + a_k_step(i);
      copy_async<1>(a_to + a_k_step(i) * A_PITCH + a_row_step(i), valid ? from : A, valid);
    }
#pragma unroll
    for (int i = 0; i < B_PASSES; ++i) {
      const float* from = b + static_cast<long long>(b_k_step(i)) * N + b_col_step(i);
#pragma unroll
      for (int v = 0; v < VEC; ++v) {
        const bool valid = k0 + b_k + b_k_step(i) < K && b_col + b_col_step(i) + v < cols;
        copy_async<1>(b_to + b_k_step(i) * BN + b_col_step(i) + v, valid ? from + v : B, valid);
      }
    }
  };

  const int warp = thread / 32;
  const int lane = thread % 32;
  const int c_row = warp % WARP_ROWS * LANE_ROWS * TM + lane / LANE_COLS * RUN_M;
  const int c_col = warp / WARP_ROWS * LANE_COLS * TN + lane % LANE_COLS * RUN_N;

  // Fragments are read one step of k ahead of their use, into the other half of a and b.
  __align__(16) float a[2][TM];
  __align__(16) float b[2][TN];
  __align__(16) float c[TM][TN] = {};
  const auto load_fragments = [&](int half, int stage, int k) {
    const float* from_a = shared + stage * SLICE + k * A_PITCH + c_row;
    const float* from_b = shared + stage * SLICE + BK * A_PITCH + k * BN + c_col;
#pragma unroll
    for (int i = 0; i < TM; i += RUN_M) move<RUN_M>(&a[half][i], from_a + i * LANE_ROWS);
#pragma unroll
    for (int j = 0; j < TN; j += RUN_N) move<RUN_N>(&b[half][j], from_b + j * LANE_COLS);
  };

  const int slices = alpha == 0.0f || K <= 0 ? 0 : (K - 1) / BK + 1;
  if (slices > 0) {
    if constexpr (ASYNC) {
#pragma unroll 1
      for (int s = 0; s < STAGES - 1; ++s) {
        if (s < slices) copy_slice(s, s);
        commit_copies();
      }
      wait_copies<STAGES - 2>();
    } else {
      read_slice(0);
      store_slice(0);
    }
    __syncthreads();
    load_fragments(0, 0, 0);
  }

  int stage = 0;
#pragma unroll 1
  for (int slice = 0; slice < slices; ++slice) {
    const int next_stage = stage + 1 == STAGES ? 0 : stage + 1;
    const int ahead = slice + (ASYNC ? STAGES - 1 : 1);
    if constexpr (ASYNC) {  // into the stage that the previous slice has left
      if (ahead < slices) copy_slice(ahead, stage == 0 ? STAGES - 1 : stage - 1);
      commit_copies();
    } else {
      if (ahead < slices) read_slice(ahead);
    }
#pragma unroll 1
    for (int k0 = 0; k0 < BK; k0 += UNROLL) {
#pragma unroll
      for (int step = 0; step < UNROLL; ++step) {
        const int half = step % 2;
        if (step + 1 == UNROLL && k0 + UNROLL == BK) {
          // The slice is used up: publish the next one and go on in it. One barrier is enough,
          // for nobody writes to a stage that another thread may still read.
          if constexpr (ASYNC) {
            wait_copies<STAGES - 2>();
          } else {
            if (ahead < slices) store_slice(next_stage);
          }
          __syncthreads();
          stage = next_stage;
          load_fragments(half ^ 1, stage, 0);
        } else {
          load_fragments(half ^ 1, stage, k0 + step + 1);
        }
        // Every second row runs backwards: two neighbouring FMAs then share an operand, which
        // spares the register file a read.
#pragma unroll
        for (int i = 0; i < TM; ++i) {
#pragma unroll
          for (int jj = 0; jj < TN; ++jj) {
            const int j = i % 2 ? TN - 1 - jj : jj;
            c[i][j] = fmaf(a[half][i], b[half][j], c[i][j]);
          }
        }
      }
    }
  }

  // Output (i, j) of this thread is C(c_row + row_step(i), c_col + col_step(j)).
  const auto row_step = [](int i) { return i / RUN_M * RUN_M * LANE_ROWS + i % RUN_M; };
  const auto col_step = [](int j) { return j / RUN_N * RUN_N * LANE_COLS + j % RUN_N; };
  const bool whole_runs = is_aligned<RUN_N>(C, N);
  if (beta == 0.0f && whole_runs) {  // a run of columns is then inside or outside as a whole
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      if (c_row + row_step(i) >= rows) break;
      float* out = C + static_cast<long long>(c_row + row_step(i)) * N + c_col;
#pragma unroll
      for (int j = 0; j < TN; j += RUN_N) {
#pragma unroll
        for (int v = 0; v < RUN_N; ++v) c[i][j + v] *= alpha;
        if (c_col + col_step(j) < cols) move<RUN_N>(out + col_step(j), &c[i][j]);
      }
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    float* out = C + static_cast<long long>(c_row + row_step(i)) * N + c_col;
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const bool inner = (c_row + row_step(i) < rows) & (c_col + col_step(j) < cols);
      const float old = load_if(inner & (beta != 0.0f), out + col_step(j));
      store_if(inner, out + col_step(j), fmaf(beta, old, alpha * c[i][j]));
    }
  }
}

// What to compare with and what to check against. Templates too, so that compiling one kernel
// of this file does not compile the others.

/// One thread per output, nothing shared. Neighbouring threads take neighbouring columns, so that
/// reads of B and writes of C are coalesced. Grid: ceil(M / ROWS), ceil(N / COLS).
template <int COLS, int ROWS>
__global__ void sgemm_naive(int M, int N, int K, float alpha, const float* __restrict__ A,
                            const float* __restrict__ B, float beta, float* __restrict__ C) {
  const long long row = static_cast<long long>(blockIdx.x) * ROWS + threadIdx.y;
  const long long col = static_cast<long long>(blockIdx.y) * COLS + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + col], sum);
  float& out = C[row * N + col];
  out = beta == 0.0f ? alpha * sum : fmaf(beta, out, alpha * sum);
}

/// The textbook version: a tile of A and of B in shared memory, TILE x TILE threads with one
/// output each. Grid: ceil(M / TILE), ceil(N / TILE).
template <int TILE>
__global__ void sgemm_shared(int M, int N, int K, float alpha, const float* __restrict__ A,
                             const float* __restrict__ B, float beta, float* __restrict__ C) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const long long row = static_cast<long long>(blockIdx.x) * TILE + y;
  const long long col = static_cast<long long>(blockIdx.y) * TILE + x;
  float sum = 0.0f;
  for (long long k0 = 0; k0 < K; k0 += TILE) {
    a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    b[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum = fmaf(a[y][k], b[k][x], sum);
    __syncthreads();
  }
  if (row >= M || col >= N) return;
  float& out = C[row * N + col];
  out = beta == 0.0f ? alpha * sum : fmaf(beta, out, alpha * sum);
}

/// The result to check against: sums in double. 16 x 16 threads compute a TILE x TILE tile.
/// Grid: ceil(M / TILE) * ceil(N / TILE).
template <int TILE>
__global__ void __launch_bounds__(256)
    sgemm_reference(int M, int N, int K, float alpha, const float* __restrict__ A,
                    const float* __restrict__ B, float beta, float* __restrict__ C) {
  constexpr int SIDE = 16;
  constexpr int EACH = TILE / SIDE;  // outputs of a thread along either side
  __shared__ float a[TILE][SIDE + 1];
  __shared__ float b[SIDE][TILE];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int tiles_n = (N + TILE - 1) / TILE;
  const long long row0 = static_cast<long long>(blockIdx.x / tiles_n) * TILE;
  const long long col0 = static_cast<long long>(blockIdx.x % tiles_n) * TILE;
  double sum[EACH][EACH] = {};
  for (long long k0 = 0; k0 < K; k0 += SIDE) {
    for (int i = y; i < TILE; i += SIDE) {
      a[i][x] = row0 + i < M && k0 + x < K ? A[(row0 + i) * K + k0 + x] : 0.0f;
    }
    for (int j = x; j < TILE; j += SIDE) {
      b[y][j] = k0 + y < K && col0 + j < N ? B[(k0 + y) * N + col0 + j] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < SIDE; ++k) {
#pragma unroll
      for (int i = 0; i < EACH; ++i) {
#pragma unroll
        for (int j = 0; j < EACH; ++j) {
          sum[i][j] += static_cast<double>(a[y + SIDE * i][k]) * b[k][x + SIDE * j];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < EACH; ++i) {
#pragma unroll
    for (int j = 0; j < EACH; ++j) {
      const long long row = row0 + y + SIDE * i;
      const long long col = col0 + x + SIDE * j;
      if (row >= M || col >= N) continue;
      float& out = C[row * N + col];
      const double old = beta == 0.0f ? 0.0 : static_cast<double>(beta) * out;
      out = static_cast<float>(alpha * sum[i][j] + old);
    }
  }
}
