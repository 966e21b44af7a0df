// Single-precision matrix product on tensor cores: C = alpha * A * B + beta * C, with the error
// of FP32 FMAs, and less of it for large K. A is M x K, B is K x N, C is M x N, all row-major and
// dense. Any M, N, K >= 0. As in BLAS, beta == 0 means that C is not read and alpha == 0 that A
// and B are not. For compute capability 9.0 (wgmma, TMA, setmaxnreg).
//
// Tensor cores multiply TF32, which has 11 significant bits. Each float is the sum of a high part,
// it rounded to TF32, and a low part, the rest; a product is high*high + high*low + low*high. The
// tensor cores add without rounding to nearest, so a sum must not stay there for long: every 32
// products of k are one fresh sum, the small products first, and the sums are added in FP32. With
// CARRY, what such an addition rounds off is where the next fresh sum begins (Kahan): the error
// then no longer grows with K.
//
// wgmma has one operand in registers and the other, k innermost, in shared memory. A lies so as it
// comes; B does not, and TF32 has no transposing loads. So what is computed is C' = B' A': B goes
// through registers, where it is split as well, and of A in shared memory three warps split a
// slice in place and beside it.
//
//   BM, BN      rows and columns of a tile of C
//   WARPGROUPS  warpgroups that multiply, each BN / WARPGROUPS columns; one more brings the data
//   STAGES      slices of A and B in shared memory, 32 deep
//   GROUP       rows of tiles that are walked column by column, so that neighbours share L2 lines
//   ALIGNED     1 where K and N are multiples of four: TMA, which copies boxes, takes pitches of 16
//               bytes only; else floats are copied one by one
//   CARRY       1 needs BN == 64 * WARPGROUPS: only then there are registers for it
//
// What a product of high and low parts cannot have: where an element of A or B is infinite, NaN or
// rounds up to infinity, it gives NaN. So each sum that is not finite is computed again with FMAs.
// Elements below 2^-112 have low parts that TF32 cannot hold: an error of 2^-137 times the other
// factor remains.
//
// a_map, b_map: maps of A in boxes of 32 columns and BM rows, of B in boxes of 32 columns and rows,
// in the 128-byte swizzle. Used where ALIGNED, unless K is 0.
//
// Launch: any grid of at most a block per slice and 32767 per tile, 128 * (WARPGROUPS + 1)
// threads, dynamic shared memory = 1024 + STAGES * (128 * (2 * BM + BN) + 24). `progress` has an
// int per tile, zero before and after.

#include "sgemm_plain.cuh"
#include "tf32x3_block.cuh"

template <int BM, int BN, int WARPGROUPS, int STAGES, int GROUP, int ALIGNED, int CARRY>
__global__ void __launch_bounds__(128 * (WARPGROUPS + 1), WARPGROUPS == 1 ? 2 : 1)
    sgemm_tf32x3(const __grid_constant__ ptx::TensorMap a_map,
                 const __grid_constant__ ptx::TensorMap b_map, int M, int N, int K, float alpha,
                 const float* __restrict__ A, const float* __restrict__ B, float beta,
                 float* __restrict__ C, int* progress) {
  using Block = tf32x3::Block<BM, BN, WARPGROUPS, STAGES, GROUP, ALIGNED, CARRY>;
  using Registers = tf32x3::Registers<WARPGROUPS, Block::TILES * Block::SUMS, ALIGNED>;
  if (M <= 0 || N <= 0) return;
  const tf32x3::Operands given{M, N, K, alpha, A, B, beta, C};
  const Block block(given, progress);
  if (threadIdx.x == 0) block.init_barriers();
  __syncthreads();
  // The same in all lanes, and known to be.
  const int warp = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (warp < 4 * WARPGROUPS) {
    ptx::take_registers<Registers::TO_MULTIPLY>();
    block.multiply(warp, lane);
    return;
  }
  ptx::keep_registers<Registers::TO_LOAD>();
  const int helper = warp - 4 * WARPGROUPS;
  if (helper >= Block::LOADERS) {
    block.split_a(32 * (helper - Block::LOADERS) + lane);
  } else if (!ALIGNED) {
    block.load_rows(helper, lane);
  } else if (lane == 0) {
    block.load_boxes(a_map, b_map);
  }
}

// What to compare with and what to check against. The maps are of no use to them.

/// Grid: ceil(M / ROWS), ceil(N / COLS).
template <int COLS, int ROWS>
__global__ void sgemm_tf32x3_naive(const __grid_constant__ ptx::TensorMap,
                                   const __grid_constant__ ptx::TensorMap, int M, int N, int K,
                                   float alpha, const float* __restrict__ A,
                                   const float* __restrict__ B, float beta, float* __restrict__ C,
                                   int*) {
  plain::naive<COLS, ROWS, 0, 0>(M, N, K, alpha, A, K, B, N, beta, C, N);
}

/// Grid: ceil(M / TILE) * ceil(N / TILE).
template <int TILE>
__global__ void __launch_bounds__(256)
    sgemm_tf32x3_reference(const __grid_constant__ ptx::TensorMap,
                           const __grid_constant__ ptx::TensorMap, int M, int N, int K, float alpha,
                           const float* __restrict__ A, const float* __restrict__ B, float beta,
                           float* __restrict__ C, int*) {
  plain::reference<TILE, 0, 0>(M, N, K, alpha, A, K, B, N, beta, C, N);
}
