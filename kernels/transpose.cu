// Matrix transpose: out[c * rows + r] = in[r * cols + c]. Any size, elements of 1 to 16 bytes,
// any pointers aligned to an element.
//
// Tiles of TILE_R x TILE_C elements are copied into shared memory as they are (cp.async), along
// the input's rows, and written in words of WIDTH bytes along the output's rows. Where rows begin
// between two words, all but the ends of a row of the tile are still written as words.
//
//   RAGGED  0: rows and cols are multiples of the tile's, and every row begins with a word of
//           WIDTH bytes; what is not so is done element by element. 1: any size, for which
//           most tiles are whole. 2: any size, for rows that begin between two words
//   WIDTH   bytes per access
//   STAGES  tiles in shared memory. With more than one, tiles are read ahead; blocks then walk
//           over many tiles
//   SQUARES 1: a thread takes a square of elements out of shared memory, as many words as there
//           are elements in one, and turns it in registers. 0: it gathers the elements of a word
//   STRIPS  tiles follow one another along the output's rows; that sequence is cut into so many
//           parts, which take turns
//
// Launch: at most a block of THREADS threads per tile, STAGES * TILE_R * (TILE_C * ELEMENT +
// WIDTH) bytes of dynamic shared memory.

#include "transpose_tiles.cuh"

/// Outputs looked up one by one, by all threads of the grid.
template <int ELEMENT, int THREADS>
__device__ void transpose_elements(int rows, int cols, const unsigned char* in,
                                   unsigned char* out) {
  using Element = memory::Word<ELEMENT>;
  const long long count = static_cast<long long>(rows) * cols;
  const long long step = static_cast<long long>(gridDim.x) * THREADS;
#pragma unroll 1
  for (long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x; i < count;
       i += step) {
    reinterpret_cast<Element*>(out)[i] =
        reinterpret_cast<const Element*>(in)[i % rows * cols + i / rows];
  }
}

template <int ELEMENT, int RAGGED, int TILE_R, int TILE_C, int THREADS, int WIDTH, int STAGES,
          int SQUARES, int STRIPS>
__global__ void __launch_bounds__(THREADS)
    transpose(int rows, int cols, const unsigned char* __restrict__ in,
              unsigned char* __restrict__ out) {
  using Mover =
      transposition::Mover<ELEMENT, RAGGED, TILE_R, TILE_C, THREADS, WIDTH, SQUARES != 0, STRIPS>;
  using Shared = typename Mover::Shared;
  const typename Mover::Matrices matrices = {rows, cols, in, out};
  const bool aligned = memory::misalignment<WIDTH>(in) == 0 &&
                       memory::misalignment<WIDTH>(out) == 0 && matrices.in_pitch() % WIDTH == 0 &&
                       matrices.out_pitch() % WIDTH == 0;
  if (RAGGED == 0 && (!aligned || rows % TILE_R != 0 || cols % TILE_C != 0)) {
    return transpose_elements<ELEMENT, THREADS>(rows, cols, in, out);
  }
  const Mover mover = {matrices, aligned, threadIdx.x};
  const int tiles = matrices.tiles_down() * matrices.tiles_across();
  const int step = static_cast<int>(gridDim.x);
  constexpr int AHEAD = STAGES - 1;  // tiles
  memory::Bytes* shared = memory::dynamic_shared();
  const auto fetch = [&](int index, int stage) {
    if (index < tiles) mover.load(Shared{shared + stage * Shared::BYTES}, matrices.tile(index));
    memory::close_group();  // an empty one too, so that groups count tiles
  };

  int index = static_cast<int>(blockIdx.x);
#pragma unroll
  for (int i = 0; i < AHEAD; ++i) fetch(index + i * step, i);
#pragma unroll 1
  for (int stage = 0; index < tiles; index += step, stage = (stage + 1) % STAGES) {
    if constexpr (AHEAD == 0) {
      __syncthreads();  // the tile before has been written
      fetch(index, 0);
      memory::wait_groups<0>();
      __syncthreads();
    } else {
      memory::wait_groups<AHEAD - 1>();
      __syncthreads();  // this tile is there for all, and the one before has been written
      fetch(index + AHEAD * step, (stage + AHEAD) % STAGES);
    }
    mover.store(Shared{shared + stage * Shared::BYTES}, matrices.tile(index));
  }
}

// What to compare with and what to check against. Templates too, so that compiling one kernel
// of this file does not compile the others.

/// One thread per element: coalesced reads, scattered writes.
/// Grid: ceil(rows / ROWS) * ceil(cols / COLS), block COLS x ROWS.
template <int ELEMENT, int COLS, int ROWS>
__global__ void transpose_naive(int rows, int cols, const unsigned char* __restrict__ in,
                                unsigned char* __restrict__ out) {
  using Element = memory::Word<ELEMENT>;
  const int tiles_c = (cols - 1) / COLS + 1;
  const long long r = static_cast<long long>(blockIdx.x / tiles_c) * ROWS + threadIdx.y;
  const long long c = static_cast<long long>(blockIdx.x % tiles_c) * COLS + threadIdx.x;
  if (r < rows && c < cols) {
    reinterpret_cast<Element*>(out)[c * rows + r] =
        reinterpret_cast<const Element*>(in)[r * cols + c];
  }
}

/// The textbook version with its bank conflicts: a TILE x TILE tile without padding, TILE x 8
/// threads. Grid: ceil(rows / TILE) * ceil(cols / TILE).
template <int ELEMENT, int TILE>
__global__ void transpose_tiled(int rows, int cols, const unsigned char* __restrict__ in,
                                unsigned char* __restrict__ out) {
  using Element = memory::Word<ELEMENT>;
  __shared__ Element tile[TILE][TILE];
  const int tiles_c = (cols - 1) / TILE + 1;
  const long long r0 = static_cast<long long>(blockIdx.x / tiles_c) * TILE;
  const long long c0 = static_cast<long long>(blockIdx.x % tiles_c) * TILE;
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < TILE; y += 8) {
    if (r0 + y < rows && c0 + x < cols) {
      tile[y][x] = reinterpret_cast<const Element*>(in)[(r0 + y) * cols + c0 + x];
    }
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < TILE; y += 8) {
    if (c0 + y < cols && r0 + x < rows) {
      reinterpret_cast<Element*>(out)[(c0 + y) * rows + r0 + x] = tile[x][y];
    }
  }
}

/// The result to check against: each output looked up by its own index. Grid: any.
template <int ELEMENT, int THREADS>
__global__ void transpose_reference(int rows, int cols, const unsigned char* __restrict__ in,
                                    unsigned char* __restrict__ out) {
  transpose_elements<ELEMENT, THREADS>(rows, cols, in, out);
}
