// How a block of sgemm.cu keeps its ring of stages full.
#pragma once

#include "ptx.cuh"
#include "ring.cuh"
#include "tile_schedule.cuh"

namespace fp32 {

struct Operands {
  int M, N, K;
  float alpha;
  const float* A;
  int lda;
  const float* B;
  int ldb;
  float beta;
  float* C;
  int ldc;
};

/// Where a tile begins in C, and where it is computed. Tiles at the lower and right edge are moved
/// inwards to lie in the matrix as a whole, if it is as wide as they are: the inner loop then needs
/// no checks, and what the neighbours compute as well is not stored.
struct Tile {
  int own_row, own_col;
  int row, col;
};

/// A tile's outputs in C, addressed by rows and columns from the output at (row, col).
class Outputs {
 public:
  __device__ Outputs(const Operands& given, const Tile& tile, int row, int col)
      : m_first(given.C + static_cast<long long>(row) * given.ldc + col),
        m_ldc(given.ldc),
        m_own_row(tile.own_row - row),
        m_rows(given.M - tile.own_row),
        m_own_col(tile.own_col - col),
        m_end_col(given.N - col) {}

  __device__ float* row(int down) const { return m_first + static_cast<long long>(down) * m_ldc; }
  /// Whether this tile stores that output: earlier ones belong to its neighbours, later ones lie
  /// outside C. One comparison per output; what depends only on its column can be computed once.
  __device__ bool stores(int down, int right) const {
    const unsigned rows = right >= m_own_col && right < m_end_col ? m_rows : 0;
    return static_cast<unsigned>(down - m_own_row) < rows;  // wraps around above the first own row
  }

 private:
  float* m_first;
  int m_ldc;
  int m_own_row;
  unsigned m_rows;  // of C, from the tile's own first one
  int m_own_col, m_end_col;
};

/// Shared memory: the slices of A in all stages, those of B, then two barriers per stage.
template <int A_BYTES, int B_BYTES, int STAGES>
struct Memory {
  static constexpr int SLICES_BYTES = STAGES * (A_BYTES + B_BYTES);

  ptx::Shared base = ptx::dynamic_shared();

  __device__ ptx::Shared a(int stage) const { return base + stage * A_BYTES; }
  __device__ ptx::Shared b(int stage) const { return base + STAGES * A_BYTES + stage * B_BYTES; }
  /// The copies of all threads are in.
  __device__ ptx::Shared full(int stage) const { return base + SLICES_BYTES + 8 * stage; }
  /// All warps have read the slices.
  __device__ ptx::Shared empty(int stage) const { return full(stage) + 8 * STAGES; }
};

/// Fills the ring of stages, which goes on from tile to tile. All threads of a block.
template <class ASlices, class BSlices, int SLICE_K, int STAGES, int EXACT>
class Loader {
 public:
  using Layout = Memory<ASlices::BYTES, BSlices::BYTES, STAGES>;

  __device__ Loader(const Operands& given, const Layout& memory)
      : m_depth(given.K),
        m_memory(memory),
        m_a(given.A, given.lda, given.M, memory.a(0)),
        m_b(given.B, given.ldb, given.N, memory.b(0)) {}

  /// The column that must be a multiple of a vector's width: the tile's first one if it lies inside
  /// B, otherwise the end of B.
  __device__ int b_edge(const Tile& tile) const { return m_b.edge(tile.col); }

  /// The tile that begins there in C.
  __device__ Tile place(int row, int col) const {
    return {row, col, m_a.place(row), m_b.place(col)};
  }

  /// What comes next are the slices of a run.
  __device__ void begin(const Tile& tile, const TileRun& run) {
    m_a.seek(tile.row, run.first);
    m_b.seek(tile.col, run.first);
    m_slice = run.first;
    m_last = run.last;
    // Once per tile: what is asked once per slice is felt.
    m_unchecked = m_a.whole() && m_b.whole() ? m_depth / SLICE_K : 0;
  }

  /// Brings the run's next slice, if there is one, as soon as its stage is empty.
  __device__ void load_next() {
    if (m_slice == m_last) return;
    ptx::barrier_wait(m_memory.empty(m_ring.stage), m_ring.parity);
    if (EXACT || m_slice < m_unchecked) {
      m_a.copy(m_ring.stage);
      m_b.copy(m_ring.stage);
    } else {
      const int depth = m_depth - m_slice * SLICE_K;
      m_a.copy_edge(m_ring.stage, depth);
      m_b.copy_edge(m_ring.stage, depth);
    }
    ptx::barrier_arrive_after_copies(m_memory.full(m_ring.stage));
    m_a.advance();
    m_b.advance();
    ++m_slice;
    m_ring.advance();
  }

 private:
  int m_depth;
  Layout m_memory;
  ASlices m_a;
  BSlices m_b;
  Ring<STAGES> m_ring{0, 1};  // fresh barriers are as if one of parity 1 had ended: all are empty
  int m_slice = 0;            // the next one
  int m_last = 0;
  int m_unchecked = 0;  // slices
};

}  // namespace fp32
