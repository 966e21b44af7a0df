// A block's part in sgemm.cu, which says what this is about.
#pragma once

#include "fp32_fragments.cuh"
#include "fp32_loader.cuh"
#include "fp32_sharing.cuh"
#include "fp32_slices.cuh"
#include "ptx.cuh"
#include "ring.cuh"
#include "tile_schedule.cuh"

namespace fp32 {

/// C = beta * C, where no product is to be added.
__device__ inline void scale(int M, int N, float beta, float* C, int ldc) {
  for (int row = static_cast<int>(blockIdx.x); row < M; row += static_cast<int>(gridDim.x)) {
    for (int col = static_cast<int>(threadIdx.x); col < N; col += static_cast<int>(blockDim.x)) {
      float& out = C[static_cast<long long>(row) * ldc + col];
      out = beta == 0.0f ? 0.0f : beta * out;
    }
  }
}

template <int TILE_M, int TILE_N, int SLICE_K, int TM, int TN, int LANES_M, int STAGES, int TRANS_A,
          int TRANS_B, int A_VEC, int B_VEC, int EXACT, int ORDERED>
class Block {
 public:
  static constexpr int THREADS = (TILE_M / TM) * (TILE_N / TN);
  static_assert(STAGES >= 3, "a stage is refilled while another is read and one is full");

  __device__ Block(const Operands& given, const Thread& thread, int* arrivals)
      : m_given(given),
        m_arrivals{arrivals},
        m_thread(thread),
        m_tiles_m((given.M - 1) / TILE_M + 1),
        m_tiles_n((given.N - 1) / TILE_N + 1),
        m_schedule(m_tiles_m * m_tiles_n, (given.K - 1) / SLICE_K + 1),
        m_loader(given, m_memory),
        m_place(thread) {}

  /// One thread, before any builds its Block.
  __device__ static void init_barriers() {
    const Layout memory;
    for (int stage = 0; stage < STAGES; ++stage) {
      ptx::barrier_init(memory.full(stage), THREADS);
      ptx::barrier_init(memory.empty(stage), THREADS / 32);
    }
  }

  /// Computes and stores this block's share of C. All threads.
  __device__ void multiply() {
    const SliceRange mine =
        m_sharers > 1 ? m_schedule.range(m_number, m_sharers) : m_schedule.range(m_number);
    m_schedule.for_each_run(mine, [&](const TileRun& run) {
      const Tile tile = m_loader.place(static_cast<int>(run.tile / m_tiles_n) * TILE_M,
                                       static_cast<int>(run.tile % m_tiles_n) * TILE_N);
      float c[TM][TN] = {};
      add_products(tile, run, c);
      finish(tile, run, c);
    });
  }

 private:
  static constexpr Lie A_LIE = TRANS_A ? Lie::along : A_VEC > 1 ? Lie::kept : Lie::turned;
  static constexpr Lie B_LIE = TRANS_B ? Lie::turned : Lie::along;
  using ASlices = Slices<A_LIE, TILE_M, SLICE_K, THREADS, A_VEC, EXACT>;
  using BSlices = Slices<B_LIE, TILE_N, SLICE_K, THREADS, B_VEC, EXACT>;
  using SliceLoader = Loader<ASlices, BSlices, SLICE_K, STAGES, EXACT>;
  using Layout = typename SliceLoader::Layout;
  using ThreadPlace = Place<TILE_M, TILE_N, TM, TN, LANES_M, ASlices::KEPT ? 1 : 4>;
  using OperandFragments = Fragments<ThreadPlace, ASlices, BSlices, TM, TN>;
  static constexpr int RUN = ThreadPlace::RUN;

  /// Blocks that share each tile, if all tiles have as many and what they add comes in any order;
  /// 1 otherwise.
  __device__ unsigned sharers_of_each_tile() const {
    const unsigned tiles = m_tiles_m * m_tiles_n;
    return !ORDERED && gridDim.x % tiles == 0 ? gridDim.x / tiles : 1;
  }

