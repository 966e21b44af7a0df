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
//                 refilled a slice after its last use, so that no warp waits for the slowest
//   A_VEC, B_VEC  floats per copy of a matrix whose stored rows run along the tile (TRANS_A, not
//                 TRANS_B); lda or ldb must be a multiple of it. 1 for the other kind, see Slices
//   EXACT         1: M, N and K are multiples of BM, BN and BK, K > 0, ldc is a multiple of 4 and
//                 all matrices are aligned to 16 bytes: nothing is checked
//   ORDERED       1: what blocks that share a tile have of it is added in the order of their
//                 slices: the same bits every time
//
// Launch: any grid of at most a block per slice (see TileSchedule), (BM / TM) * (BN / TN) threads,
// dynamic shared memory = STAGES * (BK * (BM + BN + padding) * 4 + 16), padding = 4 for A unless
// TRANS_A, and 4 for B if TRANS_B. `arrivals` has an int per tile, zero before and after; with
// ORDERED, from the next multiple of 16 bytes on, 2 * BM * BN floats per block as well.

#include "ptx.cuh"
#include "sgemm_plain.cuh"
#include "tile_schedule.cuh"

/// How a block brings slices of A or B into shared memory, where a slice is BK rows of EXTENT
/// floats, each row one k. Of a matrix whose stored rows run along k, a slice is turned on the way:
/// eight neighbouring lanes (more where there are fewer rows) copy as many k of one row, a float
/// each, and the padding puts eight into different banks.
template <bool TURNED, int EXTENT, int BK, int THREADS, int VEC>
struct Slices {
  static constexpr int PITCH = 4 * (EXTENT + (TURNED ? 4 : 0));  // bytes from one k to the next
  static constexpr int BYTES = BK * PITCH;
  static constexpr int ALONG_K = THREADS > 8 * EXTENT ? THREADS / EXTENT : 8;
  static constexpr int LANES = TURNED ? ALONG_K : EXTENT / VEC;  // threads along a stored row
  static constexpr int ROWS = THREADS / LANES;                   // stored rows that one pass copies
  static constexpr int PASSES = (TURNED ? EXTENT : BK) / ROWS;
  static constexpr int STEPS = TURNED ? BK / LANES : 1;  // of a pass along its stored rows
  static_assert(!TURNED || VEC == 1, "only single floats can be turned");
  static_assert(THREADS % LANES == 0 && (!TURNED || BK % LANES == 0), "passes are regular");
  static_assert((TURNED ? EXTENT : BK) % ROWS == 0, "passes are regular");

  // Where this thread's copies begin, in stored rows and columns.
  int row = static_cast<int>(threadIdx.x) / LANES;
  int col = static_cast<int>(threadIdx.x) % LANES * VEC;
  const float* matrix;
  const float* from;  // of this thread's first copy of the next slice
  int ld;             // floats from one stored row to the next
  ptx::Shared to;

  __device__ Slices(const float* stored, int pitch, ptx::Shared slices)
      : matrix(stored), ld(pitch), to(slices + (TURNED ? at(col, row) : at(row, col))) {}

  /// Where an element is in a slice, in bytes.
  static __device__ constexpr int at(int k, int i) { return k * PITCH + 4 * i; }

  /// The next slice is number `slice` of the tile that begins at `first` along EXTENT.
  __device__ void seek(int first, int slice) {
    const long long k = static_cast<long long>(slice) * BK;
    from = matrix + (TURNED ? (first + row) * static_cast<long long>(ld) + k + col
                            : (k + row) * ld + first + col);
  }
  __device__ void advance() { from += TURNED ? BK : static_cast<long long>(BK) * ld; }

