// Transposes of matrices whose rows begin with a word, for transpose.cu, which says what the
// parameters mean.
#pragma once

#include "transpose_problem.cuh"

namespace transposition {

/// Moves tiles into shared memory and out of it, as a block's thread. Words of a row in shared
/// memory are permuted, so that those of one column that neighbouring threads read lie in different
/// banks. Unless EXACT, tiles may reach beyond the matrix, which ends with a word.
template <int ELEMENT, bool EXACT, int TILE_ROWS, int TILE_COLS, int THREADS, int WIDTH,
          bool SQUARES, class OrderOfTiles>
class AlignedMover {
  using Element = memory::Word<ELEMENT>;
  using Word = memory::Word<WIDTH>;
  static constexpr int VEC = WIDTH / ELEMENT;
  static constexpr int WORDS = TILE_COLS / VEC;  // of a row
  static constexpr int LANES = TILE_ROWS / VEC;  // words of a row of the output's tile
  static constexpr int MASK = (WORDS < 128 / WIDTH ? WORDS : 128 / WIDTH) - 1;  // over all banks
  static_assert(THREADS % WORDS == 0 && THREADS % LANES == 0, "threads walk over whole rows");
  static_assert(TILE_ROWS * WORDS % THREADS == 0 && TILE_COLS * LANES % THREADS == 0 &&
                    (!SQUARES || WORDS * LANES % THREADS == 0),
                "threads share the tile evenly");

 public:
  using Problem = Matrices<ELEMENT, TILE_ROWS, TILE_COLS, OrderOfTiles>;
  static constexpr int STAGE_BYTES = TILE_ROWS * WORDS * WIDTH;
  static constexpr int TURNED_BYTES = 0;

  __device__ AlignedMover(const Problem& problem, memory::Bytes*)
      : m_problem(problem), m_thread(static_cast<int>(threadIdx.x)) {}

  /// Whether this mover is right for the problem.
  __device__ static bool takes(const Problem& problem) {
    return memory::misalignment<WIDTH>(problem.in) == 0 &&
           memory::misalignment<WIDTH>(problem.out) == 0 && problem.in_pitch() % WIDTH == 0 &&
           problem.out_pitch() % WIDTH == 0 &&
           (!EXACT || (problem.rows % TILE_ROWS == 0 && problem.cols % TILE_COLS == 0));
  }

  /// Starts copying a tile into shared memory.
  __device__ void load(memory::Bytes* stage, const Tile& tile) const {
    if (EXACT || is_whole(tile)) {
      load_words<false>(stage, tile);
    } else {
      load_words<true>(stage, tile);
    }
  }

  /// Writes a tile out of shared memory.
  __device__ void store(const memory::Bytes* stage, const Tile& tile) const {
    if (EXACT || is_whole(tile)) {
      store_words<false>(stage, tile);
    } else {
      store_words<true>(stage, tile);
    }
  }

 private:
  __device__ bool is_whole(const Tile& tile) const {
    return tile.row + TILE_ROWS <= m_problem.rows && tile.col + TILE_COLS <= m_problem.cols;
  }

  /// Where word `index` of a row is in shared memory.
  __device__ static int place(int row, int index) {
    return (row * WORDS + (index ^ (row / VEC & MASK))) * WIDTH;
  }

  template <bool CHECKED>
  __device__ void load_words(memory::Bytes* stage, const Tile& tile) const {
    constexpr int STEP = THREADS / WORDS;
    const int row = m_thread / WORDS, word = m_thread % WORDS;
    if (CHECKED && tile.col + word * VEC >= m_problem.cols) return;
    const memory::Bytes* from = tile.in + (tile.row + row) * m_problem.in_pitch() +
                                static_cast<long long>(tile.col) * ELEMENT + word * WIDTH;
#pragma unroll
    for (int i = 0; i < TILE_ROWS / STEP; ++i) {
      if (CHECKED && tile.row + row + i * STEP >= m_problem.rows) return;
      memory::copy_async<WIDTH>(stage + place(row + i * STEP, word),
                                from + i * (STEP * m_problem.in_pitch()));
    }
  }

  template <bool CHECKED>
  __device__ void store_words(const memory::Bytes* stage, const Tile& tile) const {
    constexpr int STEP = THREADS / LANES;
    const int lane = m_thread % LANES, first = m_thread / LANES;
    if (CHECKED && tile.row + lane * VEC >= m_problem.rows) return;
    memory::Bytes* to = tile.out + tile.col * m_problem.out_pitch() +
                        static_cast<long long>(tile.row) * ELEMENT + lane * WIDTH;
    if constexpr (SQUARES) {
#pragma unroll
      for (int i = 0; i < WORDS / STEP; ++i) {
        const int word = first + i * STEP;
        if (CHECKED && tile.col + word * VEC >= m_problem.cols) return;
        store_square(stage, lane, word, to + word * VEC * m_problem.out_pitch());
      }
    } else {
#pragma unroll
      for (int i = 0; i < TILE_COLS / STEP; ++i) {
        const int c = first + i * STEP;
        if (CHECKED && tile.col + c >= m_problem.cols) return;
        store_gathered(stage, lane, c, to + c * m_problem.out_pitch());
      }
    }
  }

  __device__ static void store_gathered(const memory::Bytes* stage, int lane, int c,
                                        memory::Bytes* to) {
    __align__(16) Element elements[VEC];
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      elements[v] = *reinterpret_cast<const Element*>(stage + place(lane * VEC + v, c / VEC) +
                                                      c % VEC * ELEMENT);
    }
    store_word(to, elements);
  }

  __device__ void store_square(const memory::Bytes* stage, int lane, int word,
                               memory::Bytes* to) const {
    __align__(16) unsigned square[VEC][WIDTH / 4], turned[VEC][WIDTH / 4];
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      *reinterpret_cast<Word*>(square[v]) =
          *reinterpret_cast<const Word*>(stage + place(lane * VEC + v, word));
    }
    turn<ELEMENT, WIDTH>(square, turned);
#pragma unroll
    for (int v = 0; v < VEC; ++v) store_word(to + v * m_problem.out_pitch(), turned[v]);
  }

  template <class Part>
  __device__ static void store_word(memory::Bytes* to, const Part* parts) {
    *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(parts);
  }

  Problem m_problem;
  int m_thread;
};

}  // namespace transposition