  // Products.

  /// In halves of a few steps of k, while slices are brought ahead of their use. The branch between
  /// them is what keeps ptxas from reordering the FMAs.
  __device__ void add_products(const Tile& tile, const TileRun& run, float (&c)[TM][TN]) {
    m_loader.begin(tile, run);
#pragma unroll 1
    for (int ahead = 0; ahead < STAGES - 1; ++ahead) m_loader.load_next();
    if (m_sharers > 1 && is_last(run)) begin_tile(tile, run.tile);  // while these are on their way
    OperandFragments operands(m_place, m_memory.a(0), m_memory.b(0));
    wait_for_slices();
    operands.enter(m_ring.stage, steps_of(run.first));
    operands.load(0);
    int slice = run.first;
#pragma unroll 1
    for (;;) {
      operands.load(1);
      operands.multiply(0, c);
      if (operands.at_last_steps()) {
        leave_stage();
        if (++slice == run.last) break;
        wait_for_slices();
        m_loader.load_next();
        operands.enter(m_ring.stage, steps_of(slice));
      } else {
        operands.advance();
      }
      operands.load(0);
      operands.multiply(1, c);
    }
    operands.multiply(1, c);
  }

  /// Steps of k of a slice, of the last one hardly more than there are; a multiple of STEPS.
  __device__ int steps_of(int slice) const {
    constexpr int STEPS = OperandFragments::STEPS;
    static_assert(SLICE_K % STEPS == 0, "zeros pad every step that is multiplied");
    return EXACT ? SLICE_K
                 : min(SLICE_K, (m_given.K - slice * SLICE_K + STEPS - 1) / STEPS * STEPS);
  }
  __device__ void wait_for_slices() const {
    ptx::barrier_wait(m_memory.full(m_ring.stage), m_ring.parity);
  }
  /// This warp has read the slices.
  __device__ void leave_stage() {
    __syncwarp();
    if (m_thread.lane == 0) ptx::barrier_arrive(m_memory.empty(m_ring.stage));
    m_ring.advance();
  }

  // Blocks that share a tile. One begins it, the others add to that in any order. If all tiles have
  // as many sharers, all are done at about the same time: the one with the last slices begins the
  // tile before its products, with beta * C, and adds its own as well. Otherwise that block was
  // done with them first, and stores beta * C and its products at once. ORDERED: the one that is
  // done last adds up what all have written down, and stores.

  __device__ void finish(const Tile& tile, const TileRun& run, float (&c)[TM][TN]) const {
    const bool shared = run.last - run.first < static_cast<int>(m_schedule.slices);
    const unsigned last_sharer = m_schedule.owner(tile_begin(run.tile) + m_schedule.slices - 1);
    if constexpr (ORDERED != 0) {
      if (shared && !collect(run.tile, last_sharer, c)) return;
      store(tile, true, c);
    } else {
      const bool stores = m_sharers == 1 && m_number == last_sharer;
      if (shared && !stores) wait_until_begun(run.tile);
      store(tile, stores, c);
      if (!shared) return;
      tell_done(run.tile, m_sharers > 1 ? m_sharers : last_sharer - first_sharer(run.tile));
    }
  }

  __device__ bool is_last(const TileRun& run) const {
    return run.last == static_cast<int>(m_schedule.slices);
  }

  /// C = beta * C in this tile, which has a number.
  __device__ void begin_tile(const Tile& tile, unsigned number) const {
    constexpr int ALONG = TILE_N < 32 ? TILE_N : 32;  // threads
    const Operands& g = m_given;
    const int end_row = min(tile.row + TILE_M, g.M);
    const int end_col = min(tile.col + TILE_N, g.N);
    const int first_col = tile.own_col + m_thread.number % ALONG;
#pragma unroll 1
    for (int row = tile.own_row + m_thread.number / ALONG; row < end_row; row += THREADS / ALONG) {
#pragma unroll 1
      for (int col = first_col; col < end_col; col += ALONG) {
        float& out = g.C[static_cast<long long>(row) * g.ldc + col];
        out = g.beta == 0.0f ? 0.0f : g.beta * out;
      }
    }
    __syncthreads();
    if (m_thread.number == 0) m_arrivals.arrive(number);
  }

