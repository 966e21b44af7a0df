// Transposes of matrices whose rows begin anywhere, for transpose.cu, which says what the
// parameters mean.
#pragma once

#include "transpose_problem.cuh"

namespace transposition {

/// Moves tiles into shared memory and out of it, as a block's thread. What is written of a row of
/// the output begins and ends with a sector, not with the tile; the tile therefore has REACH more
/// rows above it. Elements smaller than a word are copied as the words that contain them, turned
/// into a second area of shared memory, and shifted into the words of the output.
template <int ELEMENT, int TILE_ROWS, int TILE_COLS, int THREADS, class OrderOfTiles>
class RealignedMover {
  using Unit = UnitOf<ELEMENT>;
  using Word = unsigned;
  static constexpr bool SMALL = ELEMENT < 4;
  static constexpr int REACH = SECTOR / ELEMENT;
  static_assert(TILE_ROWS % REACH == 0, "the tiles of a row begin at the same place in a sector");
  static constexpr int ROWS = TILE_ROWS + REACH;
  static constexpr int SIDE = Unit::ELEMENTS;  // of the squares that are turned

  // Small elements: a row of the tile as the aligned COPY bytes that contain it, and as words.
  static constexpr int COPY = 16;
  static constexpr int COPIES = TILE_COLS * ELEMENT / COPY + 1;
  static constexpr int WORDS = TILE_COLS * ELEMENT / 4;
  static constexpr int GROUPS = ROWS / SIDE;  // of rows
  // A warp turns squares ACROSS across and DOWN down. These pitches, in words, put what its lanes
  // read at a time into different banks, but for the last word where rows begin at different bytes;
  // and what they write, where first columns of squares come first, then second ones, and so on.
  static constexpr int ACROSS = WORDS < 32 ? WORDS : 32;
  static constexpr int DOWN = 32 / ACROSS;
  static constexpr int RAW_PITCH = WORDS + (DOWN > 1 && ACROSS / SIDE > 4 ? ACROSS / SIDE : 4);
  static constexpr int TURNED_PITCH = DOWN * (((GROUPS - 1) / DOWN + 1) | 1);
  // Other elements: an odd number of elements.
  static constexpr int PITCH = TILE_COLS + 1;

 public:
  using Problem = Matrices<ELEMENT, TILE_ROWS, TILE_COLS, OrderOfTiles, REACH - 1, 0>;
  /// Of shared memory: for each tile, and for what has been turned.
  static constexpr int STAGE_BYTES = SMALL ? ROWS * RAW_PITCH * 4 : ROWS * PITCH * ELEMENT;
  static constexpr int TURNED_BYTES = SMALL ? (TILE_COLS * TURNED_PITCH + 1) * 4 : 0;

  __device__ RealignedMover(const Problem& problem, memory::Bytes* turned)
      : m_problem(problem), m_turned(turned), m_thread(static_cast<int>(threadIdx.x)) {}

  __device__ static bool takes(const Problem&) { return true; }

  /// Starts copying a tile into shared memory.
  __device__ void load(memory::Bytes* stage, const Tile& tile) const {
    const bool inside = is_inside(tile);
    if constexpr (SMALL) {
      inside ? load_words<false>(stage, tile) : load_words<true>(stage, tile);
    } else {
      inside ? load_elements<false>(stage, tile) : load_elements<true>(stage, tile);
    }
  }

  /// Writes a tile out of shared memory.
  __device__ void store(const memory::Bytes* stage, const Tile& tile) const {
    if constexpr (SMALL) {
      turn_tile(stage, tile);
      __syncthreads();
    }
    is_inside(tile) ? store_units<false>(stage, tile) : store_units<true>(stage, tile);
  }