  __device__ void copy(int stage) const {
    const float* source = from;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass, source += static_cast<long long>(ROWS) * ld) {
#pragma unroll
      for (int step = 0; step < STEPS; ++step) {
        const int place = TURNED ? at(step * LANES, pass * ROWS) : at(pass * ROWS, 0);
        ptx::copy_async<VEC>(to + stage * BYTES + place, source + step * LANES);
      }
    }
  }

  /// The last slice, `depth` deep, with zeros behind it. Rolled, for it is rare and must not crowd
  /// out the inner loop.
  __device__ void copy_last(int stage, int depth) const {
#pragma unroll 1
    for (int pass = 0; pass < PASSES; ++pass) {
      const float* const source = from + static_cast<long long>(pass) * ROWS * ld;
#pragma unroll 1
      for (int step = 0; step < STEPS; ++step) {
        const bool valid = (TURNED ? col + step * LANES : row + pass * ROWS) < depth;
        const int place = TURNED ? at(step * LANES, pass * ROWS) : at(pass * ROWS, 0);
        ptx::copy_async_if<VEC>(valid, to + stage * BYTES + place,
                                valid ? source + step * LANES : matrix);
      }
    }
  }

  /// Float by float, with zeros beyond `width` along EXTENT and `depth` along k, both counted from
  /// the slice's first element.
  __device__ void copy_checked(int stage, int width, int depth) const {
    const int rows = TURNED ? width : depth;
    const int cols = TURNED ? depth : width;
#pragma unroll 1
    for (int pass = 0; pass < PASSES; ++pass) {
      const float* const source = from + static_cast<long long>(pass) * ROWS * ld;
#pragma unroll 1
      for (int each = 0; each < STEPS * VEC; ++each) {
        const int along = each * (TURNED ? LANES : 1);
        const bool valid = row + pass * ROWS < rows && col + along < cols;
        const int place = TURNED ? at(along, pass * ROWS) : at(pass * ROWS, along);
        ptx::copy_async_if<1>(valid, to + stage * BYTES + place, valid ? source + along : matrix);
      }
    }
  }

  /// What is left of a slice at an edge. `fits`: it is as wide as the tile and begins with VEC
  /// floats that can be copied at once.
  __device__ void copy_edge(int stage, bool fits, int width, int depth) const {
    if (!fits) {
      copy_checked(stage, width, depth);
    } else if (depth < BK) {
      copy_last(stage, depth);
    } else {
      copy(stage);
    }
  }
};

/// A warp's lanes as LANE_ROWS rows, in Z-order: neighbours share an address of A or of B.
template <int LANE_ROWS>
struct Lanes {
  static constexpr bool THIN = LANE_ROWS == 1 || LANE_ROWS == 32;  // a single column or row
  static constexpr int ROW_BITS = LANE_ROWS / 2 - 1;

  static __device__ int row(int lane) {
    return THIN ? lane % LANE_ROWS : lane % 2 | (lane / 4 & ROW_BITS) * 2;
  }
  static __device__ int column(int lane) {
    return THIN ? lane / LANE_ROWS : lane / 2 % 2 | lane / (2 * LANE_ROWS) * 2;
  }
};

/// What blocks have of the tiles that they share. The first and the last tile of a block may be
/// such ones: it has a slot for each. A thread's outputs lie so that its warp's are side by side.
template <int THREADS, int TM, int TN>
struct Partials {
  float* slots;

  __device__ float4* at(unsigned slot, int i, int j) const {
    return reinterpret_cast<float4*>(slots + slot * (static_cast<long long>(THREADS) * TM * TN)) +
           (i * (TN / 4) + j / 4) * THREADS + threadIdx.x;
  }
  __device__ void write(unsigned slot, const float (&c)[TM][TN]) const {
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int j = 0; j < TN; j += 4) {
        *at(slot, i, j) = {c[i][j], c[i][j + 1], c[i][j + 2], c[i][j + 3]};
      }
    }
  }
  /// Past L1, which knows nothing of what other blocks write.
  __device__ void add(unsigned slot, float (&c)[TM][TN]) const {
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int j = 0; j < TN; j += 4) {
        const float4 v = __ldcg(at(slot, i, j));
        c[i][j] += v.x, c[i][j + 1] += v.y, c[i][j + 2] += v.z, c[i][j + 3] += v.w;
      }
    }
  }
};

/// C = beta * C, where no product is to be added.
__device__ inline void scale(int M, int N, float beta, float* C, int ldc) {
  for (int row = static_cast<int>(blockIdx.x); row < M; row += static_cast<int>(gridDim.x)) {
    for (int col = static_cast<int>(threadIdx.x); col < N; col += static_cast<int>(blockDim.x)) {
      float& out = C[static_cast<long long>(row) * ldc + col];
      out = beta == 0.0f ? 0.0f : beta * out;
    }
  }
}

template <int BM, int BN, int BK, int TM, int TN, int LANE_ROWS, int STAGES, int MIN_BLOCKS,
          int TRANS_A, int TRANS_B, int A_VEC, int B_VEC, int EXACT, int ORDERED>
