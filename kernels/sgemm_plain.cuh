// What matrix products are compared with and checked against. Arguments as of sgemm. Functions of a
// thread, for kernels of different signatures.
#pragma once

namespace plain {

/// An element of a matrix that is stored as it is, or transposed.
template <int TRANSPOSED>
__device__ inline float element(const float* stored, long long ld, long long row, long long col) {
  return TRANSPOSED ? stored[col * ld + row] : stored[row * ld + col];
}

/// One thread per output, nothing shared. Neighbouring threads take neighbouring columns, so that
/// reads of B and writes of C are coalesced. Grid: ceil(M / ROWS), ceil(N / COLS).
template <int COLS, int ROWS, int TRANS_A, int TRANS_B>
__device__ inline void naive(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
                             const float* __restrict__ B, int ldb, float beta,
                             float* __restrict__ C, int ldc) {
  const long long row = static_cast<long long>(blockIdx.x) * ROWS + threadIdx.y;
  const long long col = static_cast<long long>(blockIdx.y) * COLS + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) {
    sum = fmaf(element<TRANS_A>(A, lda, row, k), element<TRANS_B>(B, ldb, k, col), sum);
  }
  float& out = C[row * ldc + col];
  out = beta == 0.0f ? alpha * sum : fmaf(beta, out, alpha * sum);
}

/// The textbook version: a tile of A and of B in shared memory, TILE x TILE threads with one
/// output each. Grid: ceil(M / TILE), ceil(N / TILE).
template <int TILE, int TRANS_A, int TRANS_B>
__device__ inline void shared_tiles(int M, int N, int K, float alpha, const float* __restrict__ A,
                                    int lda, const float* __restrict__ B, int ldb, float beta,
                                    float* __restrict__ C, int ldc) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const long long row = static_cast<long long>(blockIdx.x) * TILE + y;
  const long long col = static_cast<long long>(blockIdx.y) * TILE + x;
  float sum = 0.0f;
  for (long long k0 = 0; k0 < K; k0 += TILE) {
    a[y][x] = row < M && k0 + x < K ? element<TRANS_A>(A, lda, row, k0 + x) : 0.0f;
    b[y][x] = k0 + y < K && col < N ? element<TRANS_B>(B, ldb, k0 + y, col) : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum = fmaf(a[y][k], b[k][x], sum);
    __syncthreads();
  }
  if (row >= M || col >= N) return;
  float& out = C[row * ldc + col];
  out = beta == 0.0f ? alpha * sum : fmaf(beta, out, alpha * sum);
}

/// The result to check against: sums in double. 16 x 16 threads compute a TILE x TILE tile.
/// Grid: ceil(M / TILE) * ceil(N / TILE).
template <int TILE, int TRANS_A, int TRANS_B>
__device__ inline void reference(int M, int N, int K, float alpha, const float* __restrict__ A,
                                 int lda, const float* __restrict__ B, int ldb, float beta,
                                 float* __restrict__ C, int ldc) {
  constexpr int SIDE = 16;
  constexpr int EACH = TILE / SIDE;  // outputs of a thread along either side
  __shared__ float a[TILE][SIDE + 1];
  __shared__ float b[SIDE][TILE];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int tiles_n = (N - 1) / TILE + 1;
  const long long row0 = static_cast<long long>(blockIdx.x / tiles_n) * TILE;
  const long long col0 = static_cast<long long>(blockIdx.x % tiles_n) * TILE;
  double sum[EACH][EACH] = {};
  for (long long k0 = 0; k0 < K; k0 += SIDE) {
    for (int i = y; i < TILE; i += SIDE) {
      a[i][x] = row0 + i < M && k0 + x < K ? element<TRANS_A>(A, lda, row0 + i, k0 + x) : 0.0f;
    }
    for (int j = x; j < TILE; j += SIDE) {
      b[y][j] = k0 + y < K && col0 + j < N ? element<TRANS_B>(B, ldb, k0 + y, col0 + j) : 0.0f;
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
      float& out = C[row * ldc + col];
      const double old = beta == 0.0f ? 0.0 : static_cast<double>(beta) * out;
      out = static_cast<float>(alpha * sum[i][j] + old);
    }
  }
}

}  // namespace plain
