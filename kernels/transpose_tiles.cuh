// Tiles of a matrix on their way through shared memory, for transpose.cu, which says what the
// parameters mean.
#pragma once

#include "memory.cuh"

namespace transposition {

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

/// The matrices, and where a tile lies in them. Addresses and lengths in bytes.
template <int ELEMENT, int TILE_R, int TILE_C, int STRIPS>
struct Problem {
  int rows, cols;
  const memory::Bytes* in;
  memory::Bytes* out;

  struct Tile {
    const memory::Bytes* in;  // its first element
    memory::Bytes* out;       // the same one's place
    int rows, cols;           // how much of it lies in the matrix
  };

  __device__ int tiles_down() const { return (rows - 1) / TILE_R + 1; }
  __device__ int tiles_across() const { return (cols - 1) / TILE_C + 1; }
  __device__ long long in_pitch() const { return static_cast<long long>(cols) * ELEMENT; }
  __device__ long long out_pitch() const { return static_cast<long long>(rows) * ELEMENT; }

  __device__ Tile tile(int index) const {
    if constexpr (STRIPS > 1) {
      const int strip = tiles_down() * tiles_across() / STRIPS;  // its tiles
      if (index < strip * STRIPS) index = index % STRIPS * strip + index / STRIPS;
    }
    const int r = index % tiles_down() * TILE_R;
    const int c = index / tiles_down() * TILE_C;
    return {in + r * in_pitch() + static_cast<long long>(c) * ELEMENT,
            out + c * out_pitch() + static_cast<long long>(r) * ELEMENT, min(TILE_R, rows - r),
            min(TILE_C, cols - c)};
  }
};

/// A tile in shared memory. Words of a row are permuted, so that those of one column that
/// neighbouring threads read lie in different banks; the last word, which only unaligned rows
/// have, is kept behind all rows.
template <int ELEMENT, int TILE_R, int TILE_C, int WIDTH>
struct Stage {
  static constexpr int VEC = WIDTH / ELEMENT;
  static constexpr int WORDS = TILE_C / VEC;                                    // of a row
  static constexpr int MASK = (WORDS < 128 / WIDTH ? WORDS : 128 / WIDTH) - 1;  // over all banks
  static constexpr int BYTES = TILE_R * (WORDS + 1) * WIDTH;

  memory::Bytes* base;

  __device__ memory::Bytes* word(int row, int index) const {
    const int place =
        index == WORDS ? TILE_R * WORDS + row : row * WORDS + (index ^ (row / VEC & MASK));
    return base + place * WIDTH;
  }
  /// Where row and column begin with a word.
  __device__ memory::Bytes* element(int row, int column) const {
    const int place = row * WORDS + (column / VEC ^ (row / VEC & MASK));
    return base + place * WIDTH + column % VEC * ELEMENT;
  }
};

/// Moves tiles into shared memory and out of it, as a block's thread.
template <int ELEMENT, int RAGGED, int TILE_R, int TILE_C, int THREADS, int WIDTH, bool SQUARES,
          int STRIPS>
struct Mover {
  using Matrices = Problem<ELEMENT, TILE_R, TILE_C, STRIPS>;
  using Tile = typename Matrices::Tile;
  using Shared = Stage<ELEMENT, TILE_R, TILE_C, WIDTH>;
  using Element = memory::Word<ELEMENT>;
  using Word = memory::Word<WIDTH>;
  static constexpr int VEC = Shared::VEC;
  static constexpr int WORDS = Shared::WORDS;
  static constexpr int LANES = TILE_R / VEC;  // words of a row of the output's tile
  static_assert(THREADS % WORDS == 0 && THREADS % LANES == 0, "threads walk over whole rows");
  static_assert(TILE_R * WORDS % THREADS == 0 && TILE_C * LANES % THREADS == 0 &&
                    (!SQUARES || WORDS * LANES % THREADS == 0),
                "threads share the tile evenly");

  Matrices matrices;
  bool aligned;  // every row of both matrices begins with a word
  unsigned thread;

  __device__ bool is_ragged(const Tile& tile) const {
    return !aligned || tile.rows < TILE_R || tile.cols < TILE_C;
  }