 private:
  /// Whether the matrix has all that the tile may read or write.
  __device__ bool is_inside(const Tile& tile) const {
    return tile.row > REACH && tile.row + TILE_ROWS <= m_problem.rows &&
           tile.col + TILE_COLS <= m_problem.cols;
  }
  /// Where row `i` of shared memory begins in the input, and column `c` in the output.
  __device__ const memory::Bytes* input(const Tile& tile, int i) const {
    return tile.in + (tile.row - REACH + i) * m_problem.in_pitch() +
           static_cast<long long>(tile.col) * ELEMENT;
  }
  __device__ memory::Bytes* output(const Tile& tile, int c) const {
    return tile.out + (tile.col + c) * m_problem.out_pitch() +
           static_cast<long long>(tile.row) * ELEMENT;
  }

  template <bool CHECKED>
  __device__ void load_elements(memory::Bytes* stage, const Tile& tile) const {
    constexpr int WIDE = TILE_COLS < 32 ? TILE_COLS : 32, STEP = THREADS / WIDE;
    const int c = m_thread % WIDE, first = m_thread / WIDE;
    const memory::Bytes* from = input(tile, first) + c * ELEMENT;
    memory::Bytes* to = stage + (first * PITCH + c) * ELEMENT;
#pragma unroll 4
    for (int i = 0; i < (ROWS - 1) / STEP + 1; ++i) {
      if (ROWS % STEP != 0 && first + i * STEP >= ROWS) break;
      const int r = tile.row - REACH + first + i * STEP;
      if (CHECKED && (r < 0 || r >= m_problem.rows)) continue;
#pragma unroll
      for (int x = 0; x < TILE_COLS; x += WIDE) {
        if (CHECKED && tile.col + c + x >= m_problem.cols) continue;
        memory::copy_async<ELEMENT>(to + (i * STEP * PITCH + x) * ELEMENT,
                                    from + i * (STEP * m_problem.in_pitch()) + x * ELEMENT);
      }
    }
  }

  template <bool CHECKED>
  __device__ void load_words(memory::Bytes* stage, const Tile& tile) const {
    constexpr int WIDE = COPIES - 1, STEP = THREADS / WIDE;
    const int index = m_thread % WIDE, first = m_thread / WIDE;
    const memory::Bytes* row = input(tile, first);
#pragma unroll 4
    for (int i = first; i < ROWS; i += STEP) {
      load_word<CHECKED>(stage, tile, i, row, index);
      row += STEP * m_problem.in_pitch();
    }
    for (int i = m_thread; i < ROWS; i += THREADS) {
      load_word<true>(stage, tile, i, input(tile, i), COPIES - 1);
    }
  }

  /// Word `index` of row `i` of shared memory, which begins at `row` in the input: as much as the
  /// tile needs and the matrix has.
  template <bool CHECKED>
  __device__ void load_word(memory::Bytes* stage, const Tile& tile, int i, const memory::Bytes* row,
                            int index) const {
    const int first = index * COPY - memory::misalignment<COPY>(row);  // byte of the row
    memory::Bytes* to = stage + i * RAW_PITCH * 4 + index * COPY;
    if constexpr (CHECKED) {
      const int r = tile.row - REACH + i;
      if (r < 0 || r >= m_problem.rows) return;
      if (first >= min(TILE_COLS, m_problem.cols - tile.col) * ELEMENT) return;
      copy_inside<ELEMENT, COPY>(to, tile.in, row - tile.in + first, m_problem.bytes());
    } else {
      memory::copy_async<COPY>(to, row + first);
    }
  }

  __device__ void turn_tile(const memory::Bytes* stage, const Tile& tile) const {
    constexpr int STEPS = WORDS / ACROSS, WARPS = THREADS / 32;
    const int lane = m_thread % 32;
#pragma unroll 2
    for (int group = m_thread / 32 * DOWN + lane / ACROSS; group < GROUPS; group += WARPS * DOWN) {
      turn_squares<STEPS>(stage, tile, group, lane % ACROSS);
    }
  }