  /// The tile's first slice, in the row of all.
  __device__ unsigned tile_begin(unsigned tile) const { return tile * m_schedule.slices; }
  __device__ unsigned first_sharer(unsigned tile) const {
    return m_schedule.owner(tile_begin(tile));
  }

  __device__ void wait_until_begun(unsigned tile) const {
    if (m_thread.number == 0) m_arrivals.wait_for_first(tile);
    __syncthreads();
  }
  __device__ void tell_done(unsigned tile, unsigned others) const {
    __syncthreads();
    if (m_thread.number == 0) m_arrivals.is_last(tile, others);
  }

  /// Whether this block is the last of those that share the tile: c is then the sum of what all
  /// have.
  __device__ bool collect(unsigned tile, unsigned last_sharer, float (&c)[TM][TN]) const {
    const unsigned first = first_sharer(tile);
    const Partials<THREADS, TM, TN> partials{m_arrivals.behind(m_tiles_m * m_tiles_n)};
    const auto slot = [&](unsigned sharer) {
      return 2 * sharer + (m_schedule.begin(sharer) < tile_begin(tile));
    };
    partials.write(slot(m_number), c);
    if (!is_last_of(tile, last_sharer - first)) return false;
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int j = 0; j < TN; ++j) c[i][j] = 0.0f;
    }
#pragma unroll 1
    for (unsigned sharer = first; sharer <= last_sharer; ++sharer) partials.add(slot(sharer), c);
    return true;
  }

  /// Asks one thread and tells all of them.
  __device__ bool is_last_of(unsigned tile, unsigned others) const {
    const ptx::Shared answer = m_memory.base;
    __syncthreads();  // all has been written, and nobody reads the slices any more
    if (m_thread.number == 0) {
      const bool last = m_arrivals.is_last(tile, others);
      ptx::store_shared(answer, {last ? 1.0f : 0.0f, 0.0f, 0.0f, 0.0f});
    }
    __syncthreads();
    const bool last = ptx::load_shared_one(answer) != 0.0f;
    __syncthreads();  // the ring is free again
    return last;
  }

  // The way to C.

  /// `stores`: C is to be the products plus beta * C; otherwise the tile has been begun, and these
  /// are added.
  __device__ void store(const Tile& tile, bool stores, const float (&c)[TM][TN]) const {
    const bool fours = EXACT || (m_stores_fours && m_loader.b_edge(tile) % RUN == 0);
    const float keep = stores ? m_given.beta : 1.0f;  // of what C holds
    const bool adds = !stores && !ORDERED;            // atomically
    if (fours && adds) {
      put_fours(tile, c, [](float* to, float4 value) { ptx::add(to, value); });
    } else if (fours && keep == 0.0f) {
      put_fours(tile, c, [](float* to, float4 value) { ptx::store(to, value); });
    } else if (adds) {
      put_rows<2>(tile, c, [](float* to, float value) { ptx::add_one(to, value); });
    } else if (keep == 0.0f) {
      put_rows<32>(tile, c, [](float* to, float value) { *to = value; });
    } else {
      put_rows<1>(tile, c, [&](float* to, float value) { *to = fmaf(keep, *to, value); });
    }
  }

  /// alpha is applied before the store, not in it: the accumulators need not lie in registers that
  /// a wide store could read.
  __device__ float4 scaled_four(const float (&c)[TM][TN], int i, int j) const {
    const float alpha = m_given.alpha;
    return {alpha * c[i][j], alpha * c[i][j + 1], alpha * c[i][j + 2], alpha * c[i][j + 3]};
  }

  /// Calls `put` with the address in C and the values of each four of this thread's outputs.
  template <typename Put>
  __device__ void put_fours(const Tile& tile, const float (&c)[TM][TN], Put put) const {
    const Outputs outputs(m_given, tile, tile.row + m_place.row, tile.col + m_place.col);
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      const int down = ThreadPlace::row_step(i);
      float* const row = outputs.row(down);
#pragma unroll
      for (int j = 0; j < TN; j += RUN) {
        const int right = ThreadPlace::col_step(j);
        const float4 value = scaled_four(c, i, j);
        if (EXACT || outputs.stores(down, right)) put(row + right, value);
      }
    }
  }

  /// Calls `put` with each output's address in C and its value: at edges, and where C is read. They
  /// go through shared memory, so that neighbouring lanes put neighbouring floats. A warp does so
  /// on its own, for a row of each of its lanes at a time. PUTS: how many calls are unrolled;
  /// unrolling costs compile time, so only frequent cases get many. Calls are predicated, not
  /// branched around: code that runs once has to be fetched first, so it is kept short.
  template <int PUTS, typename Put>
  __device__ void put_rows(const Tile& tile, const float (&c)[TM][TN], Put put) const {
    constexpr int WARP_COLS = ThreadPlace::WARP_COLS;
    constexpr int PITCH = WARP_COLS + RUN;  // floats; the padding changes banks
    constexpr int ALONG = WARP_COLS % 32 == 0 ? 32 : WARP_COLS % 16 == 0 ? 16 : RUN;  // lanes
    constexpr int BYTES = 4 * LANES_M * PITCH;  // a warp's
    static_assert(THREADS / 32 * BYTES <= Layout::SLICES_BYTES, "the rows fit");
    const ptx::Shared rows = m_memory.base + m_thread.warp * BYTES;
    const ptx::Shared to = rows + 4 * (m_place.lane_row * PITCH + m_place.col_in_warp());
    const int lane_row = m_thread.lane / ALONG;
    const int lane_col = m_thread.lane % ALONG;
    const ptx::Shared from = rows + 4 * (lane_row * PITCH + lane_col);
    const Outputs outputs(m_given, tile, tile.row + m_place.first_row_of(lane_row),
                          tile.col + m_place.first_col_of_warp() + lane_col);
    __syncthreads();  // nobody reads the slices any more
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int j = 0; j < TN; j += RUN) {
        ptx::store_shared(to + 4 * ThreadPlace::col_step(j), scaled_four(c, i, j));
      }
      __syncwarp();
