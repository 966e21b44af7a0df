// What a thread of sgemm.cu computes of a tile, and from what.
#pragma once

#include "ptx.cuh"

namespace fp32 {

struct Thread {
  int number = static_cast<int>(threadIdx.x);
  int warp = number / 32;
  int lane = number % 32;
};

/// A warp's lanes as LANES_M rows, in Z-order: neighbours share an address of A or of B.
template <int LANES_M>
struct Lanes {
  static constexpr bool THIN = LANES_M == 1 || LANES_M == 32;  // a single column or row
  static constexpr int ROW_BITS = LANES_M / 2 - 1;

  static __device__ int row(int lane) {
    return THIN ? lane % LANES_M : lane % 2 | (lane / 4 & ROW_BITS) * 2;
  }
  static __device__ int column(int lane) {
    return THIN ? lane / LANES_M : lane / 2 % 2 | lane / (2 * LANES_M) * 2;
  }
};

/// Where a thread's TM x TN outputs are in a tile of TILE_M x TILE_N. A lane's rows come in runs of
/// ROW_RUN.
template <int TILE_M, int TILE_N, int TM, int TN, int LANES_M, int ROW_RUN>
struct Place {
  static constexpr int LANES_N = 32 / LANES_M;
  static constexpr int WARP_ROWS = TILE_M / (LANES_M * TM);
  static constexpr int RUN = 4;  // a lane's columns come in fours, each one shared load
  static_assert(TILE_M % (LANES_M * TM) == 0 && TILE_N % (LANES_N * TN) == 0,
                "warps tile the block");
  static_assert(TM % RUN == 0 && TN % RUN == 0, "lanes load fours");

  int warp_row, lane_row;
  int row, col;  // of output (0, 0)

  __device__ explicit Place(const Thread& thread)
      : warp_row(thread.warp % WARP_ROWS),
        lane_row(Lanes<LANES_M>::row(thread.lane)),
        row(warp_row * LANES_M * TM + lane_row * ROW_RUN),
        col(thread.warp / WARP_ROWS * LANES_N * TN +
            Lanes<LANES_M>::column(thread.lane) * RUN) {}

  /// Output (i, j) is at (row + row_step(i), col + col_step(j)). `lanes`: rows of lanes further down.
  static __device__ constexpr int row_step(int i, int lanes = 0) {
    return i / ROW_RUN * ROW_RUN * LANES_M + i % ROW_RUN + lanes * ROW_RUN;
  }
  static __device__ constexpr int col_step(int j) { return j / RUN * RUN * LANES_N + j % RUN; }

  static constexpr int WARP_COLS = LANES_N * TN;  // columns of a warp's tile
  __device__ int first_col_of_warp() const { return col / WARP_COLS * WARP_COLS; }
  __device__ int col_in_warp() const { return col % WARP_COLS; }
  /// Where the first output row of a row of the warp's lanes is in the tile.
  __device__ int first_row_of(int lanes) const {
    return warp_row * LANES_M * TM + row_step(0, lanes);
  }
};

/// A thread's operands for STEPS steps of k, in halves: one is read ahead while the other is
/// multiplied. Where slices of A are kept as they lie, four steps come with one shared load.
template <class Place, class ASlices, class BSlices, int TM, int TN>
class Fragments {
  static constexpr int HALF = ASlices::KEPT ? 4 : 1;  // steps of a half

 public:
  static constexpr int STEPS = 2 * HALF;

  /// `a`, `b`: the slices of the first stage.
  __device__ Fragments(const Place& place, ptx::Shared a, ptx::Shared b)
      : m_a_from(a + place.row * ASlices::I_BYTES), m_b_from(b + 4 * place.col) {}

  /// Goes to the beginning of a stage's slices, of which `steps` count, a multiple of STEPS.
  __device__ void enter(int stage, int steps) {
    m_a_at = m_a_from + stage * ASlices::BYTES;
    m_b_at = m_b_from + stage * BSlices::BYTES;
    m_a_last = m_a_at + (steps - STEPS) * ASlices::K_BYTES;
  }
  /// Whether these are the last steps of the slices.
  __device__ bool at_last_steps() const { return m_a_at == m_a_last; }
  __device__ void advance() {
    m_a_at += STEPS * ASlices::K_BYTES;
    m_b_at += STEPS * BSlices::K_BYTES;
  }

  __device__ void load(int half) {
    load_a(half);
#pragma unroll
    for (int k = 0; k < HALF; ++k) {
      const ptx::Shared from = m_b_at + (half * HALF + k) * BSlices::K_BYTES;
      float(&b)[TN] = m_b[half][k];
#pragma unroll
      for (int j = 0; j < TN; j += Place::RUN) {
        const float4 v = ptx::load_shared(from + 4 * Place::col_step(j));
        b[j] = v.x, b[j + 1] = v.y, b[j + 2] = v.z, b[j + 3] = v.w;
      }
    }
  }

  /// Every second row runs backwards: two neighbouring FMAs then share an operand, which spares
  /// the register file a read.
  __device__ void multiply(int half, float (&c)[TM][TN]) const {
#pragma unroll
    for (int k = 0; k < HALF; ++k) {
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int jj = 0; jj < TN; ++jj) {
          const int j = i % 2 ? TN - 1 - jj : jj;
          c[i][j] = fmaf(m_a[half][k][i], m_b[half][k][j], c[i][j]);
        }
      }
    }
  }

 private:
  __device__ void load_a(int half) {
    const ptx::Shared from = m_a_at + half * HALF * ASlices::K_BYTES;
    if constexpr (ASlices::KEPT) {
      float(&a)[HALF][TM] = m_a[half];
#pragma unroll
      for (int i = 0; i < TM; ++i) {
        const float4 v = ptx::load_shared(from + Place::row_step(i) * ASlices::I_BYTES);
        a[0][i] = v.x, a[1][i] = v.y, a[2][i] = v.z, a[3][i] = v.w;
      }
    } else {
      float(&a)[TM] = m_a[half][0];
#pragma unroll
      for (int i = 0; i < TM; i += 4) {
        const float4 v = ptx::load_shared(from + 4 * Place::row_step(i));
        a[i] = v.x, a[i + 1] = v.y, a[i + 2] = v.z, a[i + 3] = v.w;
      }
    }
  }

  ptx::Shared m_a_from;  // where this thread's operands begin
  ptx::Shared m_b_from;
  float m_a[2][HALF][TM];
  float m_b[2][HALF][TN];
  ptx::Shared m_a_at{};
  ptx::Shared m_b_at{};
  ptx::Shared m_a_last{};  // where the last steps of the slices are
};

}  // namespace fp32
