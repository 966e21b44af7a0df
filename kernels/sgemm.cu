// Single-precision matrix product on FMA units: C = alpha * A * B + beta * C.
// A is M x K, B is K x N, C is M x N, all row-major and dense. Any M, N, K >= 0, any alignment.
// As in BLAS, beta == 0 means that C is not read and alpha == 0 that A and B are not.
//
// A BM x BN tile of C is computed from slices of A and B that are BK deep. The block's warps share
// the tile as a grid; a warp's lanes are LANE_ROWS x (32 / LANE_ROWS); a lane owns TM x TN outputs.
//
//   STAGES   slices in shared memory, brought by cp.async ahead of their use
//   LAG      slices between the last use of a stage and its refill: no warp waits for the slowest
//   VEC      floats per copy of B; N must be a multiple of it, or every copy is of one float
//   GROUP    rows of tiles that are walked column by column, so that neighbours share L2 lines
//   ORDERED  1: where blocks share a tile, they add in a fixed order: the same bits every time
//
// The slices of all tiles are one long row, which the grid's blocks share evenly. With a block per
// tile that is the plain product; with a multiple of it, split-K; with any other number, stream-K
// (Osama et al., PPoPP 2023): no wave of blocks is left partly idle.
//
// Launch: any grid of at most a block per slice, (BM / TM) * (BN / TN) threads, dynamic shared
// memory = STAGES * (BK * (BM + 4 + BN) * 4 + 16). `arrivals` has an int per tile, zero before and
// after.

#include "ptx.cuh"

/// A run of slices of one tile, [first, last).
struct Segment {
  int tile;
  int first;
  int last;
};

/// How the blocks share `total` slices, `slices` of each tile: evenly, the first `longer` one more.
/// In 32 bits, which ptxas keeps in uniform registers.
struct Schedule {
  unsigned slices;
  unsigned total;
  unsigned blocks;
  unsigned each;
  unsigned longer;

  __device__ Schedule(unsigned tiles, unsigned slices_of_a_tile)
      : slices(slices_of_a_tile),
        total(tiles * slices_of_a_tile),
        blocks(gridDim.x),
        each(total / blocks),
        longer(total % blocks) {}

  /// The blocks that are started first take the last runs: whoever waits for another block, for
  /// one with a higher number, waits for one that was started before it.
  __device__ unsigned number() const { return blocks - 1 - blockIdx.x; }
  __device__ unsigned begin(unsigned block) const { return block * each + min(block, longer); }
  /// The block that has a slice.
  __device__ unsigned owner(unsigned slice) const {
    const unsigned in_longer = longer * (each + 1);
    return slice < in_longer ? slice / (each + 1) : longer + (slice - in_longer) / each;
  }
  /// The longest segment from a slice on, but before `end`.
  __device__ Segment segment(unsigned from, unsigned end) const {
    const unsigned tile = from / slices;
    const unsigned first = from - tile * slices;
    return {static_cast<int>(tile), static_cast<int>(first),
            static_cast<int>(min(slices, first + (end - from)))};
  }
};

template <int BM, int BN, int BK, int TM, int TN, int LANE_ROWS, int STAGES, int LAG, int VEC,
          int GROUP, int MIN_BLOCKS, int ORDERED>