__global__ void __launch_bounds__((BM / TM) * (BN / TN), MIN_BLOCKS)
    sgemm(int M, int N, int K, float alpha, const float* __restrict__ A, int lda,
          const float* __restrict__ B, int ldb, float beta, float* __restrict__ C, int ldc,
          int* arrivals) {
  constexpr int THREADS = (BM / TM) * (BN / TN);
  constexpr int LANE_COLS = 32 / LANE_ROWS;
  constexpr int WARP_ROWS = BM / (LANE_ROWS * TM);
  constexpr int RUN = 4;  // a lane's rows and columns come in fours, each one shared load
  using ASlices = Slices<!TRANS_A, BM, BK, THREADS, A_VEC>;
  using BSlices = Slices<TRANS_B, BN, BK, THREADS, B_VEC>;
  static_assert(BM % (LANE_ROWS * TM) == 0 && BN % (LANE_COLS * TN) == 0, "warps tile the block");
  static_assert(TM % RUN == 0 && TN % RUN == 0, "lanes load fours");
  static_assert(STAGES >= 3, "a stage is refilled while another is read and one is full");

  const ptx::Shared a_memory = ptx::dynamic_shared();
  const ptx::Shared b_memory = a_memory + STAGES * ASlices::BYTES;
  const ptx::Shared full =
      b_memory + STAGES * BSlices::BYTES;       // a barrier per stage: its copies are in
  const ptx::Shared empty = full + STAGES * 8;  // likewise: all warps have read it
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32;
  const int lane = thread % 32;

  if (M <= 0 || N <= 0) return;
  if (alpha == 0.0f || K <= 0) {
    scale(M, N, beta, C, ldc);
    return;
  }
  if (thread == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      ptx::barrier_init(full + 8 * stage, THREADS);
      ptx::barrier_init(empty + 8 * stage, THREADS / 32);
    }
  }
  __syncthreads();

  const int tiles_m = (M - 1) / BM + 1;
  const int tiles_n = (N - 1) / BN + 1;
  const int slices = (K - 1) / BK + 1;
  const TileSchedule schedule(tiles_m * tiles_n, slices);
  // The blocks that are started first take the last runs: whoever waits for another block, for one
  // with a higher number, waits for one that was started before it.
  const unsigned number = gridDim.x - 1 - blockIdx.x;

  // Tiles at the lower and right edge are moved inwards to lie in the matrix as a whole: the
  // inner loop then needs no checks, and what the neighbours compute as well is not stored.
  const auto aligned = [](const void* p, int bytes) {
    return reinterpret_cast<unsigned long long>(p) % bytes == 0;
  };
  const bool a_fits = EXACT || (M >= BM && lda % A_VEC == 0 && aligned(A, 4 * A_VEC));
  const bool b_fits = EXACT || (N >= BN && ldb % B_VEC == 0 && aligned(B, 4 * B_VEC));
  const bool stores_fours = EXACT || (ldc % 4 == 0 && aligned(C, 16));

  // This thread's place in the tile.
  ASlices a_slices(A, lda, a_memory);
  BSlices b_slices(B, ldb, b_memory);
  const int lane_row = Lanes<LANE_ROWS>::row(lane);
  const int lane_col = Lanes<LANE_ROWS>::column(lane);
  const int c_row = warp % WARP_ROWS * LANE_ROWS * TM + lane_row * RUN;
  const int c_col = warp / WARP_ROWS * LANE_COLS * TN + lane_col * RUN;
  // Output (i, j) of this thread is at (c_row + row_step(i), c_col + col_step(j)) of the tile.
  const auto row_step = [](int i) { return i / RUN * RUN * LANE_ROWS + i % RUN; };
  const auto col_step = [](int j) { return j / RUN * RUN * LANE_COLS + j % RUN; };

  // The ring of stages goes on from tile to tile.
  int stage = 0;
  unsigned full_parity = 0;
  int refill = 0;
  unsigned empty_parity = 1;

  schedule.for_each_run(number, [&](const TileRun& segment) {
    const unsigned tile_row = segment.tile / static_cast<unsigned>(tiles_n);
    const unsigned tile_col = segment.tile % static_cast<unsigned>(tiles_n);
    const int own_row = static_cast<int>(tile_row) * BM;  // the tile's first of its own
    const int own_col = static_cast<int>(tile_col) * BN;
    const int row0 = a_fits ? min(own_row, M - BM) : own_row;
    const int col0 = b_fits ? min(own_col, N - BN) : own_col;
    a_slices.seek(row0, segment.first);
    b_slices.seek(col0, segment.first);
    int copied = segment.first;
    // Once per tile: what is asked once per slice is felt.
    const bool a_whole = a_fits && row0 % A_VEC == 0;
    const bool b_whole = b_fits && col0 % B_VEC == 0;
    const int unchecked = a_whole && b_whole ? K / BK : 0;  // slices

    const auto refill_a_stage = [&] {
      if (copied == segment.last) return;
      ptx::barrier_wait(empty + 8 * refill, empty_parity);
      if (EXACT || copied < unchecked) {
        a_slices.copy(refill);
        b_slices.copy(refill);
      } else {
        const int depth = K - copied * BK;
        a_slices.copy_edge(refill, a_whole, M - row0, depth);
        b_slices.copy_edge(refill, b_whole, N - col0, depth);
      }
      ptx::barrier_arrive_after_copies(full + 8 * refill);
      a_slices.advance();
      b_slices.advance();
      ++copied;
      if (++refill == STAGES) {
        refill = 0;
        empty_parity ^= 1;
      }
    };

    // Fragments are read one step of k ahead of their use, into the other half of a and b.
    float a[2][TM];
    float b[2][TN];
    float c[TM][TN] = {};
    ptx::Shared a_at;
    ptx::Shared b_at;
    ptx::Shared a_last;  // where the last two steps of the slice are
    const auto enter_stage = [&] {
      a_at = a_memory + stage * ASlices::BYTES + 4 * c_row;
      b_at = b_memory + stage * BSlices::BYTES + 4 * c_col;
      a_last = a_at + (BK - 2) * ASlices::PITCH;
    };
    const auto load_fragments = [&](int half, int k) {
#pragma unroll
      for (int i = 0; i < TM; i += RUN) {
        const float4 v = ptx::load_shared(a_at + k * ASlices::PITCH + 4 * row_step(i));
        a[half][i] = v.x, a[half][i + 1] = v.y, a[half][i + 2] = v.z, a[half][i + 3] = v.w;
      }
#pragma unroll
      for (int j = 0; j < TN; j += RUN) {
        const float4 v = ptx::load_shared(b_at + k * BSlices::PITCH + 4 * col_step(j));
        b[half][j] = v.x, b[half][j + 1] = v.y, b[half][j + 2] = v.z, b[half][j + 3] = v.w;
      }
    };
    // Every second row runs backwards: two neighbouring FMAs then share an operand, which spares
    // the register file a read.
    const auto multiply = [&](int half) {
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int jj = 0; jj < TN; ++jj) {
          const int j = i % 2 ? TN - 1 - jj : jj;
          c[i][j] = fmaf(a[half][i], b[half][j], c[i][j]);
        }
      }
    };

