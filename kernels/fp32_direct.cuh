// Small, thin and shallow products of sgemm.cu, which says what this is about: no operand is shared
// often enough to be worth a way through shared memory, and a short program begins sooner.
#pragma once

#include "fp32_fragments.cuh"
#include "fp32_loader.cuh"
#include "fp32_sharing.cuh"
#include "fp32_slices.cuh"
#include "ptx.cuh"
#include "tile_schedule.cuh"

#ifndef GTUNE_ON_HOST
namespace ptx {

// Not in ptx.cuh, which is part of the kernel copy as well: measurements are of the whole source.
__device__ inline void store_shared_one(Shared to, float v) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(v) : "memory");
}

}  // namespace ptx
#endif

namespace fp32 {

/// Sums over the 2 * STEP neighbouring lanes that share outputs, COUNT each: every step exchanges
/// half of what is left, so that each lane ends with its own part of the outputs. `first` becomes
/// the part's first output.
template <int STEP, int COUNT>
__device__ inline void add_over_lanes(int lane, float* c, int& first) {
  if constexpr (STEP > 0) {
    constexpr int LEFT = COUNT > 1 ? COUNT / 2 : 1;
    const bool upper = (lane & STEP) != 0;
#pragma unroll
    for (int q = 0; q < LEFT; ++q) {
      const float given = COUNT > 1 && !upper ? c[q + COUNT - LEFT] : c[q];
      const float kept = COUNT > 1 && upper ? c[q + COUNT - LEFT] : c[q];
      c[q] = kept + __shfl_xor_sync(0xffffffffu, given, STEP);
    }
    if (COUNT > 1 && upper) first += LEFT;
    add_over_lanes<STEP / 2, LEFT>(lane, c, first);
  }
}

/// A BM x BN tile of C, for which K_LANES neighbouring lanes and K_WARPS warps take turns along k.
/// A thread reads UNROLL steps of k at once. Of a matrix whose stored rows run along k, it reads A_VEC or B_VEC of them with one load.
/// Where blocks share a tile, what each has is written down, and added up in order by the one that
/// is done last: the same bits every time.
template <int BM, int BN, int TM, int TN, int LANE_ROWS, int K_LANES, int K_WARPS, int UNROLL,
          int TRANS_A, int TRANS_B, int A_VEC, int B_VEC>
class Direct {
 public:
  __device__ Direct(const Operands& given, int* arrivals)
      : m_given(given),
        m_arrivals{arrivals},
        m_tiles_n((given.N - 1) / BN + 1),
        m_slices((given.K - 1) / DEPTH + 1),
        m_is_aligned(given.lda % A_VEC == 0 && given.ldb % B_VEC == 0 &&
                     is_aligned(given.A, 4 * A_VEC) && is_aligned(given.B, 4 * B_VEC)) {}

  /// Computes and stores this block's share of C. All threads.
  __device__ void multiply() {
    const unsigned tiles = ((m_given.M - 1) / BM + 1) * m_tiles_n;
    const bool alone = gridDim.x == tiles;  // each block with a tile: spares divisions
    const TileSchedule schedule = alone ? TileSchedule(m_slices) : TileSchedule(tiles, m_slices);
    schedule.for_each_run(blockIdx.x, [&](const TileRun& run) {
      of_tile(run);
      if (K_WARPS == 1 && alone) {
        store_own();
        return;
      }
      gather();
      if (run.last - run.first == static_cast<int>(m_slices)) {
        store_gathered();
      } else {
        share(schedule, tiles, run.tile);
      }
      __syncthreads();  // what was gathered has been read
    });
  }

 private:
  static constexpr int LANE_COLS = 32 / (LANE_ROWS * K_LANES);
  static constexpr int WARP_ROWS = BM / (LANE_ROWS * TM);
  static constexpr int WARP_COLS = BN / (LANE_COLS * TN);
  static constexpr int THREADS = 32 * WARP_ROWS * WARP_COLS * K_WARPS;
  static constexpr int K_THREADS = K_LANES * K_WARPS;
  static constexpr int VEC = A_VEC > B_VEC ? A_VEC : B_VEC;  // neighbours along k of one thread
  static constexpr int DEPTH = K_THREADS * UNROLL;           // of a slice
  static constexpr int OUTPUTS = TM * TN;
  static constexpr int LEFT = OUTPUTS > K_LANES ? OUTPUTS / K_LANES : 1;  // a lane's, of the sums
  static constexpr int ALIKE = OUTPUTS > K_LANES ? 1 : K_LANES / OUTPUTS;  // lanes with one sum
  static_assert(UNROLL % VEC == 0, "a thread reads whole vectors");
  static_assert((A_VEC == 1 || !TRANS_A) && (B_VEC == 1 || TRANS_B), "vectors run along k");
  static_assert(BM % (LANE_ROWS * TM) == 0 && BN % (LANE_COLS * TN) == 0, "warps tile the block");