__global__ void __launch_bounds__((BM / TM) * (BN / TN), MIN_BLOCKS)
    sgemm(int M, int N, int K, float alpha, const float* __restrict__ A,
          const float* __restrict__ B, float beta, float* __restrict__ C, int* arrivals) {
  constexpr int THREADS = (BM / TM) * (BN / TN);
  constexpr int LANE_COLS = 32 / LANE_ROWS;
  constexpr int WARP_ROWS = BM / (LANE_ROWS * TM);
  constexpr int RUN = 4;  // a lane's rows and columns come in fours, each one shared load
  // A is turned on the way into shared memory: eight neighbouring lanes copy eight k of one row,
  // and the padding puts them into different banks.
  constexpr int A_PITCH = 4 * (BM + 4);  // bytes from one k to the next
  constexpr int B_PITCH = 4 * BN;
  constexpr int A_SLICE = BK * A_PITCH;
  constexpr int B_SLICE = BK * B_PITCH;
  constexpr int A_ROWS = THREADS / 8;  // rows of eight k that one pass of the block copies
  constexpr int A_PASSES = BM / A_ROWS;
  constexpr int B_LANES = BN / VEC;
  constexpr int B_ROWS = THREADS / B_LANES;
  constexpr int B_PASSES = BK / B_ROWS;
  static_assert(BM % (LANE_ROWS * TM) == 0 && BN % (LANE_COLS * TN) == 0, "warps tile the block");
  static_assert(TM % RUN == 0 && TN % RUN == 0, "lanes load fours");
  static_assert(THREADS % 8 == 0 && BM % A_ROWS == 0 && BK % 8 == 0, "passes over A are regular");
  static_assert(THREADS % B_LANES == 0 && BK % B_ROWS == 0, "passes over B are regular");
  static_assert(STAGES >= LAG + 2, "a stage is refilled while another is read and one is full");

  const ptx::Shared a_slices = ptx::dynamic_shared();
  const ptx::Shared b_slices = a_slices + STAGES * A_SLICE;
  const ptx::Shared full = b_slices + STAGES * B_SLICE;  // a barrier per stage: its copies are in
  const ptx::Shared empty = full + STAGES * 8;           // likewise: all warps have read it
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32;
  const int lane = thread % 32;

  if (M <= 0 || N <= 0) return;
  if (thread == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      ptx::barrier_init(full + 8 * stage, THREADS);
      ptx::barrier_init(empty + 8 * stage, THREADS / 32);
    }
  }
  __syncthreads();

  if (alpha == 0.0f) K = 0;
  const int tiles_m = (M - 1) / BM + 1;
  const int tiles_n = (N - 1) / BN + 1;
  const int slices = K <= 0 ? 1 : (K - 1) / BK + 1;  // without any K, one of zeros
  const Schedule schedule(tiles_m * tiles_n, slices);
  const unsigned number = schedule.number();
  const unsigned end = schedule.begin(number + 1);

  // Tiles at the lower and right edge are moved inwards to lie in the matrix as a whole: the
  // inner loop then needs no checks, and what the neighbours compute as well is not stored.
  const bool roomy = M >= BM && N >= BN && N % VEC == 0 &&
                     reinterpret_cast<unsigned long long>(B) % (4 * VEC) == 0;
  const int unchecked = roomy ? K / BK : 0;  // so many slices of each tile are copied unchecked
  const bool stores_fours = N % 4 == 0 && reinterpret_cast<unsigned long long>(C) % 16 == 0;

  // This thread's place in a copy of a slice, and in the tile. Lanes are numbered in Z-order:
  // neighbours share an address of A or of B.
  const int a_row = thread / 8;
  const int a_k = thread % 8;
  const int b_k = thread / B_LANES;
  const int b_col = thread % B_LANES * VEC;
  const ptx::Shared a_to = a_slices + a_k * A_PITCH + 4 * a_row;
  const ptx::Shared b_to = b_slices + b_k * B_PITCH + 4 * b_col;
  constexpr int ROW_BITS = LANE_ROWS / 2 - 1;
  const int lane_row = lane % 2 | (lane / 4 & ROW_BITS) * 2;
  const int lane_col = lane / 2 % 2 | lane / (2 * LANE_ROWS) * 2;
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

