// A block's part in sgemm_tf32x3.cu, which says what this is about.
#pragma once

#include "ring.cuh"
#include "tf32x3_split.cuh"
#include "tile_schedule.cuh"
#include "wgmma.cuh"

namespace tf32x3 {

struct Operands {
  int M, N, K;
  float alpha;
  const float* A;
  const float* B;
  float beta;
  float* C;
};

constexpr int ROW = 4 * DEPTH;  // bytes of a row of a box: as wide as the swizzle

/// Shared memory: the stages, then three barriers for each.
template <int BM, int BN, int STAGES>
struct Memory {
  static constexpr int A_BYTES = BM * ROW;
  static constexpr int B_BYTES = BN * ROW;
  static constexpr int STAGE_BYTES = 2 * A_BYTES + B_BYTES;

  ptx::Shared base;

  /// The swizzle's pattern repeats every 1024 bytes.
  __device__ Memory() : base((ptx::dynamic_shared() + 1023) / 1024 * 1024) {}

  __device__ ptx::Shared a_high(int stage) const { return base + stage * STAGE_BYTES; }
  __device__ ptx::Shared a_low(int stage) const { return a_high(stage) + A_BYTES; }
  __device__ ptx::Shared b(int stage) const { return a_high(stage) + 2 * A_BYTES; }
  /// The slice is in.
  __device__ ptx::Shared full(int stage) const { return base + STAGES * STAGE_BYTES + 8 * stage; }
  /// A is split.
  __device__ ptx::Shared split(int stage) const { return full(stage) + 8 * STAGES; }
  /// All warps that multiply are through with the slice.
  __device__ ptx::Shared empty(int stage) const { return full(stage) + 16 * STAGES; }
};

/// What copy_box does, for pitches that it cannot take: eight rows of 32 floats, one of each row
/// this lane's, in the 128-byte swizzle, with zeros for all but the first `valid` rows.
__device__ inline void copy_eight_rows(ptx::Shared to, const float* from, int pitch, int valid,
                                       int lane) {
  to += 4 * lane;
  if (__all_sync(0xffffffffu, valid >= 8)) {
    const float* each[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) each[i] = from + static_cast<long long>(i) * pitch;
#pragma unroll
    for (int i = 0; i < 8; ++i) ptx::copy_async<1>((to ^ 16 * i) + i * ROW, each[i]);
  } else {
#pragma unroll 1
    for (int i = 0; i < 8; ++i, from += pitch) {
      ptx::copy_async_if<1>(i < valid, (to ^ 16 * i) + i * ROW, from);
    }
  }
}

template <int BM, int BN, int WARPGROUPS, int STAGES, int GROUP, int ALIGNED, int CARRY>
class Block {
 public:
  static constexpr int BOXES = BN / 32;                 // columns of boxes of B in a slice
  static constexpr int TILES = BN / 64 / WARPGROUPS;    // 64 x BM products of a warpgroup
  static constexpr int SUMS = BM / 2;                   // of a thread in each
  static constexpr int MULTIPLIERS = 128 * WARPGROUPS;  // threads
  /// Of the four warps that do not multiply: a box is one instruction, rows are many.
  static constexpr int LOADERS = ALIGNED ? 1 : 3;
  static constexpr int SPLITTERS = 128 - 32 * LOADERS;
  static_assert(BM == 64 || BM == 128, "widths of wgmma");
  static_assert(BN % (64 * WARPGROUPS) == 0, "warpgroups multiply 64 columns of C at a time");
  static_assert(CARRY == 0 || TILES == 1, "only the fresh sums of one product can stay");

  __device__ Block(const Operands& given, int* progress)
      : m_given(given),
        m_progress(progress),
        m_filled(given.alpha == 0.0f ? 0 : (given.K + DEPTH - 1) / DEPTH),
        m_order{(given.M + BM - 1u) / BM, (given.N + BN - 1u) / BN},
        m_schedule(m_order.rows * m_order.columns, max(m_filled, 1)) {}

  __device__ void init_barriers() const {
    for (int stage = 0; stage < STAGES; ++stage) {
      ptx::barrier_init(m_memory.full(stage), ALIGNED ? 1 : 32 * LOADERS);
      ptx::barrier_init(m_memory.split(stage), SPLITTERS);
      ptx::barrier_init(m_memory.empty(stage), MULTIPLIERS / 32);
    }
    ptx::fence_barrier_init();
  }

