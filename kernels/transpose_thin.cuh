// Transposes of matrices of a few rows or columns: structures of arrays from arrays of structures,
// and back. For transpose.cu, which says what the parameters mean.
#pragma once

#include "transpose_problem.cuh"

namespace transposition {

/// Combines the elements of a unit; `address` returns the place of the n-th of them in shared
/// memory.
template <int ELEMENT, class Address>
__device__ inline typename UnitOf<ELEMENT>::Type gather(const Address& address) {
  using Unit = UnitOf<ELEMENT>;
  if constexpr (Unit::ELEMENTS == 1) {
    return *reinterpret_cast<const typename Unit::Type*>(address(0));
  } else {
    unsigned unit = 0;
#pragma unroll
    for (int n = 0; n < Unit::ELEMENTS; ++n) {
      unit |= static_cast<unsigned>(*reinterpret_cast<const memory::Word<ELEMENT>*>(address(n)))
              << 8 * ELEMENT * n;
    }
    return unit;
  }
}

/// Copies or stores a unit: CHECKED, as far as it is inside the matrix; else all of it.
template <int ELEMENT, bool CHECKED>
__device__ inline void copy_unit(memory::Bytes* to, const memory::Bytes* matrix, long long from,
                                 long long size) {
  constexpr int BYTES = UnitOf<ELEMENT>::BYTES;
  if constexpr (CHECKED) {
    copy_inside<ELEMENT, BYTES>(to, matrix, from, size);
  } else {
    memory::copy_async<BYTES>(to, matrix + from);
  }
}
template <int ELEMENT, bool CHECKED>
__device__ inline void store_unit(memory::Bytes* row, long long first, long long count,
                                  typename UnitOf<ELEMENT>::Type unit) {
  if constexpr (CHECKED) {
    store_inside<ELEMENT>(row, first, count, unit);
  } else {
    *reinterpret_cast<typename UnitOf<ELEMENT>::Type*>(row + first * ELEMENT) = unit;
  }
}

/// Moves LENGTH rows of COLS elements, one after the other in the input, into COLS rows of the
/// output. What is written of a row begins and ends with a sector: the tile has REACH more rows
/// above it.
template <int ELEMENT, int COLS, int LENGTH, int THREADS>
class FewColumnsMover {
  using Unit = UnitOf<ELEMENT>;
  static constexpr int REACH = SECTOR / ELEMENT;
  static_assert(LENGTH % REACH == 0, "all tiles begin at the same place in a sector");
  static constexpr int UNITS = (LENGTH + REACH) * COLS / Unit::ELEMENTS + (ELEMENT < 4);
  // Neighbouring lanes read units COLS apart: one more follows 128 bytes where that is an even
  // number.
  static constexpr int LINE = COLS % 2 == 0 ? 128 / Unit::BYTES : UNITS;

 public:
  using Problem = Matrices<ELEMENT, LENGTH, COLS, Order<1, 0>, REACH - 1, 0>;
  static constexpr int STAGE_BYTES = (UNITS + UNITS / LINE) * Unit::BYTES;
  static constexpr int TURNED_BYTES = 0;

  __device__ FewColumnsMover(const Problem& problem, memory::Bytes*)
      : m_problem(problem), m_thread(static_cast<int>(threadIdx.x)) {}

  __device__ static bool takes(const Problem& problem) { return problem.cols == COLS; }

  __device__ void load(memory::Bytes* stage, const Tile& tile) const {
    is_inside(tile) ? load_units<false>(stage, tile) : load_units<true>(stage, tile);
  }
  __device__ void store(const memory::Bytes* stage, const Tile& tile) const {
    is_inside(tile) ? store_units<false>(stage, tile) : store_units<true>(stage, tile);
  }

 private:
  /// Whether the matrix has all that the tile may read or write.
  __device__ bool is_inside(const Tile& tile) const {
    return tile.row > REACH && tile.row + LENGTH < m_problem.rows;
  }
  /// The byte of the input in which the tile begins, with its REACH.
  __device__ long long begin(const Tile& tile) const {
    return static_cast<long long>(tile.row - REACH) * (COLS * ELEMENT);
  }
  /// Bytes of its first unit before that.
  __device__ int before(const Tile& tile) const {
    return memory::misalignment<Unit::BYTES>(tile.in + begin(tile));
  }
  /// Where a byte is in shared memory, counted from the first unit.
  __device__ static int place(int byte) { return byte + byte / (LINE * Unit::BYTES) * Unit::BYTES; }

  template <bool CHECKED>
  __device__ void load_units(memory::Bytes* stage, const Tile& tile) const {
    const long long first = begin(tile) - before(tile);
#pragma unroll 4
    for (int u = m_thread; u < UNITS; u += THREADS) {
      copy_unit<ELEMENT, CHECKED>(stage + place(u * Unit::BYTES), tile.in, first + u * Unit::BYTES,
                                  m_problem.bytes());
    }
  }

