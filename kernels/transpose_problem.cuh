// What the parts of transpose.cu share: the matrices and their tiles, units that are read and
// written, and squares of elements that are turned in registers.
#pragma once

#include "memory.cuh"

namespace transposition {

/// Bytes that L2 and device memory move at least (CUDA C++ Best Practices Guide, coalesced access).
constexpr int SECTOR = 32;

/// Where a tile lies: its matrices, and the row and column of the input in which it begins.
struct Tile {
  const memory::Bytes* in;
  memory::Bytes* out;
  int row, col;
};

/// Which tile of a matrix, counted in tiles.
struct Place {
  int down, across;
};

/// Tiles follow one another along the output's rows, or in bands of BAND tiles down along those of
/// the input, so that neighbouring tiles are under way together. That sequence is cut into STRIPS
/// parts that take turns.
template <int STRIPS, int BAND>
struct Order {
  __device__ static Place place(int index, int down, int across) {
    const int strip = down * across / STRIPS;  // its tiles
    if (STRIPS > 1 && index < strip * STRIPS) index = index % STRIPS * strip + index / STRIPS;
    if (BAND == 0) return {index % down, index / down};
    const int first = index / (BAND * across) * BAND;
    const int height = min(BAND, down - first);
    index -= first * across;
    return {first + index % height, index / height};
  }
};

/// Matrices one behind the other, cut into tiles. Rows of the output may be written up to REACH_R
/// elements before their tile, and columns of the input read up to REACH_C before: the last tile is
/// that much further down or right.
template <int ELEMENT, int TILE_ROWS, int TILE_COLS, class OrderOfTiles, int REACH_R = 0,
          int REACH_C = 0>
struct Matrices {
  int rows, cols, batch;
  const memory::Bytes* in;
  memory::Bytes* out;

  __device__ int tiles_down() const { return (rows + REACH_R - 1) / TILE_ROWS + 1; }
  __device__ int tiles_across() const { return (cols + REACH_C - 1) / TILE_COLS + 1; }
  __device__ int tiles() const { return batch * tiles_down() * tiles_across(); }
  __device__ long long in_pitch() const { return static_cast<long long>(cols) * ELEMENT; }
  __device__ long long out_pitch() const { return static_cast<long long>(rows) * ELEMENT; }
  __device__ long long bytes() const { return rows * in_pitch(); }  // of a matrix

  __device__ Tile tile(int index) const {
    const int down = tiles_down(), across = tiles_across();
    const int matrix = index / (down * across);
    const Place place = OrderOfTiles::place(index % (down * across), down, across);
    return {in + matrix * bytes(), out + matrix * bytes(), place.down * TILE_ROWS,
            place.across * TILE_COLS};
  }
};

/// What is read and written at once where rows begin between two words: four bytes, or an element.
template <int ELEMENT>
struct UnitOf {
  static constexpr int BYTES = ELEMENT < 4 ? 4 : ELEMENT;
  static constexpr int ELEMENTS = BYTES / ELEMENT;
  using Type = memory::Word<BYTES>;
};

/// Starts copying BYTES aligned bytes of the `size` at `matrix` from `from` on into shared memory;
/// of a word that reaches beyond these, only the elements that there are.
template <int ELEMENT, int BYTES>
__device__ inline void copy_inside(memory::Bytes* to, const memory::Bytes* matrix, long long from,
                                   long long size) {
  if (from >= 0 && from + BYTES <= size) return memory::copy_async<BYTES>(to, matrix + from);
  if constexpr (BYTES > ELEMENT) {
    using Element = memory::Word<ELEMENT>;
#pragma unroll 1
    for (int i = 0; i < BYTES; i += ELEMENT) {
      if (from + i < 0 || from + i >= size) continue;
      *reinterpret_cast<Element*>(to + i) = *reinterpret_cast<const Element*>(matrix + from + i);
    }
  }
}

/// Writes a unit whose first element is element `first` of the `count` at `row`; only those that
/// there are.
template <int ELEMENT>
__device__ inline void store_inside(memory::Bytes* row, long long first, long long count,
                                    typename UnitOf<ELEMENT>::Type unit) {
  using Unit = UnitOf<ELEMENT>;
  if (first >= 0 && first + Unit::ELEMENTS <= count) {
    *reinterpret_cast<typename Unit::Type*>(row + first * ELEMENT) = unit;
  } else if constexpr (Unit::ELEMENTS > 1) {
#pragma unroll
    for (int i = 0; i < Unit::ELEMENTS; ++i) {
      if (first + i < 0 || first + i >= count) continue;
      reinterpret_cast<memory::Word<ELEMENT>*>(row)[first + i] =
          static_cast<memory::Word<ELEMENT>>(unit >> 8 * ELEMENT * i);
    }
  }
}

/// Turns a square of elements, WIDTH bytes of each to a row, 32 bits at a time.
template <int ELEMENT, int WIDTH>
__device__ inline void turn(const unsigned (&from)[WIDTH / ELEMENT][WIDTH / 4],
                            unsigned (&to)[WIDTH / ELEMENT][WIDTH / 4]) {
  constexpr int PARTS = WIDTH / 4;
  if constexpr (ELEMENT >= 4) {
    constexpr int SPAN = ELEMENT / 4;  // parts of an element
#pragma unroll
    for (int r = 0; r < WIDTH / ELEMENT; ++r) {
#pragma unroll
      for (int p = 0; p < PARTS; ++p) to[p / SPAN][r * SPAN + p % SPAN] = from[r][p];
    }
  } else if constexpr (ELEMENT == 2) {
#pragma unroll
    for (int a = 0; a < PARTS; ++a) {
#pragma unroll
      for (int b = 0; b < PARTS; ++b) {
        const unsigned x = from[2 * a][b], y = from[2 * a + 1][b];
        to[2 * b][a] = memory::pick_bytes(x, y, 0x5410);
        to[2 * b + 1][a] = memory::pick_bytes(x, y, 0x7632);
      }
    }
  } else {
#pragma unroll
    for (int a = 0; a < PARTS; ++a) {
#pragma unroll
      for (int b = 0; b < PARTS; ++b) {
        const unsigned w = from[4 * a][b], x = from[4 * a + 1][b];
        const unsigned y = from[4 * a + 2][b], z = from[4 * a + 3][b];
        const unsigned wx = memory::pick_bytes(w, x, 0x5140), yz = memory::pick_bytes(y, z, 0x5140);
        to[4 * b][a] = memory::pick_bytes(wx, yz, 0x5410);
        to[4 * b + 1][a] = memory::pick_bytes(wx, yz, 0x7632);
        const unsigned wx2 = memory::pick_bytes(w, x, 0x7362),
                       yz2 = memory::pick_bytes(y, z, 0x7362);
        to[4 * b + 2][a] = memory::pick_bytes(wx2, yz2, 0x5410);
        to[4 * b + 3][a] = memory::pick_bytes(wx2, yz2, 0x7632);
      }
    }
  }
}

}  // namespace transposition