  // Products.

  __device__ void of_tile(const TileRun& run) {
    m_row = static_cast<int>(run.tile / m_tiles_n) * BM;
    m_col = static_cast<int>(run.tile % m_tiles_n) * BN;
#pragma unroll
    for (int o = 0; o < OUTPUTS; ++o) m_c[o] = 0.0f;
#pragma unroll 1
    for (int slice = run.first; slice < run.last; ++slice) {
      const int k = slice * DEPTH + m_k;
      float a[UNROLL][TM];
      float b[UNROLL][TN];
      if (m_given.K - slice * DEPTH < DEPTH) {
        load<1, 1, true>(k, a, b);
      } else if (VEC == 1 || m_is_aligned) {
        load<A_VEC, B_VEC, false>(k, a, b);
      } else {
        load<1, 1, false>(k, a, b);
      }
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) {
#pragma unroll
        for (int o = 0; o < OUTPUTS; ++o) m_c[o] = fmaf(a[u][o / TN], b[u][o % TN], m_c[o]);
      }
    }
    m_first = 0;
    add_over_lanes<K_LANES / 2, OUTPUTS>(m_lane, m_c, m_first);
  }

  /// Operands beyond the matrices' edges are those at the edge: their products are not stored.
  /// LAST: zeros behind K.
  template <int A_WIDTH, int B_WIDTH, bool LAST>
  __device__ void load(int k, float (&a)[UNROLL][TM], float (&b)[UNROLL][TN]) const {
    const Operands& g = m_given;
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      const long long at = static_cast<long long>(k) + u / VEC * (K_THREADS * VEC) + u % VEC;
      const bool valid = !LAST || at < g.K;
#pragma unroll
      for (int i = 0; i < TM; ++i) {
        const long long row = min(m_row + row_of(i), g.M - 1);
        const float* const from = g.A + (TRANS_A ? at * g.lda + row : row * g.lda + at);
        read<A_WIDTH>(valid, from, a, u, i);
      }
#pragma unroll
      for (int j = 0; j < TN; ++j) {
        const long long col = min(m_col + col_of(j), g.N - 1);
        const float* const from = g.B + (TRANS_B ? col * g.ldb + at : at * g.ldb + col);
        read<B_WIDTH>(valid, from, b, u, j);
      }
    }
  }

  /// WIDTH steps of k, of which u is the first; where it is another, they have been read.
  template <int WIDTH, int COUNT>
  __device__ static void read(bool valid, const float* from, float (&to)[UNROLL][COUNT], int u,
                              int i) {
    if constexpr (WIDTH == 4) {
      if (u % 4 != 0) return;
      const float4 v = __ldg(reinterpret_cast<const float4*>(from));
      to[u][i] = v.x, to[u + 1][i] = v.y, to[u + 2][i] = v.z, to[u + 3][i] = v.w;
    } else if constexpr (WIDTH == 2) {
      if (u % 2 != 0) return;
      const float2 v = __ldg(reinterpret_cast<const float2*>(from));
      to[u][i] = v.x, to[u + 1][i] = v.y;
    } else {
      to[u][i] = valid ? __ldg(from) : 0.0f;
    }
  }

  // Where things are in the tile.

  __device__ int row_of(int i) const { return m_thread_row + i * LANE_ROWS; }
  __device__ int col_of(int j) const { return m_thread_col + j * LANE_COLS; }
  /// The threads of a warp whose sums are not another's.
  __device__ bool has_sums() const { return ALIKE == 1 || m_lane % ALIKE == 0; }

  // The way to C.

  /// No other thread has anything of this one's outputs.
  __device__ void store_own() const {
    if (!has_sums()) return;
#pragma unroll
    for (int q = 0; q < LEFT; ++q) {
      const int o = m_first + q;
      store(m_row + row_of(o / TN), m_col + col_of(o % TN), m_c[q]);
    }
  }

  /// What all warps have, in shared memory.
  __device__ void gather() const {
    if (has_sums()) {
#pragma unroll
      for (int q = 0; q < LEFT; ++q) {
        const int o = m_first + q;
        ptx::store_shared_one(
            gathered(m_k_warp, row_of(o / TN) * BN + col_of(o % TN)), m_c[q]);
      }
    }
    __syncthreads();
  }
  __device__ ptx::Shared gathered(int warp, int output) const {
    return m_memory + 4 * (warp * (BM * BN) + output);
  }
  __device__ float sum_of(int output) const {
    float sum = 0.0f;
#pragma unroll
    for (int warp = 0; warp < K_WARPS; ++warp) {
      sum += ptx::load_shared_one(gathered(warp, output));
    }
    return sum;
  }

  /// Calls `work` with each output of the tile that is this thread's from now on.
  template <typename Work>
  __device__ static void for_each_output(Work work) {
#pragma unroll 1
    for (int o = static_cast<int>(threadIdx.x); o < BM * BN; o += THREADS) work(o);
  }
  __device__ void store_gathered() const {
    for_each_output([&](int o) { store(m_row + o / BN, m_col + o % BN, sum_of(o)); });
  }

  __device__ void share(const TileSchedule& schedule, unsigned tiles, unsigned tile) const {
    const unsigned begin = tile * m_slices;
    const unsigned first = schedule.owner(begin);
    const unsigned last = schedule.owner(begin + m_slices - 1);
    // The first and the last tile of a block may be shared ones: it has a slot for each.
    const auto slot = [&](unsigned sharer) {
      const unsigned number = 2 * sharer + (schedule.begin(sharer) < begin);
      return m_arrivals.behind(tiles) + static_cast<long long>(number) * (BM * BN);
    };
    float* const own = slot(blockIdx.x);
    for_each_output([&](int o) { own[o] = sum_of(o); });
    if (!is_last_of(tile, last - first)) return;
    for_each_output([&](int o) {
      float sum = 0.0f;
#pragma unroll 4
      for (unsigned sharer = first; sharer <= last; ++sharer) sum += __ldcg(slot(sharer) + o);
      store(m_row + o / BN, m_col + o % BN, sum);
    });
  }

  /// Asks one thread and tells all of them.
  __device__ bool is_last_of(unsigned tile, unsigned others) const {
    __syncthreads();  // all has been written, and what was gathered has been read
    if (threadIdx.x == 0) {
      ptx::store_shared_one(m_memory, m_arrivals.is_last(tile, others) ? 1.0f : 0.0f);
    }
    __syncthreads();
    return ptx::load_shared_one(m_memory) != 0.0f;
  }

  __device__ void store(int row, int col, float sum) const {
    const Operands& g = m_given;
    if (row >= g.M || col >= g.N) return;
    float& out = g.C[static_cast<long long>(row) * g.ldc + col];
    out = g.beta == 0.0f ? g.alpha * sum : fmaf(g.beta, out, g.alpha * sum);
  }

  const Operands& m_given;
  Arrivals m_arrivals;
  unsigned m_tiles_n;
  unsigned m_slices;  // of a tile
  bool m_is_aligned;
  ptx::Shared m_memory = ptx::dynamic_shared();

  // Lanes: those along k are neighbours, then those along a row.
  int m_lane = static_cast<int>(threadIdx.x) % 32;
  int m_warp = static_cast<int>(threadIdx.x) / 32;
  int m_k_warp = m_warp / (WARP_ROWS * WARP_COLS);
  int m_k = (m_k_warp * K_LANES + m_lane % K_LANES) * VEC;  // this thread's first of a slice
  int m_thread_row = m_warp % WARP_ROWS * LANE_ROWS * TM + m_lane / (K_LANES * LANE_COLS);
  int m_thread_col = m_warp / WARP_ROWS % WARP_COLS * LANE_COLS * TN + m_lane / K_LANES % LANE_COLS;

  // Of the tile.
  int m_row = 0;
  int m_col = 0;
  float m_c[OUTPUTS];
  int m_first = 0;  // of the outputs that this lane has the sums of
};

}  // namespace fp32
