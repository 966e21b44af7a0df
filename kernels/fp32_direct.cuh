// Small, thin and shallow products of sgemm.cu, which says what this is about: no operand is shared
// often enough to be worth a way through shared memory, and a short program begins sooner.
#pragma once

#include "fp32_layout.cuh"
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

/// A tile of C, which threads share as the layout says. A thread reads some steps of k at once, as
/// many as the layout says: there is a loop for each number of steps. Of a matrix whose stored rows
/// run along k, it reads up to A_VEC or B_VEC of them with one load. Where blocks share a tile, what
/// each has is written down, and added up in order by the one that is done last: the same bits every
/// time.
template <int TM, int TN, int TRANS_A, int TRANS_B, int A_VEC, int B_VEC>
class Direct {
 public:
  __device__ Direct(const Operands& given, const TileLayout& layout, int* arrivals)
      : m_given(given),
        m_layout(layout),
        m_arrivals{arrivals},
        m_tiles_n(layout.columns.parts(given.N)),
        m_slices(m_depth.parts(given.K)) {}

  /// Computes and stores this block's share of C. All threads.
  __device__ void multiply() {
    const unsigned tiles = m_layout.rows.parts(m_given.M) * m_tiles_n;
    if (gridDim.x == tiles) {
      multiply_tile();
      return;
    }
    multiply_shared(tiles);
  }

 private:
  static constexpr int OUTPUTS = TM * TN;
  static constexpr int MOST_STEPS = most_steps<TM, TN>();
  static_assert((A_VEC == 1 || !TRANS_A) && (B_VEC == 1 || TRANS_B), "vectors run along k");

  /// Neighbours along k of one thread.
  template <int STEPS>
  static __device__ constexpr int vector() {
    return least(STEPS, A_VEC > B_VEC ? A_VEC : B_VEC);
  }
  static __device__ constexpr int least(int a, int b) { return a < b ? a : b; }

  // A block with a tile of its own needs no division, and what it runs should lie close together:
  // a small product waits for its instructions, too.

  __device__ void multiply_tile() {
    add_products({blockIdx.x, 0, static_cast<int>(m_slices)});
    if (m_layout.k_warps.value() == 1) {
      for_each_sum([&](int row, int col, float sum) { store(m_row + row, m_col + col, sum); });
    } else {
      gather();
      store_gathered();
    }
  }

  __device__ void multiply_shared(unsigned tiles) {
    const TileSchedule schedule(tiles, m_slices);
    schedule.for_each_run(schedule.range(blockIdx.x), [&](const TileRun& run) {
      add_products(run);
      gather();
      if (run.last - run.first == static_cast<int>(m_slices)) {
        store_gathered();
      } else {
        share(schedule, tiles, run.tile);
      }
      __syncthreads();  // what was gathered has been read
    });
  }

  // Products.

  __device__ void add_products(const TileRun& run) {
    m_row = m_layout.rows.times(static_cast<int>(run.tile / m_tiles_n));
    m_col = m_layout.columns.times(static_cast<int>(run.tile % m_tiles_n));
#pragma unroll
    for (int o = 0; o < OUTPUTS; ++o) m_c[o] = 0.0f;
    add_products<MOST_STEPS>(run);
  }

  /// With the layout's steps, of which there are at most STEPS.
  template <int STEPS>
  __device__ void add_products(const TileRun& run) {
    if constexpr (STEPS > 1) {
      if (m_layout.steps.value() < STEPS) {
        add_products<STEPS / 2>(run);
        return;
      }
    }
    const bool ends = m_given.K - m_depth.times(run.last - 1) < m_depth.value();
    const int whole = run.last - (ends ? 1 : 0);
    // Two loops: in one, the addresses of both would take registers.
    if (vector<STEPS>() == 1 || m_is_aligned) {
      add_slices<STEPS, least(A_VEC, STEPS), least(B_VEC, STEPS)>(run.first, whole);
    } else {
      add_slices<STEPS, 1, 1>(run.first, whole);
    }
    if (ends) add_slice<STEPS, 1, 1, true>(m_depth.times(whole));
  }

  template <int STEPS, int A_WIDTH, int B_WIDTH>
  __device__ void add_slices(int first, int end) {
#pragma unroll 1
    for (int slice = first; slice < end; ++slice) {
      add_slice<STEPS, A_WIDTH, B_WIDTH, false>(m_depth.times(slice));
    }
  }