  template <bool CHECKED>
  __device__ void store_units(const memory::Bytes* stage, const Tile& tile) const {
    const int begins = before(tile);
#pragma unroll(COLS <= 8 ? COLS : 2)
    for (int c = 0; c < COLS; ++c) {
      memory::Bytes* row = tile.out + c * m_problem.out_pitch();
      const int ahead =
          memory::misalignment<SECTOR>(row + static_cast<long long>(tile.row) * ELEMENT) / ELEMENT;
      const int from = begins + ((REACH - ahead) * COLS + c) * ELEMENT;
#pragma unroll 2
      for (int u = m_thread; u < LENGTH / Unit::ELEMENTS; u += THREADS) {
        const int r = u * Unit::ELEMENTS;
        const auto address = [&](int n) { return stage + place(from + (r + n) * COLS * ELEMENT); };
        store_unit<ELEMENT, CHECKED>(row, tile.row - ahead + r, m_problem.rows,
                                     gather<ELEMENT>(address));
      }
    }
  }

  Problem m_problem;
  int m_thread;
};

/// Moves LENGTH columns of ROWS elements, one after the other in the output, out of ROWS rows of
/// the input. What is written begins and ends with a sector: the tile has REACH more columns before
/// it.
template <int ELEMENT, int ROWS, int LENGTH, int THREADS>
class FewRowsMover {
  using Unit = UnitOf<ELEMENT>;
  static constexpr int REACH = SECTOR / ELEMENT;
  static_assert(LENGTH % REACH == 0, "all tiles begin at the same place in a sector");
  static constexpr int UNITS = (LENGTH + REACH) / Unit::ELEMENTS + (ELEMENT < 4);  // of a row
  // Neighbouring lanes read the rows in turn, 32 / ROWS units of each.
  static constexpr int PITCH = (UNITS + 31) / 32 * 32 + (31 / ROWS + 1);

 public:
  using Problem = Matrices<ELEMENT, ROWS, LENGTH, Order<1, 0>, 0, REACH - 1>;
  static constexpr int STAGE_BYTES = ROWS * (PITCH + 1) * Unit::BYTES;
  static constexpr int TURNED_BYTES = 0;

  __device__ FewRowsMover(const Problem& problem, memory::Bytes*)
      : m_problem(problem), m_thread(static_cast<int>(threadIdx.x)) {}

  __device__ static bool takes(const Problem& problem) { return problem.rows == ROWS; }

  __device__ void load(memory::Bytes* stage, const Tile& tile) const {
    is_inside(tile) ? load_units<false>(stage, tile) : load_units<true>(stage, tile);
  }
  __device__ void store(const memory::Bytes* stage, const Tile& tile) const {
    is_inside(tile) ? store_units<false>(stage, tile) : store_units<true>(stage, tile);
  }

 private:
  /// Whether the matrix has all that the tile may read or write.
  __device__ bool is_inside(const Tile& tile) const {
    return tile.col > REACH && tile.col + LENGTH < m_problem.cols;
  }
  /// The first byte of the first row of the tile, with its REACH.
  __device__ const memory::Bytes* first_row(const Tile& tile) const {
    return tile.in + static_cast<long long>(tile.col - REACH) * ELEMENT;
  }
  /// Bytes from a row to the next in shared memory: bytes lie in their units as they do in memory.
  __device__ int pitch() const {
    return PITCH * Unit::BYTES + static_cast<int>(m_problem.in_pitch() % Unit::BYTES);
  }

  template <bool CHECKED>
  __device__ void load_units(memory::Bytes* stage, const Tile& tile) const {
    const memory::Bytes* first = first_row(tile);
    const int begins = memory::misalignment<Unit::BYTES>(first);
#pragma unroll(ROWS <= 8 ? ROWS : 4)
    for (int r = 0; r < ROWS; ++r) {
      const int place = begins + r * pitch();
      const long long from = first - tile.in + r * m_problem.in_pitch() - place % Unit::BYTES;
#pragma unroll 2
      for (int u = m_thread; u < UNITS; u += THREADS) {
        copy_unit<ELEMENT, CHECKED>(stage + (place / Unit::BYTES + u) * Unit::BYTES, tile.in,
                                    from + u * Unit::BYTES, m_problem.bytes());
      }
    }
  }

  template <bool CHECKED>
  __device__ void store_units(const memory::Bytes* stage, const Tile& tile) const {
    const long long first = static_cast<long long>(tile.col) * ROWS;  // element of the output
    const int ahead = memory::misalignment<SECTOR>(tile.out + first * ELEMENT) / ELEMENT;
    const memory::Bytes* begins = stage + memory::misalignment<Unit::BYTES>(first_row(tile));
    const int down = pitch(), back = ELEMENT - (ROWS - 1) * down;
#pragma unroll 4
    for (int u = m_thread; u < LENGTH * ROWS / Unit::ELEMENTS; u += THREADS) {
      const int at = u * Unit::ELEMENTS - ahead;
      const unsigned element = static_cast<unsigned>(REACH * ROWS + at);
      int r = static_cast<int>(element % ROWS);
      const memory::Bytes* next = begins + r * down + static_cast<int>(element / ROWS) * ELEMENT;
      const auto address = [&](int) {
        const memory::Bytes* here = next;
        const bool last = r == ROWS - 1;
        next += last ? back : down;
        r = last ? 0 : r + 1;
        return here;
      };
      store_unit<ELEMENT, CHECKED>(tile.out, first + at,
                                   static_cast<long long>(m_problem.cols) * ROWS,
                                   gather<ELEMENT>(address));
    }
  }

  Problem m_problem;
  int m_thread;
};

}  // namespace transposition