  /// Turns COUNT squares in the same rows, ACROSS words apart.
  template <int COUNT>
  __device__ void turn_squares(const memory::Bytes* stage, const Tile& tile, int group,
                               int word) const {
    const unsigned pitch = static_cast<unsigned>(m_problem.in_pitch());
    const unsigned begin = static_cast<unsigned>(memory::misalignment<COPY>(input(tile, 0))) +
                           static_cast<unsigned>(group * SIDE) * pitch;
    unsigned square[COUNT][SIDE][1], turned[SIDE][1];
#pragma unroll
    for (int v = 0; v < SIDE; ++v) {
      const unsigned before =
          (begin + v * pitch) % COPY;  // bytes of the row's first word before it
      const Word* at =
          reinterpret_cast<const Word*>(stage) + (group * SIDE + v) * RAW_PITCH + before / 4 + word;
#pragma unroll
      for (int n = 0; n < COUNT; ++n) {
        square[n][v][0] = memory::funnel_shift(at[n * ACROSS], at[n * ACROSS + 1],
                                               static_cast<int>(before % 4 * 8));
      }
    }
    Word* to = reinterpret_cast<Word*>(m_turned) + word * TURNED_PITCH + group;
#pragma unroll
    for (int n = 0; n < COUNT; ++n) {
      turn<ELEMENT, 4>(square[n], turned);
#pragma unroll
      for (int v = 0; v < SIDE; ++v) {
        to[(v * WORDS + n * ACROSS) * TURNED_PITCH] = turned[v][0];
      }
    }
  }

  template <bool CHECKED>
  __device__ void store_units(const memory::Bytes* stage, const Tile& tile) const {
    constexpr int UNITS = TILE_ROWS / SIDE;  // of a row
    constexpr int LANES = UNITS < 32 ? UNITS : 32, STEP = THREADS / LANES;
    const int lane = m_thread % LANES, first = m_thread / LANES;
    memory::Bytes* out = output(tile, first);
#pragma unroll 4
    for (int i = 0; i < (TILE_COLS - 1) / STEP + 1; ++i) {
      const int c = first + i * STEP;
      if (TILE_COLS % STEP != 0 && c >= TILE_COLS) break;
      if (CHECKED && tile.col + c >= m_problem.cols) break;
      memory::Bytes* row = out + i * (STEP * m_problem.out_pitch());
      const int before = memory::misalignment<SECTOR>(row);  // bytes of the sector, before the row
      const Column column(*this, stage, c, before, lane);
#pragma unroll
      for (int u = 0; u < UNITS; u += LANES) {
        if constexpr (CHECKED) {
          store_inside<ELEMENT>(row - static_cast<long long>(tile.row) * ELEMENT,
                                tile.row - before / ELEMENT + (lane + u) * SIDE, m_problem.rows,
                                column.unit(u));
        } else {
          reinterpret_cast<typename Unit::Type*>(row - before)[lane + u] = column.unit(u);
        }
      }
    }
  }

  /// A column of the tile in shared memory, from the sector on in which the tile begins in the
  /// output.
  class Column {
   public:
    __device__ Column(const RealignedMover& mover, const memory::Bytes* stage, int c, int before,
                      int lane) {
      if constexpr (SMALL) {
        const int byte = REACH * ELEMENT - before;
        const int place = c % SIDE * WORDS + c / SIDE;
        m_first = mover.m_turned + (place * TURNED_PITCH + byte / 4 + lane) * 4;
        m_shift = byte % 4 * 8;
      } else {
        m_first = stage + ((REACH - before / ELEMENT + lane) * PITCH + c) * ELEMENT;
      }
    }
    /// The unit of this lane, `further` units on.
    __device__ typename Unit::Type unit(int further) const {
      if constexpr (SMALL) {
        const Word* words = reinterpret_cast<const Word*>(m_first);
        return memory::funnel_shift(words[further], words[further + 1], m_shift);
      } else {
        return reinterpret_cast<const typename Unit::Type*>(m_first)[further * PITCH];
      }
    }

   private:
    const memory::Bytes* m_first;
    int m_shift = 0;  // bits
  };

  Problem m_problem;
  memory::Bytes* m_turned;
  int m_thread;
};

}  // namespace transposition