  template <int STEPS, int A_WIDTH, int B_WIDTH, bool LAST>
  __device__ void add_slice(int k) {
    float a[STEPS][TM];
    float b[STEPS][TN];
    load<STEPS, A_WIDTH, B_WIDTH, LAST>(k, a, b);
#pragma unroll
    for (int u = 0; u < STEPS; ++u) {
#pragma unroll
      for (int o = 0; o < OUTPUTS; ++o) m_c[o] = fmaf(a[u][o / TN], b[u][o % TN], m_c[o]);
    }
  }

  /// This thread's part of the slice that begins at `slice_k`: neighbours along k as far as vectors
  /// reach, then those of the threads that it takes turns with. Operands beyond the matrices' edges
  /// are those at the edge: their products are not stored. LAST: zeros behind K.
  template <int STEPS, int A_WIDTH, int B_WIDTH, bool LAST>
  __device__ void load(int slice_k, float (&a)[STEPS][TM], float (&b)[STEPS][TN]) const {
    constexpr int VEC = vector<STEPS>();
    const Operands& g = m_given;
    const long long a_step = TRANS_A ? g.lda : 1;  // floats from one k to the next
    const long long b_step = TRANS_B ? 1 : g.ldb;
    unsigned k = static_cast<unsigned>(slice_k + m_k_thread * VEC);
    // Step by step: each step's own offset would take registers.
    const float* a_from = g.A + k * a_step;
    const float* b_from = g.B + k * b_step;
#pragma unroll
    for (int u = 0; u < STEPS; ++u) {
      const bool valid = !LAST || k < static_cast<unsigned>(g.K);
#pragma unroll
      for (int i = 0; i < TM; ++i) {
        const long long row = min(m_row + row_of(i), g.M - 1);
        read<A_WIDTH, STEPS>(valid, a_from + (TRANS_A ? row : row * g.lda), a, u, i);
      }
#pragma unroll
      for (int j = 0; j < TN; ++j) {
        const long long col = min(m_col + col_of(j), g.N - 1);
        read<B_WIDTH, STEPS>(valid, b_from + (TRANS_B ? col * g.ldb : col), b, u, j);
      }
      const int next = (u + 1) % VEC == 0 ? m_k_threads.times(VEC) - (VEC - 1) : 1;
      k += static_cast<unsigned>(next);
      a_from += next * a_step;
      b_from += next * b_step;
    }
  }