#pragma unroll 1
  for (unsigned next = schedule.begin(number); next < end;) {
    const Segment segment = schedule.segment(next, end);
    next += segment.last - segment.first;
    const int group_row = segment.tile / (GROUP * tiles_n) * GROUP;
    const int group_rows = min(GROUP, tiles_m - group_row);
    const int in_group = segment.tile % (GROUP * tiles_n);
    const int own_row = (group_row + in_group % group_rows) * BM;  // the tile's first of its own
    const int own_col = in_group / group_rows * BN;
    const int row0 = roomy ? min(own_row, M - BM) : own_row;
    const int col0 = roomy ? min(own_col, N - BN) : own_col;

    const float* a_from = A + static_cast<long long>(row0 + a_row) * K + segment.first * BK + a_k;
    const float* b_from = B + (static_cast<long long>(segment.first) * BK + b_k) * N + col0 + b_col;
    int copied = segment.first;

    const auto copy_slice = [&] {
      const float* from = a_from;
#pragma unroll
      for (int pass = 0; pass < A_PASSES; ++pass, from += static_cast<long long>(A_ROWS) * K) {
#pragma unroll
        for (int k = 0; k < BK; k += 8) {
          ptx::copy_async<1>(a_to + refill * A_SLICE + k * A_PITCH + 4 * pass * A_ROWS, from + k);
        }
      }
      from = b_from;
#pragma unroll
      for (int pass = 0; pass < B_PASSES; ++pass, from += static_cast<long long>(B_ROWS) * N) {
        ptx::copy_async<VEC>(b_to + refill * B_SLICE + pass * B_ROWS * B_PITCH, from);
      }
    };
    // The last slice, matrices smaller than a tile, pitches that no vector fits: element by
    // element, with zeros outside. Rolled, for it is rare and must not crowd out the inner loop.
    const auto copy_slice_checked = [&] {
      const int k0 = copied * BK;
#pragma unroll 1
      for (int pass = 0; pass < A_PASSES; ++pass) {
        const int row = row0 + a_row + pass * A_ROWS;
        const float* from = a_from + static_cast<long long>(pass) * A_ROWS * K;
#pragma unroll 1
        for (int k = 0; k < BK; k += 8) {
          const bool valid = row < M && k0 + a_k + k < K;
          ptx::copy_async_if(valid, a_to + refill * A_SLICE + k * A_PITCH + 4 * pass * A_ROWS,
                             valid ? from + k : A);
        }
      }
#pragma unroll 1
      for (int pass = 0; pass < B_PASSES; ++pass) {
        const float* from = b_from + static_cast<long long>(pass) * B_ROWS * N;
        const ptx::Shared to = b_to + refill * B_SLICE + pass * B_ROWS * B_PITCH;
        for (int v = 0; v < VEC; ++v) {
          const bool valid = k0 + b_k + pass * B_ROWS < K && col0 + b_col + v < N;
          ptx::copy_async_if(valid, to + 4 * v, valid ? from + v : B);
        }
      }
    };
    const auto refill_a_stage = [&] {
      if (copied == segment.last) return;
      ptx::barrier_wait(empty + 8 * refill, empty_parity);
      if (copied < unchecked) {
        copy_slice();
      } else {
        copy_slice_checked();
      }
      ptx::barrier_arrive_after_copies(full + 8 * refill);
      a_from += BK;
      b_from += static_cast<long long>(BK) * N;
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
      a_at = a_slices + stage * A_SLICE + 4 * c_row;
      b_at = b_slices + stage * B_SLICE + 4 * c_col;
      a_last = a_at + (BK - 2) * A_PITCH;
    };
    const auto load_fragments = [&](int half, int k) {
#pragma unroll
      for (int i = 0; i < TM; i += RUN) {
        const float4 v = ptx::load_shared(a_at + k * A_PITCH + 4 * row_step(i));
        a[half][i] = v.x, a[half][i + 1] = v.y, a[half][i + 2] = v.z, a[half][i + 3] = v.w;
      }
#pragma unroll
      for (int j = 0; j < TN; j += RUN) {
        const float4 v = ptx::load_shared(b_at + k * B_PITCH + 4 * col_step(j));
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
    for (int ahead = 0; ahead < STAGES - LAG; ++ahead) refill_a_stage();
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
        a_at += 2 * A_PITCH;
        b_at += 2 * B_PITCH;
      }
      load_fragments(0, 0);
      multiply(1);
    }

    // Blocks that share the tile add to what the one with its last slices stores, which had them
    // as its first work.
    const unsigned tile_begin = segment.tile * schedule.slices;
    const unsigned last_sharer = schedule.owner(tile_begin + slices - 1);
    const bool shared_tile = segment.last - segment.first < slices;
    const bool stores = number == last_sharer;
    if (shared_tile && !stores) {
      const int turn = ORDERED ? static_cast<int>(last_sharer - number) : 1;
      if (thread == 0) {
        while (ptx::counter_read(&arrivals[segment.tile]) < turn) {
        }
      }
      __syncthreads();
    }

    // alpha is applied before the store, not in it: the accumulators need not lie in registers
    // that a wide store could read.
    const bool whole = row0 == own_row && col0 == own_col && roomy && stores_fours;
    const float keep = stores ? beta : 1.0f;  // of what C holds
    const bool adds_atomically = !stores && !ORDERED;
    if (whole && (adds_atomically || keep == 0.0f)) {
      float* const out = C + static_cast<long long>(row0 + c_row) * N + col0 + c_col;
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; j += RUN) {
          float* const to = out + static_cast<long long>(row_step(i)) * N + col_step(j);
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
      static_assert(ROWS * BN * 4 <= STAGES * (A_SLICE + B_SLICE), "the rows fit");
      const ptx::Shared rows = a_slices;
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
          float* const to = C + static_cast<long long>(row) * N + col;
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

    if (shared_tile) {
      __syncthreads();
      if (thread == 0) {
        const int others = static_cast<int>(last_sharer - schedule.owner(tile_begin));
        if (ptx::counter_increment(&arrivals[segment.tile]) == others) {
          ptx::counter_set(&arrivals[segment.tile], 0);  // the last: ready for the next launch
        }
      }
    }
  }
}