  /// Brings the slices in boxes. One thread.
  __device__ void load_boxes(const ptx::TensorMap& a_map, const ptx::TensorMap& b_map) const {
    ptx::prefetch_map(a_map);
    ptx::prefetch_map(b_map);
    for_each_stage_to_fill([&](int row0, int col0, int k0, int stage) {
      const ptx::Shared full = m_memory.full(stage);
      ptx::barrier_arrive_expecting(full, Layout::A_BYTES + Layout::B_BYTES);
      ptx::copy_box(m_memory.a_high(stage), a_map, k0, row0, full);
      for (int box = 0; box < BOXES; ++box) {
        ptx::copy_box(m_memory.b(stage) + box * DEPTH * ROW, b_map, col0 + 32 * box, k0, full);
      }
    });
  }

  /// Brings them float by float. `warp`: of the loaders.
  __device__ void load_rows(int warp, int lane) const {
    const Operands& g = m_given;
    for_each_stage_to_fill([&](int row0, int col0, int k0, int stage) {
#pragma unroll 1
      for (int row = 8 * warp; row < BM; row += 8 * LOADERS) {
        copy_eight_rows(m_memory.a_high(stage) + row * ROW,
                        g.A + static_cast<long long>(row0 + row) * g.K + k0 + lane, g.K,
                        k0 + lane < g.K ? g.M - row0 - row : 0, lane);
      }
      // Box by box, each of 32 columns and rows.
#pragma unroll 1
      for (int row = 8 * warp; row < BN; row += 8 * LOADERS) {
        const int k = k0 + row % DEPTH;
        const int col = col0 + row / DEPTH * 32 + lane;
        copy_eight_rows(m_memory.b(stage) + row * ROW, g.B + static_cast<long long>(k) * g.N + col,
                        g.N, col < g.N ? g.K - k : 0, lane);
      }
      ptx::barrier_arrive_after_copies(m_memory.full(stage));
    });
  }

  /// Splits A: high parts take the floats' place. `thread`: of the splitters.
  __device__ void split_a(int thread) const {
    Ring<STAGES> ring;
    m_schedule.for_each_run(m_schedule.range(blockIdx.x), [&](const TileRun& run) {
#pragma unroll 1
      for (int slice = run.first; slice < min(run.last, m_filled); ++slice, ring.advance()) {
        ptx::barrier_wait(m_memory.full(ring.stage), ring.parity);
#pragma unroll 2
        for (int at = 16 * thread; at < Layout::A_BYTES; at += 16 * SPLITTERS) {
          const float4 x = ptx::load_shared(m_memory.a_high(ring.stage) + at);
          float4 high, low;
          tf32x3::split(x.x, high.x, low.x);
          tf32x3::split(x.y, high.y, low.y);
          tf32x3::split(x.z, high.z, low.z);
          tf32x3::split(x.w, high.w, low.w);
          ptx::store_shared(m_memory.a_high(ring.stage) + at, high);
          ptx::store_shared(m_memory.a_low(ring.stage) + at, low);
        }
        ptx::fence_shared_for_async();
        ptx::barrier_arrive(m_memory.split(ring.stage));
      }
    });
  }

  /// Multiplies and stores. `warp`: of those that multiply.
  __device__ void multiply(int warp, int lane) const {
    Ring<STAGES> ring;
    m_schedule.for_each_run(m_schedule.range(blockIdx.x), [&](const TileRun& run) {
      float sums[TILES][SUMS] = {};
      float fresh[SUMS] = {};
#pragma unroll 1
      for (int slice = run.first; slice < min(run.last, m_filled); ++slice, ring.advance()) {
        add_slice(ring, warp, lane, fresh, sums);
      }
      const int row0 = m_order.row(run.tile) * BM + lane % 4 * 2;
      const int col0 = m_order.column(run.tile) * BN;
      compute_again_unless_finite(run, row0, col0, warp, lane, sums);
      const bool shared = run.last - run.first < static_cast<int>(m_schedule.slices);
      const bool stores = !shared || is_first_to_store(run.tile);
      store(stores, row0, col0, warp, lane, sums);
      if (shared) tell_stored(run.tile);
    });
  }

 private:
  using Layout = Memory<BM, BN, STAGES>;