  /// Starts copying a tile into shared memory.
  __device__ void load(Shared stage, const Tile& tile) const {
    if constexpr (RAGGED == 2) {
      load_ragged(stage, tile);
    } else if (RAGGED == 1 && is_ragged(tile)) {
      load_ragged(stage, tile);
    } else {
      load_whole(stage, tile);
    }
  }

  __device__ void load_whole(Shared stage, const Tile& tile) const {
    constexpr int STEP = THREADS / WORDS;
    const int row = static_cast<int>(thread / WORDS), word = static_cast<int>(thread % WORDS);
    const memory::Bytes* from = tile.in + row * matrices.in_pitch() + word * WIDTH;
#pragma unroll
    for (int i = 0; i < TILE_R / STEP; ++i) {
      memory::copy_async<WIDTH>(stage.word(row + i * STEP, word),
                                from + i * (STEP * matrices.in_pitch()));
    }
  }

  /// The same for a tile at an edge, or of rows that begin between two words. There are no copies
  /// of less than four bytes: smaller elements come in words, as they lie in memory.
  __device__ void load_ragged(Shared stage, const Tile& tile) const {
    if constexpr (ELEMENT >= 4) {
      constexpr int ACROSS = TILE_C < THREADS ? TILE_C : THREADS;
      const int first = static_cast<int>(thread % ACROSS);
      const memory::Bytes* from = tile.in + first * ELEMENT;
#pragma unroll 4
      for (int r = static_cast<int>(thread / ACROSS); r < tile.rows; r += THREADS / ACROSS) {
#pragma unroll
        for (int c = 0; c < TILE_C; c += ACROSS) {
          if (first + c >= tile.cols) continue;
          memory::copy_async<ELEMENT>(stage.element(r, first + c),
                                      from + r * matrices.in_pitch() + c * ELEMENT);
        }
      }
    } else {
      const int word = static_cast<int>(thread % WORDS);
#pragma unroll 4
      for (int r = static_cast<int>(thread / WORDS); r < tile.rows; r += THREADS / WORDS) {
        load_word(stage, tile, r, word);
      }
      for (int r = static_cast<int>(thread); r < tile.rows; r += THREADS) {
        load_word(stage, tile, r, WORDS);
      }
    }
  }

  /// A word of a row, counted from the one in which the row begins; as much as the tile needs and
  /// the matrix has.
  __device__ void load_word(Shared stage, const Tile& tile, int r, int word) const {
    const memory::Bytes* row = tile.in + r * matrices.in_pitch();
    const int first = word * WIDTH - memory::misalignment<WIDTH>(row);  // byte of the tile's row
    if (first >= tile.cols * ELEMENT) return;
    const memory::Bytes* end = matrices.in + matrices.rows * matrices.in_pitch();
    const memory::Bytes* from = row + first;
    memory::Bytes* to = stage.word(r, word);
    if (from >= matrices.in && from + WIDTH <= end) return memory::copy_async<WIDTH>(to, from);
#pragma unroll 1
    for (int byte = 0; byte < WIDTH; byte += ELEMENT) {
      if (from + byte >= matrices.in && from + byte < end) {
        *reinterpret_cast<Element*>(to + byte) = *reinterpret_cast<const Element*>(from + byte);
      }
    }
  }

  /// Writes a tile out of shared memory.
  __device__ void store(Shared stage, const Tile& tile) const {
    if constexpr (RAGGED == 2) {
      store_ragged(stage, tile);
    } else if (RAGGED == 1 && is_ragged(tile)) {
      store_ragged(stage, tile);
    } else {
      store_whole(stage, tile);
    }
  }