#pragma unroll(PUTS)
      for (int lanes = 0; lanes < LANES_M; lanes += 32 / ALONG) {
        const int down = ThreadPlace::row_step(i, lanes);
        float* const row = outputs.row(down);
#pragma unroll(PUTS)
        for (int right = 0; right < WARP_COLS; right += ALONG) {
          const float value = ptx::load_shared_one(from + 4 * (lanes * PITCH + right));
          if (outputs.stores(down, right)) put(row + right, value);
        }
      }
      __syncwarp();
    }
    __syncthreads();  // the ring is free again
  }

  const Operands& m_given;
  Arrivals m_arrivals;
  Thread m_thread;
  unsigned m_tiles_m;
  unsigned m_tiles_n;
  TileSchedule m_schedule;
  // The blocks that are started first take the last runs: whoever waits for another block, for one
  // with a higher number, waits for one that was started before it.
  unsigned m_number = gridDim.x - 1 - blockIdx.x;
  unsigned m_sharers = sharers_of_each_tile();
  Layout m_memory;
  Ring<STAGES> m_ring;  // of the slices that are multiplied
  SliceLoader m_loader;
  ThreadPlace m_place;
  bool m_stores_fours = EXACT || (m_given.ldc % 4 == 0 && is_aligned(m_given.C, 16));
};

}  // namespace fp32