  template <typename Fill>
  __device__ void for_each_stage_to_fill(Fill fill) const {
    Ring<STAGES> ring;
    m_schedule.for_each_run(m_schedule.range(blockIdx.x), [&](const TileRun& run) {
      const int row0 = m_order.row(run.tile) * BM;
      const int col0 = m_order.column(run.tile) * BN;
#pragma unroll 1
      for (int slice = run.first; slice < min(run.last, m_filled); ++slice, ring.advance()) {
        ptx::barrier_wait(m_memory.empty(ring.stage), ring.parity ^ 1);
        fill(row0, col0, slice * DEPTH, ring.stage);
      }
    });
  }

  // A warp has sixteen columns of the tile in each 64 x BM product, a lane two of them. Eight
  // lanes' pairs lie so that a load of pairs finds all banks of shared memory: in the swizzle,
  // 16-byte chunk x of row r is at x ^ r % 8, and the four lanes beside them are in other rows.

  /// Which sixteen columns of the tile.
  __device__ static int sixteen(int warp, int tile) { return warp * TILES + tile; }
  __device__ static int column_in_box(int warp, int lane, int tile) {
    const int g = lane / 4;
    const int chunk = g / 4 + g / 2 % 2 * 4 + sixteen(warp, tile) % 2 * 2;
    return 4 * chunk + 2 * (g % 2);
  }
  __device__ static int column(int warp, int lane, int tile) {
    return sixteen(warp, tile) / 2 * 32 + column_in_box(warp, lane, tile);
  }

  __device__ void load_b(int stage, int warp, int lane, int tile, Fragments& b) const {
    const int k = lane % 4;
    const ptx::Shared box = m_memory.b(stage) + sixteen(warp, tile) / 2 * DEPTH * ROW;
    const ptx::Shared at = box + k * ROW + (4 * column_in_box(warp, lane, tile) ^ 16 * k);
    const ptx::Shared at_k4 = (at ^ 64) + 4 * ROW;
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      b.set(step, ptx::load_shared_two(at + step * 8 * ROW),
            ptx::load_shared_two(at_k4 + step * 8 * ROW));
    }
    ptx::settle(b.high);
    ptx::settle(b.low);
  }