  __device__ void store_whole(Shared stage, const Tile& tile) const {
    constexpr int STEP = THREADS / LANES;
    const int lane = static_cast<int>(thread % LANES), row = static_cast<int>(thread / LANES);
    memory::Bytes* to = tile.out + lane * WIDTH;
    if constexpr (SQUARES) {
      to += row * VEC * matrices.out_pitch();
#pragma unroll
      for (int i = 0; i < WORDS / STEP; ++i) {
        store_square(stage, lane, row + i * STEP, to + i * (STEP * VEC * matrices.out_pitch()));
      }
    } else {
      to += row * matrices.out_pitch();
#pragma unroll
      for (int i = 0; i < TILE_C / STEP; ++i) {
        const int c = row + i * STEP;
        __align__(16) Element elements[VEC];
#pragma unroll
        for (int v = 0; v < VEC; ++v) {
          elements[v] = *reinterpret_cast<const Element*>(stage.element(lane * VEC + v, c));
        }
        store_word(to + i * (STEP * matrices.out_pitch()), elements);
      }
    }
  }

  __device__ void store_square(Shared stage, int lane, int word, memory::Bytes* to) const {
    __align__(16) unsigned square[VEC][WIDTH / 4], turned[VEC][WIDTH / 4];
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      *reinterpret_cast<Word*>(square[v]) =
          *reinterpret_cast<const Word*>(stage.word(lane * VEC + v, word));
    }
    turn<ELEMENT, WIDTH>(square, turned);
#pragma unroll
    for (int v = 0; v < VEC; ++v) store_word(to + v * matrices.out_pitch(), turned[v]);
  }

  template <class Part>
  __device__ void store_word(memory::Bytes* to, const Part* parts) const {
    *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(parts);
  }

  /// The same as `store` for what load_ragged has loaded: rows of the output begin between two
  /// words as well. First the whole words of each, then what is before and behind them.
  __device__ void store_ragged(Shared stage, const Tile& tile) const {
    const Gather gather = {stage, memory::misalignment<WIDTH>(tile.in),
                           static_cast<int>(matrices.in_pitch() % WIDTH)};
    const int lane = static_cast<int>(thread % LANES);
#pragma unroll 2
    for (int c = static_cast<int>(thread / LANES); c < tile.cols; c += THREADS / LANES) {
      memory::Bytes* row = tile.out + c * matrices.out_pitch();
      const int r = before_words(row) + lane * VEC;
      if (r + VEC > tile.rows) continue;
      __align__(16) Element elements[VEC];
#pragma unroll
      for (int v = 0; v < VEC; ++v) elements[v] = gather.element(r + v, c);
      store_word(row + r * ELEMENT, elements);
    }
    if constexpr (VEC > 1) {
      // Of a whole tile, what is before and what is behind make up a word.
      if (tile.rows == TILE_R) {
        store_ends<VEC>(gather, tile);
      } else {
        store_ends<2 * VEC>(gather, tile);
      }
    }
  }

  /// The elements of each row of the output before and behind its whole words, COUNT at most.
  template <int COUNT, class Gather>
  __device__ void store_ends(const Gather& gather, const Tile& tile) const {
#pragma unroll 2
    for (int i = static_cast<int>(thread); i < tile.cols * COUNT; i += THREADS) {
      const int c = i / COUNT, at = i % COUNT;
      memory::Bytes* row = tile.out + c * matrices.out_pitch();
      const int before = min(before_words(row), tile.rows);
      const int behind = before + (tile.rows - before) / VEC * VEC;
      const bool at_begin = at < (COUNT == VEC ? before : VEC);
      const int r = at_begin ? at : tile.rows - COUNT + at;
      if (at_begin ? r < before : r >= behind) {
        *reinterpret_cast<Element*>(row + r * ELEMENT) = gather.element(r, c);
      }
    }
  }

  /// Elements of a row of the output before its first whole word.
  static __device__ int before_words(const memory::Bytes* row) {
    const int misaligned = memory::misalignment<WIDTH>(row) / ELEMENT;
    return misaligned == 0 ? 0 : VEC - misaligned;
  }

  /// Where load_ragged has put elements.
  struct Gather {
    Shared stage;
    int before;  // bytes of the word in which the tile's first row begins, before it
    int step;    // what a row adds to that
    __device__ Element element(int r, int c) const {
      if constexpr (ELEMENT >= 4) return *reinterpret_cast<const Element*>(stage.element(r, c));
      const int byte = (before + r * step) % WIDTH + c * ELEMENT;
      return *reinterpret_cast<const Element*>(stage.word(r, byte / WIDTH) + byte % WIDTH);
    }
  };
};

}  // namespace transposition
