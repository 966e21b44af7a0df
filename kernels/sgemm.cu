// Single-precision matrix product on FMA units: C = alpha * op(A) * op(B) + beta * C, row-major.
// op(A) is M x K, op(B) is K x N, C is M x N. A is stored as M x K, or with TRANS_A as K x M, B as
// K x N, or with TRANS_B as N x K; lda, ldb and ldc are the floats from one stored row to the next.
// Any M, N, K >= 0, any alignment. As in BLAS, beta == 0 means that C is not read and alpha == 0
// that A and B are not.
//
// A BM x BN tile of C is computed from slices of A and B that are BK deep. The block's warps share
// the tile as a grid; a warp's lanes are LANE_ROWS x (32 / LANE_ROWS); a lane owns TM x TN outputs.
// With LANE_ROWS = 1 or 32 a warp's tile is TM rows or TN columns thin, for a matrix times a few
// vectors.
//
//   STAGES        slices in shared memory, brought by cp.async ahead of their use; a stage is
//                 refilled a slice after its last use, so that no warp waits for the slowest.
//                 1: for shallow products, K <= BK or little more: a thread keeps TN columns of
//                 B, and TM rows at a time pass by. LANE_ROWS, EXACT and ORDERED do not count
//                 0: none, for small and thin products: threads read operands where they are, BK,
//                 EXACT and ORDERED do not count, and these do:
//     K_LANES, K_WARPS  neighbouring lanes and warps that share outputs and take turns along k
//     UNROLL            steps of k that a thread reads at once: a slice is K_LANES * K_WARPS *
//                       UNROLL deep
//   A_VEC, B_VEC  floats per copy of a matrix whose stored rows run along the tile (TRANS_A, not
//                 TRANS_B); lda or ldb must be a multiple of it. 1 for the other kind, see
//                 fp32::Slices. With STAGES = 0, floats per load of a matrix whose stored rows run
//                 along k, 1 for the other kind
//   EXACT         1: M, N and K are multiples of BM, BN and BK, K > 0, ldc is a multiple of 4 and
//                 all matrices are aligned to 16 bytes: nothing is checked
//   ORDERED       1: what blocks that share a tile have of it is added in the order of their
//                 slices: the same bits every time
//
// Launch: any grid of at most a block per slice (see TileSchedule), (BM / TM) * (BN / TN) * K_LANES *
// K_WARPS threads, dynamic shared memory = STAGES * (BK * (BM + BN + padding) * 4 + 16), padding = 4
// for A unless TRANS_A, and 4 for B if TRANS_B; with STAGES = 0, K_WARPS * BM * BN * 4, and none
// for a block per tile and K_WARPS = 1; with STAGES = 1, BN / TN threads and (BK + 4) * (BM + BN if
// TRANS_B) * 4. `arrivals` has an int per tile, zero before and after; with ORDERED or STAGES = 0,
// but not for a block per tile, from the next multiple of 16 bytes on 2 * BM * BN floats per block
// as well.

#include "fp32_block.cuh"
#include "fp32_direct.cuh"
#include "fp32_shallow.cuh"
#include "sgemm_plain.cuh"

template <int BM, int BN, int BK, int TM, int TN, int LANE_ROWS, int STAGES, int K_LANES,
          int K_WARPS, int UNROLL, int MIN_BLOCKS, int TRANS_A, int TRANS_B, int A_VEC, int B_VEC,
          int EXACT, int ORDERED>
__global__ void __launch_bounds__((STAGES == 1 ? 1 : BM / TM) * (BN / TN) * K_LANES * K_WARPS,
                                  MIN_BLOCKS)
    sgemm(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
          const float* __restrict__ B, int ldb, float beta, float* __restrict__ C, int ldc,
          int* arrivals) {
  const fp32::Thread thread;  // before any branch: later it costs registers, 13 with TRANS_A
  if (M <= 0 || N <= 0) return;
  if (alpha == 0.0f || K <= 0) {
    fp32::scale(M, N, beta, C, ldc);
    return;
  }
  const fp32::Operands given{M, N, K, alpha, A, lda, B, ldb, beta, C, ldc};
  if constexpr (STAGES == 0) {
    fp32::Direct<BM, BN, TM, TN, LANE_ROWS, K_LANES, K_WARPS, UNROLL, TRANS_A, TRANS_B, A_VEC,
                 B_VEC>(given, arrivals)
        .multiply();
  } else if constexpr (STAGES == 1) {
    fp32::Shallow<BM, BN, BK, TM, TN, TRANS_A, TRANS_B>(given).multiply();
  } else {
    using Block = fp32::Block<BM, BN, BK, TM, TN, LANE_ROWS, STAGES, TRANS_A, TRANS_B, A_VEC, B_VEC,
                              EXACT, ORDERED>;
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
                            int ldc, int*) {
  plain::naive<COLS, ROWS, TRANS_A, TRANS_B>(M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

/// Grid: ceil(M / TILE), ceil(N / TILE).
template <int TILE, int TRANS_A, int TRANS_B>
__global__ void sgemm_shared(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
                             const float* __restrict__ B, int ldb, float beta,
                             float* __restrict__ C, int ldc, int*) {
  plain::shared_tiles<TILE, TRANS_A, TRANS_B>(M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

/// Grid: ceil(M / TILE) * ceil(N / TILE).
template <int TILE, int TRANS_A, int TRANS_B>
__global__ void __launch_bounds__(256)
    sgemm_reference(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
                    const float* __restrict__ B, int ldb, float beta, float* __restrict__ C,
                    int ldc, int*) {
  plain::reference<TILE, TRANS_A, TRANS_B>(M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}