  /// Starts the three products of a slice, the small ones first.
  __device__ void start(int stage, const Fragments& b, float (&fresh)[SUMS]) const {
    const unsigned long long a_high = ptx::wgmma_operand(m_memory.a_high(stage));
    const unsigned long long a_low = ptx::wgmma_operand(m_memory.a_low(stage));
    ptx::wgmma_begin();
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      ptx::wgmma(fresh, b.low[step], a_high + 2 * step, CARRY || step > 0);
      ptx::wgmma(fresh, b.high[step], a_low + 2 * step, true);
    }
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      ptx::wgmma(fresh, b.high[step], a_high + 2 * step, true);
    }
    ptx::wgmma_end();
  }

  __device__ void add_slice(const Ring<STAGES>& ring, int warp, int lane, float (&fresh)[SUMS],
                            float (&sums)[TILES][SUMS]) const {
    ptx::barrier_wait(m_memory.full(ring.stage), ring.parity);
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile) {
      Fragments b;
      load_b(ring.stage, warp, lane, tile, b);
      if (tile == 0) ptx::barrier_wait(m_memory.split(ring.stage), ring.parity);
      start(ring.stage, b, fresh);
      ptx::wgmma_wait(fresh, b.high, b.low);
#pragma unroll
      for (int i = 0; i < SUMS; ++i) {
        const float before = sums[tile][i];
        sums[tile][i] += fresh[i];
        if (CARRY) fresh[i] -= sums[tile][i] - before;
      }
    }
    __syncwarp();
    if (lane == 0) ptx::barrier_arrive(m_memory.empty(ring.stage));
  }

  /// Sum i of a product is in this row, from the thread's first, and in column i / 2 % 2.
  __device__ static constexpr int row_of(int i) { return i / 4 * 8 + i % 2; }

  /// Rare, so rolled: the sums are picked from registers one by one.
  __device__ void compute_again_unless_finite(const TileRun& run, int row0, int col0, int warp,
                                              int lane, float (&sums)[TILES][SUMS]) const {
    float nan_if_any = 0.0f;
#pragma unroll
    for (int i = 0; i < TILES * SUMS; ++i) {
      nan_if_any = fmaf(sums[i / SUMS][i % SUMS], 0.0f, nan_if_any);
    }
    if (nan_if_any == 0.0f) return;
#pragma unroll 1
    for (int at = 0; at < TILES * SUMS; ++at) {
      float sum = 0.0f;
#pragma unroll
      for (int i = 0; i < TILES * SUMS; ++i) sum = i == at ? sums[i / SUMS][i % SUMS] : sum;
      if (sum - sum == 0.0f) continue;
      sum = sum_of_fmas(run, row0 + row_of(at % SUMS),
                        col0 + column(warp, lane, at / SUMS) + at / 2 % 2);
#pragma unroll
      for (int i = 0; i < TILES * SUMS; ++i) {
        if (i == at) sums[i / SUMS][i % SUMS] = sum;
      }
    }
  }

  __device__ float sum_of_fmas(const TileRun& run, long long row, long long col) const {
    const Operands& g = m_given;
    float sum = 0.0f;
    if (row >= g.M || col >= g.N) return sum;
#pragma unroll 1
    for (long long k = run.first * DEPTH; k < min(run.last * DEPTH, g.K); ++k) {
      sum = fmaf(g.A[row * g.K + k], g.B[k * g.N + col], sum);
    }
    return sum;
  }

  __device__ void store(bool stores, int row0, int col0, int warp, int lane,
                        const float (&sums)[TILES][SUMS]) const {
    const Operands& g = m_given;
    const bool pairs = g.N % 2 == 0 && reinterpret_cast<unsigned long long>(g.C) % 8 == 0;
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile) {
      const int col = col0 + column(warp, lane, tile);
      float* to = g.C + static_cast<long long>(row0) * g.N + col;
#pragma unroll
      for (int i = 0; i < SUMS; i += 4, to += 8ll * g.N) {
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
          if (row0 + row_of(i + odd) >= g.M) continue;
          store_two(to + odd * g.N, g.N - col, pairs, stores,
                    {g.alpha * sums[tile][i + odd], g.alpha * sums[tile][i + odd + 2]});
        }
      }
    }
  }

  /// `room`: columns that are left.
  __device__ void store_two(float* to, int room, bool pairs, bool stores, float2 v) const {
    if (room <= 0) return;
    if (pairs && stores && m_given.beta == 0.0f) {
      *reinterpret_cast<float2*>(to) = v;
    } else if (pairs && !stores) {
      ptx::add_two(to, v);
    } else {
      store_one(to, stores, v.x);
      if (room > 1) store_one(to + 1, stores, v.y);
    }
  }

  __device__ void store_one(float* to, bool stores, float v) const {
    if (!stores) {
      ptx::add_one(to, v);
    } else {
      *to = m_given.beta == 0.0f ? v : fmaf(m_given.beta, *to, v);
    }
  }

  // Blocks that share a tile: whoever has its sums first stores them, the others wait for that and
  // add theirs. Nobody waits for a block that is not at work. `progress`: blocks that came, and in
  // the upper half those that are done.

  __device__ bool is_first_to_store(unsigned tile) const {
    __shared__ bool first;
    if (threadIdx.x == 0) {
      first = ptx::counter_add(&m_progress[tile], 1) % 65536 == 0;
      while (!first && ptx::counter_read(&m_progress[tile]) < 65536) {
      }
    }
    ptx::sync_some<1, MULTIPLIERS>();
    return first;
  }

  __device__ void tell_stored(unsigned tile) const {
    ptx::sync_some<1, MULTIPLIERS>();
    if (threadIdx.x != 0) return;
    const int done = ptx::counter_add(&m_progress[tile], 65536) / 65536 + 1;
    if (done == static_cast<int>(m_schedule.sharers(tile))) {
      ptx::counter_set(&m_progress[tile], 0);  // the last: ready for the next launch
    }
  }

  const Operands& m_given;
  int* m_progress;
  int m_filled;  // slices of a tile that have to be loaded
  TileOrder<GROUP> m_order;
  TileSchedule m_schedule;
  Layout m_memory;
};

/// How a block's registers are shared out, in steps of eight. All threads start with as many.
template <int WARPGROUPS, int SUMS, int ALIGNED>
struct Registers {
  static constexpr int AT_START = WARPGROUPS == 1 ? 128 : 65536 / (128 * (WARPGROUPS + 1)) / 8 * 8;
  static constexpr int TO_LOAD = ALIGNED && SUMS == 128 ? 24 : 40;
  static constexpr int TO_MULTIPLY = ((WARPGROUPS + 1) * AT_START - TO_LOAD) / WARPGROUPS / 8 * 8;
};

}  // namespace tf32x3