#pragma unroll 1
    for (int ahead = 0; ahead < STAGES - 1; ++ahead) refill_a_stage();
    ptx::barrier_wait(full + 8 * stage, full_parity);
    enter_stage();
    load_fragments(0, 0);
    int slice = segment.first;
    // Two steps of k. The branch between them is what keeps ptxas from reordering the FMAs.
#pragma unroll 1
    for (;;) {
      load_fragments(1, 1);
      multiply(0);
      if (a_at == a_last) {
        __syncwarp();
        if (lane == 0) ptx::barrier_arrive(empty + 8 * stage);
        if (++stage == STAGES) {
          stage = 0;
          full_parity ^= 1;
        }
        if (++slice == segment.last) {
          multiply(1);
          break;
        }
        ptx::barrier_wait(full + 8 * stage, full_parity);
        refill_a_stage();
        enter_stage();
      } else {
        a_at += 2 * ASlices::PITCH;
        b_at += 2 * BSlices::PITCH;
      }
      load_fragments(0, 0);
      multiply(1);
    }

    // Blocks that share the tile add to what the one with its last slices stores, which had them
    // as its first work. ORDERED: the one that is done last adds up what all have written down.
    const unsigned tile_begin = segment.tile * schedule.slices;
    const unsigned last_sharer = schedule.owner(tile_begin + slices - 1);
    const bool shared_tile = segment.last - segment.first < slices;
    bool stores = number == last_sharer;
    if constexpr (ORDERED != 0) {
      stores = true;
      if (shared_tile) {
        const unsigned counters = (static_cast<unsigned>(tiles_m * tiles_n) + 3) / 4 * 4;
        const Partials<THREADS, TM, TN> partials{reinterpret_cast<float*>(arrivals + counters)};
        const auto slot = [&](unsigned sharer) {
          return 2 * sharer + (schedule.begin(sharer) < tile_begin);
        };
        const unsigned first_sharer = schedule.owner(tile_begin);
        partials.write(slot(number), c);
        __syncthreads();  // all has been written, and nobody reads the slices any more
        if (thread == 0) {
          const int others = static_cast<int>(last_sharer - first_sharer);
          const bool is_last = ptx::counter_add(&arrivals[segment.tile], 1) == others;
          if (is_last) ptx::counter_set(&arrivals[segment.tile], 0);  // for the next launch
          ptx::store_shared(a_memory, {is_last ? 1.0f : 0.0f, 0.0f, 0.0f, 0.0f});
        }
        __syncthreads();
        stores = ptx::load_shared_one(a_memory) != 0.0f;
        __syncthreads();  // the ring is free again
        if (!stores) return;
#pragma unroll
        for (int i = 0; i < TM; ++i) {
#pragma unroll
          for (int j = 0; j < TN; ++j) c[i][j] = 0.0f;
        }
#pragma unroll 1
        for (unsigned sharer = first_sharer; sharer <= last_sharer; ++sharer) {
          partials.add(slot(sharer), c);
        }
      }
    } else if (shared_tile && !stores) {
      if (thread == 0) {
        while (ptx::counter_read(&arrivals[segment.tile]) < 1) {
        }
      }
      __syncthreads();
    }

    // alpha is applied before the store, not in it: the accumulators need not lie in registers
    // that a wide store could read.
    const bool fours = EXACT || (b_fits && stores_fours && col0 % RUN == 0);
    const float keep = stores ? beta : 1.0f;  // of what C holds
    const bool adds_atomically = !stores && !ORDERED;
    if (fours && (adds_atomically || keep == 0.0f)) {
      float* const out = C + static_cast<long long>(row0 + c_row) * ldc + col0 + c_col;
      // Before them, the outputs of a tile that was moved inwards are its neighbours'.
      const int first_row = own_row - row0 - c_row;
      const int first_col = own_col - col0 - c_col;
      const int end_row = M - row0 - c_row;  // of a matrix with fewer rows than the tile
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; j += RUN) {
          if (!EXACT &&
              (row_step(i) < first_row || row_step(i) >= end_row || col_step(j) < first_col)) {
            continue;
          }
          float* const to = out + static_cast<long long>(row_step(i)) * ldc + col_step(j);
          const float4 v = {alpha * c[i][j], alpha * c[i][j + 1], alpha * c[i][j + 2],
                            alpha * c[i][j + 3]};
          if (adds_atomically) {
            ptx::add(to, v);
          } else {
            *reinterpret_cast<float4*>(to) = v;
          }
        }
      }
    } else {
      // Edges, and where C is read: row by row of every thread through shared memory, in a rolled
      // loop. Unrolled over a thread's outputs it would take most of the compile time.
      constexpr int ROWS = BM / TM;  // of the tile that one row of every thread makes up
      static_assert(ROWS * BN * 4 <= STAGES * (ASlices::BYTES + BSlices::BYTES), "the rows fit");
      const ptx::Shared rows = a_memory;
      const int my_row = warp % WARP_ROWS * LANE_ROWS + lane_row;
#pragma unroll 1
      for (int i = 0; i < TM; ++i) {
        __syncthreads();  // nobody reads the slices, or the rows before, any more
#pragma unroll
        for (int each = 0; each < TM; ++each) {
          if (each != i) continue;
#pragma unroll
          for (int j = 0; j < TN; j += RUN) {
            ptx::store_shared(rows + 4 * (my_row * BN + c_col + col_step(j)),
                              {alpha * c[each][j], alpha * c[each][j + 1], alpha * c[each][j + 2],
                               alpha * c[each][j + 3]});
          }
        }
        __syncthreads();
#pragma unroll 1
        for (int at = thread; at < ROWS * BN; at += THREADS) {
          const int in_tile = at / BN / LANE_ROWS * LANE_ROWS * TM + at / BN % LANE_ROWS * RUN;
          const int row = row0 + in_tile + row_step(i);
          const int col = col0 + at % BN;
          if (row < own_row || row >= M || col < own_col || col >= N) continue;
          float* const to = C + static_cast<long long>(row) * ldc + col;
          const float value = ptx::load_shared_one(rows + 4 * at);
          if (adds_atomically) {
            ptx::add_one(to, value);
          } else {
            *to = keep == 0.0f ? value : fmaf(keep, *to, value);
          }
        }
      }
      __syncthreads();  // the ring is free again
    }

    if (!ORDERED && shared_tile) {
      __syncthreads();
      if (thread == 0) {
        const int others = static_cast<int>(last_sharer - schedule.owner(tile_begin));
        if (ptx::counter_add(&arrivals[segment.tile], 1) == others) {
          ptx::counter_set(&arrivals[segment.tile], 0);  // the last: ready for the next launch
        }
      }
    }
  });
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
