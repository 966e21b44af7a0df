// Slices of A and B in shared memory, see sgemm.cu.
#pragma once

#include "ptx.cuh"

namespace fp32 {

__device__ inline bool is_aligned(const void* p, int bytes) {
  return reinterpret_cast<unsigned long long>(p) % bytes == 0;
}

/// How slices lie in shared memory. along: the matrix's stored rows run along the tile, and each k
/// is a row of EXTENT floats. turned: they run along k, and are turned on the way: eight
/// neighbouring lanes (more where there are fewer rows) copy as many k of one row, a float each,
/// and the padding puts eight into different banks. kept: they run along k, and each is a row of
/// SLICE_K floats, padded for the same reason.
enum class Lie { along, turned, kept };

/// The smallest power of two that is at least `least`.
__device__ constexpr int round_up_to_power_of_two(int least) {
  int power = 1;
  while (power < least) power *= 2;
  return power;
}

/// How a block brings slices of A or B into shared memory, SLICE_K deep, of EXTENT rows or columns:
/// a power of two or three quarters of one. EXACT: see sgemm.cu.
template <Lie LIE, int EXTENT, int SLICE_K, int THREADS, int VEC, int EXACT>
class Slices {
  static constexpr int PADDING = LIE == Lie::along ? 0 : 4;
  static constexpr int PITCH = 4 * ((LIE == Lie::kept ? SLICE_K : EXTENT) + PADDING);

 public:
  static constexpr bool KEPT = LIE == Lie::kept;
  static constexpr int BYTES = (KEPT ? EXTENT : SLICE_K) * PITCH;
  static constexpr int K_BYTES = KEPT ? 4 : PITCH;  // from one k to the next
  static constexpr int I_BYTES = KEPT ? PITCH : 4;  // from one row or column to the next

  /// `extent`: of the matrix, where a tile has EXTENT of it. `slices`: the first stage's.
  __device__ Slices(const float* matrix, int pitch, int extent, ptx::Shared slices)
      : m_matrix(matrix),
        m_pitch(pitch),
        m_extent(extent),
        m_fits(EXACT || extent >= EXTENT),
        m_aligned(EXACT || (pitch % VEC == 0 && is_aligned(matrix, 4 * VEC))),
        m_to(slices + (ALONG_K ? at(m_col, m_row) : at(m_row, m_col))) {}

  /// The position along EXTENT that must be a multiple of a vector's width: `first`, where the tile
  /// is computed, if it lies inside the matrix, otherwise the matrix's end.
  __device__ int edge(int first) const { return m_fits ? first : m_extent; }
  /// Where the tile is computed that begins at `own` along EXTENT, see Tile.
  __device__ int place(int own) const { return m_fits ? min(own, m_extent - EXTENT) : own; }

  /// The next slice is number `slice` of the tile that is computed at `first` along EXTENT.
  __device__ void seek(int first, int slice) {
    const long long k = static_cast<long long>(slice) * SLICE_K;
    m_from = m_matrix + (ALONG_K ? (first + m_row) * static_cast<long long>(m_pitch) + k + m_col
                                 : (k + m_row) * m_pitch + first + m_col);
    m_first = first;
    m_vectors = m_aligned && (ALONG_K || edge(first) % VEC == 0);
  }
  /// Whether a slice of the tile, if SLICE_K deep, is copied unchecked.
  __device__ bool whole() const { return m_fits && m_vectors; }
  __device__ void advance() {
    m_from += ALONG_K ? SLICE_K : static_cast<long long>(SLICE_K) * m_pitch;
  }

  /// A slice that is whole, see above.
  __device__ void copy(int stage) const {
    if (!is_idle()) copy_vectors<false, false>(stage, SLICE_K);
  }

  /// Any other slice; `depth`: what is left of k.
  __device__ void copy_edge(int stage, int depth) const {
    if (!m_vectors || (KEPT && depth < SLICE_K && depth % VEC != 0)) {
      copy_checked(stage, depth);
    } else if (depth >= SLICE_K) {
      copy_vectors<true, false>(stage, depth);
    } else {
      copy_vectors<true, true>(stage, depth);
    }
  }