  /// WIDTH steps of k, of which u is the first; where it is another, they have been read.
  template <int WIDTH, int STEPS, int COUNT>
  __device__ static void read(bool valid, const float* from, float (&to)[STEPS][COUNT], int u,
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

  __device__ int row_of(int i) const { return m_thread_row + m_layout.lane_rows.times(i); }
  __device__ int col_of(int j) const { return m_thread_col + m_lane_columns.times(j); }

  // The way to C.

  /// Adds up what neighbouring lanes have. Calls `work` with each output that this lane has the sum
  /// of, and with the sum. How many these are must be known when this is compiled.
  template <typename Work>
  __device__ void for_each_sum(Work work) {
    const int lanes = m_layout.k_lanes.value();
    if (lanes == 1) {
      for_each_sum_of<1>(work);
    } else if (lanes == 4) {
      for_each_sum_of<4>(work);
    } else if (lanes == 8) {
      for_each_sum_of<8>(work);
    } else {
      for_each_sum_of<32>(work);
    }
  }
  template <int LANES, typename Work>
  __device__ void for_each_sum_of(Work work) {
    constexpr int LEFT = OUTPUTS > LANES ? OUTPUTS / LANES : 1;   // a lane's, of the sums
    constexpr int ALIKE = OUTPUTS > LANES ? 1 : LANES / OUTPUTS;  // lanes with one sum
    int first = 0;
    add_over_lanes<LANES / 2, OUTPUTS>(m_lane, m_c, first);
    if (ALIKE > 1 && m_lane % ALIKE != 0) return;  // a neighbour has it, too
#pragma unroll
    for (int q = 0; q < LEFT; ++q) {
      work(row_of((first + q) / TN), col_of((first + q) % TN), m_c[q]);
    }
  }

  /// What all warps have, in shared memory.
  __device__ void gather() {
    for_each_sum([&](int row, int col, float sum) {
      ptx::store_shared_one(gathered(m_k_warp, m_layout.columns.times(row) + col), sum);
    });
    __syncthreads();
  }
  __device__ ptx::Shared gathered(int warp, int output) const {
    return m_memory + 4 * (m_tile.times(warp) + output);
  }
  __device__ float sum_of(int output) const {
    float sum = 0.0f;
    const int warps = m_layout.k_warps.value();
#pragma unroll 1
    for (int warp = 0; warp < warps; warp += 4) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (warp + i < warps) sum += ptx::load_shared_one(gathered(warp + i, output));
      }
    }
    return sum;
  }

  /// Calls `work` with each output of the tile that is this thread's from now on.
  template <typename Work>
  __device__ void for_each_output(Work work) const {
    const int outputs = m_tile.value();
    const int threads = static_cast<int>(blockDim.x);
#pragma unroll 1
    for (int o = static_cast<int>(threadIdx.x); o < outputs; o += threads) work(o);
  }
  __device__ void store_gathered() const {
    for_each_output([&](int o) { store(o, sum_of(o)); });
  }

  __device__ void share(const TileSchedule& schedule, unsigned tiles, unsigned tile) const {
    const unsigned begin = tile * m_slices;
    const unsigned first = schedule.owner(begin);
    const unsigned last = schedule.owner(begin + m_slices - 1);
    // The first and the last tile of a block may be shared ones: it has a slot for each.
    const auto slot = [&](unsigned sharer) {
      const unsigned number = 2 * sharer + (schedule.begin(sharer) < begin);
      return m_arrivals.behind(tiles) + (static_cast<long long>(number) << m_tile.exponent);
    };
    float* const own = slot(blockIdx.x);
    for_each_output([&](int o) { own[o] = sum_of(o); });
    if (!is_last_of(tile, last - first)) return;
    for_each_output([&](int o) {
      float sum = 0.0f;
#pragma unroll 4
      for (unsigned sharer = first; sharer <= last; ++sharer) sum += __ldcg(slot(sharer) + o);
      store(o, sum);
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

  __device__ void store(int output, float sum) const {
    const PowerOfTwo& columns = m_layout.columns;
    store(m_row + columns.quotient(output), m_col + columns.remainder(output), sum);
  }
  __device__ void store(int row, int col, float sum) const {
    const Operands& g = m_given;
    if (row >= g.M || col >= g.N) return;
    float& out = g.C[static_cast<long long>(row) * g.ldc + col];
    out = g.beta == 0.0f ? g.alpha * sum : fmaf(g.beta, out, g.alpha * sum);
  }

  const Operands& m_given;
  const TileLayout& m_layout;
  Arrivals m_arrivals;
  unsigned m_tiles_n;
  PowerOfTwo m_k_threads = m_layout.k_lanes * m_layout.k_warps;  // that take turns
  PowerOfTwo m_depth = m_k_threads * m_layout.steps;            // of a slice
  PowerOfTwo m_tile = m_layout.rows * m_layout.columns;          // outputs of a tile
  unsigned m_slices;                                             // of a tile
  bool m_is_aligned = m_given.lda % A_VEC == 0 && m_given.ldb % B_VEC == 0 &&
                      is_aligned(m_given.A, 4 * A_VEC) && is_aligned(m_given.B, 4 * B_VEC);
  ptx::Shared m_memory = ptx::dynamic_shared();

  // Lanes: those along k are neighbours, then those along a row. Warps: those along k come last.
  PowerOfTwo m_lane_columns{5 - (m_layout.lane_rows * m_layout.k_lanes).exponent};
  PowerOfTwo m_warp_rows = m_layout.rows / (m_layout.lane_rows * power_of_two<TM>());
  PowerOfTwo m_warp_columns = m_layout.columns / (m_lane_columns * power_of_two<TN>());
  int m_lane = static_cast<int>(threadIdx.x) % 32;
  int m_warp = static_cast<int>(threadIdx.x) / 32;
  int m_k_warp = (m_warp_rows * m_warp_columns).quotient(m_warp);
  int m_k_thread = m_layout.k_lanes.times(m_k_warp) + m_layout.k_lanes.remainder(m_lane);
  int m_lane_in_tile = m_layout.k_lanes.quotient(m_lane);
  int m_thread_row = m_layout.lane_rows.times(m_warp_rows.remainder(m_warp) * TM) +
                     m_lane_columns.quotient(m_lane_in_tile);
  int m_thread_col =
      m_lane_columns.times(m_warp_columns.remainder(m_warp_rows.quotient(m_warp)) * TN) +
      m_lane_columns.remainder(m_lane_in_tile);

  // Of the tile.
  int m_row = 0;
  int m_col = 0;
  float m_c[OUTPUTS];
};

}  // namespace fp32