// What to compare with and what to check against. Templates too, so that compiling one kernel
// of this file does not compile the others.

/// One thread per output, nothing shared. Neighbouring threads take neighbouring columns, so that
/// reads of B and writes of C are coalesced. Grid: ceil(M / ROWS), ceil(N / COLS).
template <int COLS, int ROWS>
__global__ void sgemm_naive(int M, int N, int K, float alpha, const float* __restrict__ A,
                            const float* __restrict__ B, float beta, float* __restrict__ C,
                            int*) {
  const long long row = static_cast<long long>(blockIdx.x) * ROWS + threadIdx.y;
  const long long col = static_cast<long long>(blockIdx.y) * COLS + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + col], sum);
  float& out = C[row * N + col];
  out = beta == 0.0f ? alpha * sum : fmaf(beta, out, alpha * sum);
}

/// The textbook version: a tile of A and of B in shared memory, TILE x TILE threads with one
/// output each. Grid: ceil(M / TILE), ceil(N / TILE).
template <int TILE>
__global__ void sgemm_shared(int M, int N, int K, float alpha, const float* __restrict__ A,
                             const float* __restrict__ B, float beta, float* __restrict__ C,
                            int*) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const long long row = static_cast<long long>(blockIdx.x) * TILE + y;
  const long long col = static_cast<long long>(blockIdx.y) * TILE + x;
  float sum = 0.0f;
  for (long long k0 = 0; k0 < K; k0 += TILE) {
    a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    b[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum = fmaf(a[y][k], b[k][x], sum);
    __syncthreads();
  }
  if (row >= M || col >= N) return;
  float& out = C[row * N + col];
  out = beta == 0.0f ? alpha * sum : fmaf(beta, out, alpha * sum);
}

/// The result to check against: sums in double. 16 x 16 threads compute a TILE x TILE tile.
/// Grid: ceil(M / TILE) * ceil(N / TILE).
template <int TILE>
__global__ void __launch_bounds__(256)
    sgemm_reference(int M, int N, int K, float alpha, const float* __restrict__ A,
                    const float* __restrict__ B, float beta, float* __restrict__ C,
                            int*) {
  constexpr int SIDE = 16;
  constexpr int EACH = TILE / SIDE;  // outputs of a thread along either side
  __shared__ float a[TILE][SIDE + 1];
  __shared__ float b[SIDE][TILE];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int tiles_n = (N + TILE - 1) / TILE;
  const long long row0 = static_cast<long long>(blockIdx.x / tiles_n) * TILE;
  const long long col0 = static_cast<long long>(blockIdx.x % tiles_n) * TILE;
  double sum[EACH][EACH] = {};
  for (long long k0 = 0; k0 < K; k0 += SIDE) {
    for (int i = y; i < TILE; i += SIDE) {
      a[i][x] = row0 + i < M && k0 + x < K ? A[(row0 + i) * K + k0 + x] : 0.0f;
    }
    for (int j = x; j < TILE; j += SIDE) {
      b[y][j] = k0 + y < K && col0 + j < N ? B[(k0 + y) * N + col0 + j] : 0.0f;
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
      float& out = C[row * N + col];
      const double old = beta == 0.0f ? 0.0 : static_cast<double>(beta) * out;
      out = static_cast<float>(alpha * sum[i][j] + old);
    }
  }
}