 private:
  static constexpr bool TURNED = LIE == Lie::turned;
  static constexpr bool ALONG_K = LIE != Lie::along;  // stored rows
  static constexpr int TURNING = THREADS > 8 * EXTENT ? THREADS / EXTENT : 8;
  // Threads along a stored row.
  static constexpr int LANES = TURNED ? TURNING
                               : KEPT ? SLICE_K / VEC
                                      : round_up_to_power_of_two(EXTENT / VEC);
  static constexpr int ROWS = THREADS / LANES;  // stored rows that one pass copies
  static constexpr int PASSES = (ALONG_K ? EXTENT : SLICE_K) / ROWS;
  static constexpr int STEPS = TURNED ? SLICE_K / LANES : 1;  // of a pass along its stored rows
  static_assert(!TURNED || VEC == 1, "only single floats can be turned");
  static_assert(THREADS % LANES == 0 && (!TURNED || SLICE_K % LANES == 0), "passes are regular");
  static_assert((ALONG_K ? EXTENT : SLICE_K) % ROWS == 0, "passes are regular");
  static constexpr bool SOME_IDLE = LIE == Lie::along && LANES * VEC != EXTENT;

  /// Whether this thread copies nothing: there are more lanes than a row has vectors.
  __device__ bool is_idle() const { return SOME_IDLE && m_col >= EXTENT; }

  /// Where an element is in a slice, in bytes.
  static __device__ constexpr int at(int k, int i) { return k * K_BYTES + i * I_BYTES; }

  /// Where this thread's copies of a pass begin. Asked only where they are valid: computed before
  /// that is known, it makes ptxas unroll the loops of copy_checked.
  __device__ const float* of_pass(int pass) const {
    return m_from + static_cast<long long>(pass) * ROWS * m_pitch;
  }

  /// Whether this thread copies nothing in a pass: it is idle, or its part lies beyond a matrix
  /// narrower than the tile, on which no stored output depends.
  __device__ bool is_beyond(int pass) const {
    return (ALONG_K ? m_row + pass * ROWS : m_col) >= m_extent - m_first || is_idle();
  }

  /// MAY_END: the matrix may be narrower than the tile. LAST: the slice is only `depth` deep, with
  /// zeros after that.
  template <bool MAY_END, bool LAST>
  __device__ void copy_vectors(int stage, int depth) const {
    const float* source = m_from;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass, source += static_cast<long long>(ROWS) * m_pitch) {
      if (MAY_END && is_beyond(pass)) return;
#pragma unroll
      for (int step = 0; step < STEPS; ++step) {
        const int place = ALONG_K ? at(step * LANES, pass * ROWS) : at(pass * ROWS, 0);
        if constexpr (LAST) {
          const int k = ALONG_K ? m_col + step * LANES : m_row + pass * ROWS;
          ptx::copy_async_if<VEC>(k < depth, m_to + stage * BYTES + place, source + step * LANES);
        } else {
          ptx::copy_async<VEC>(m_to + stage * BYTES + place, source + step * LANES);
        }
      }
    }
  }

  /// Float by float, with zeros beyond the matrix.
  __device__ void copy_checked(int stage, int depth) const {
    if (is_idle()) return;
    const int width = m_extent - m_first;
    const int rows = ALONG_K ? width : depth;
    const int cols = ALONG_K ? depth : width;
#pragma unroll 1
    for (int pass = 0; pass < PASSES; ++pass) {
#pragma unroll 1
      for (int each = 0; each < STEPS * VEC; ++each) {
        const int along = each * (TURNED ? LANES : 1);
        const bool valid = m_row + pass * ROWS < rows && m_col + along < cols;
        const int place = ALONG_K ? at(along, pass * ROWS) : at(pass * ROWS, along);
        ptx::copy_async_if<1>(valid, m_to + stage * BYTES + place,
                              valid ? of_pass(pass) + along : m_matrix);
      }
    }
  }

  // Where this thread's copies begin, in stored rows and columns.
  int m_row = static_cast<int>(threadIdx.x) / LANES;
  int m_col = static_cast<int>(threadIdx.x) % LANES * VEC;
  const float* m_matrix;
  int m_pitch;  // floats from one stored row to the next
  int m_extent;
  bool m_fits;
  bool m_aligned;  // rows can be copied VEC floats at a time
  ptx::Shared m_to;
  // Of the tile.
  const float* m_from = nullptr;  // of this thread's first copy of the next slice
  int m_first = 0;                // where along EXTENT it is computed
  bool m_vectors = false;         // it is copied VEC floats at a time
};

}  // namespace fp32
