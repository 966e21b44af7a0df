// Single-precision matrix product on FMA units: C = alpha * op(A) * op(B) + beta * C, row-major.
// op(A) is M x K, op(B) is K x N, C is M x N. A is stored as M x K, or with TRANS_A as K x M, B as
// K x N, or with TRANS_B as N x K; lda, ldb and ldc are the floats from one stored row to the next.
// Any M, N, K >= 0, any alignment. As in BLAS, beta == 0 means that C is not read and alpha == 0
// that A and B are not.
//
// A tile of C is computed from slices of A and B along k. The block's warps share the tile as a
// grid, a warp's lanes are rows and columns of lanes, and a lane owns TM x TN outputs. Three kinds
// of kernels do this. Each is compiled with what its inner loop needs to know; the launch says the
// rest, as `layout`.
//
//   STAGES        more than 1: slices, SLICE_K deep, in shared memory, brought by cp.async ahead of
//                 their use; a stage is refilled a slice after its last use, so that no warp waits
//                 for the slowest. Tiles are TILE_M x TILE_N, each a power of two, or three
//                 quarters of one (TILE_M if TM is 12, TILE_N if TN is 12), with LANES_M rows of
//                 lanes in a warp. With 1 or 32 a warp's tile is TM rows or TN columns thin, for a
//                 matrix times a few vectors. `layout` does not count
//                 1: for shallow products: one slice if K <= SLICE_K; for more, C is read and
//                 written again for each. A thread keeps TN columns of B, and TM rows at a time
//                 pass by
//                 0: for small and thin products: threads read operands where they are, `steps`
//                 of k at once, and take turns along k: a slice is k_lanes * k_warps * steps
//                 deep. SLICE_K does not count
//   A_VEC, B_VEC  floats per copy of a matrix whose stored rows run along the tile (TRANS_A, not
//                 TRANS_B); lda or ldb must be a multiple of it. Of the other kind, 1: slices are
//                 turned on the way, see fp32::Lie; for A also 2 or 4: they are kept as they lie.
//                 1 where STAGES is 1. Where STAGES is 0, floats per load of a matrix whose stored
//                 rows run along k, 1 for the other kind
//   EXACT         1, with STAGES > 1: M, N and K are multiples of TILE_M, TILE_N and SLICE_K,
//                 K > 0, ldc is a multiple of 4 and all matrices are aligned to 16 bytes: nothing
//                 is checked
//   ORDERED       1: what blocks that share a tile have of it is added in the order of their
//                 slices: the same bits every time. With STAGES of 0 or 1 it always is
//
// Launch: any grid of at most a block per slice (see TileSchedule). With tiles of rows x columns:
//   STAGES > 1    (rows / TM) * (columns / TN) threads, dynamic shared memory = STAGES * (SLICE_K *
//                 (rows + columns + padding) * 4 + 16), padding = 4 for A unless TRANS_A, 4 for B
//                 if TRANS_B; slices of A that are kept have rows * (SLICE_K + 4) floats
//   STAGES = 1    columns / TN threads, a multiple of 32 and at most 256, and (SLICE_K + 4) *
//                 (rows + columns if TRANS_B) * 4 bytes
//   STAGES = 0    (rows / TM) * (columns / TN) * k_lanes * k_warps threads, a multiple of 32 and at
//                 most 512, and k_warps * rows * columns * 4 bytes, but none for a block per tile
//                 and k_warps = 1
// `arrivals` has an int per tile, zero before and after; with ORDERED or STAGES = 0, but not for a
// block per tile, from the next multiple of 16 bytes on 2 * rows * columns floats per block as
// well.

#include "fp32_block.cuh"
#include "fp32_direct.cuh"
#include "fp32_layout.cuh"
#include "fp32_shallow.cuh"
#include "sgemm_plain.cuh"

/// Of a block, as far as the compiler knows.
template <int TILE_M, int TILE_N, int TM, int TN, int STAGES>
constexpr int most_threads = STAGES == 0   ? 512
                             : STAGES == 1 ? 256
                                           : (TILE_M / TM) * (TILE_N / TN);

template <int TILE_M, int TILE_N, int SLICE_K, int TM, int TN, int LANES_M, int STAGES,
          int MIN_RESIDENT, int TRANS_A, int TRANS_B, int A_VEC, int B_VEC, int EXACT, int ORDERED>
__global__ void __launch_bounds__(most_threads<TILE_M, TILE_N, TM, TN, STAGES>, MIN_RESIDENT)
    sgemm(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
          const float* __restrict__ B, int ldb, float beta, float* __restrict__ C, int ldc,
          int* arrivals, fp32::TileLayout layout) {
  const fp32::Thread thread;  // before any branch: later it costs registers, 13 with TRANS_A
  if (M <= 0 || N <= 0) return;
  if (alpha == 0.0f || K <= 0) {
    fp32::scale(M, N, beta, C, ldc);
    return;
  }
  const fp32::Operands given{M, N, K, alpha, A, lda, B, ldb, beta, C, ldc};
  if constexpr (STAGES == 0) {
    fp32::Direct<TM, TN, TRANS_A, TRANS_B, A_VEC, B_VEC>(given, layout, arrivals).multiply();
  } else if constexpr (STAGES == 1) {
    fp32::Shallow<SLICE_K, TM, TN, TRANS_A, TRANS_B>(given, layout).multiply();
  } else {
    using Block = fp32::Block<TILE_M, TILE_N, SLICE_K, TM, TN, LANES_M, STAGES, TRANS_A, TRANS_B,
                              A_VEC, B_VEC, EXACT, ORDERED>;
    if (thread.number == 0) Block::init_barriers();
    __syncthreads();
    Block(given, thread, arrivals).multiply();
  }
}

// What to compare with and what to check against. Templates, so that compiling one kernel does not
// compile the others.

/// Grid: ceil(M / ROWS), ceil(N / COLS).
template <int COLS, int ROWS, int TRANS_A, int TRANS_B>
__global__ void sgemm_naive(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
                            const float* __restrict__ B, int ldb, float beta, float* __restrict__ C,
                            int ldc, int*, fp32::TileLayout) {
  plain::naive<COLS, ROWS, TRANS_A, TRANS_B>(M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

/// Grid: ceil(M / TILE), ceil(N / TILE).
template <int TILE, int TRANS_A, int TRANS_B>
__global__ void sgemm_shared(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
                             const float* __restrict__ B, int ldb, float beta,
                             float* __restrict__ C, int ldc, int*, fp32::TileLayout) {
  plain::shared_tiles<TILE, TRANS_A, TRANS_B>(M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

/// Grid: ceil(M / TILE) * ceil(N / TILE).
template <int TILE, int TRANS_A, int TRANS_B>
__global__ void __launch_bounds__(256)
    sgemm_reference(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
                    const float* __restrict__ B, int ldb, float beta, float* __restrict__ C,
                    int ldc, int*, fp32::TileLayout) {
  plain::reference<TILE, TRANS_A, TRANS_B>(M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}
