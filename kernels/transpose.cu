// Transposes of a batch of matrices, one behind the other: out[c * rows + r] = in[r * cols + c].
// Any size, elements of 1 to 16 bytes, any pointers aligned to an element.
//
// Tiles of TILE_ROWS x TILE_COLS elements are copied into shared memory (cp.async) and written
// along the output's rows.
//
//   KIND    what the matrix is like, see transposition::Kind
//   EXACT   1: tiles divide the matrix, of kind ALIGNED
//   WIDTH   bytes per access, of kind ALIGNED
//   STAGES  tiles in shared memory. With more than one, tiles are read ahead; blocks then walk
//           over many tiles
//   SQUARES 1: a thread takes a square of elements out of shared memory, as many words as there
//           are elements in one, and turns it in registers. 0: it gathers the elements of a word.
//           Of kind ALIGNED
//   STRIPS, BAND  the order of the tiles, see transposition::Order. Of kinds ALIGNED and REALIGNED
//
// Launch: at most a block of THREADS threads per tile; dynamic shared memory of STAGES *
// STAGE_BYTES + TURNED_BYTES of the mover.

#include "transpose_aligned.cuh"
#include "transpose_realigned.cuh"
#include "transpose_thin.cuh"

namespace transposition {

/// What a kernel is made for. It is right for every problem, but slow where it is made for another
/// kind.
enum Kind {
  ALIGNED = 0,      // rows begin with a word of WIDTH bytes
  REALIGNED = 1,    // rows begin anywhere
  FEW_COLUMNS = 2,  // as many columns as a tile
  FEW_ROWS = 3,     // as many rows as a tile
};

template <int ELEMENT, int KIND, bool EXACT, int TILE_ROWS, int TILE_COLS, int THREADS, int WIDTH,
          bool SQUARES, class OrderOfTiles>
struct MoverOf {
  using Type =
      AlignedMover<ELEMENT, EXACT, TILE_ROWS, TILE_COLS, THREADS, WIDTH, SQUARES, OrderOfTiles>;
};
template <int ELEMENT, bool EXACT, int TILE_ROWS, int TILE_COLS, int THREADS, int WIDTH,
          bool SQUARES, class OrderOfTiles>
struct MoverOf<ELEMENT, REALIGNED, EXACT, TILE_ROWS, TILE_COLS, THREADS, WIDTH, SQUARES,
               OrderOfTiles> {
  using Type = RealignedMover<ELEMENT, TILE_ROWS, TILE_COLS, THREADS, OrderOfTiles>;
};
template <int ELEMENT, bool EXACT, int TILE_ROWS, int TILE_COLS, int THREADS, int WIDTH,
          bool SQUARES, class OrderOfTiles>
struct MoverOf<ELEMENT, FEW_COLUMNS, EXACT, TILE_ROWS, TILE_COLS, THREADS, WIDTH, SQUARES,
               OrderOfTiles> {
  using Type = FewColumnsMover<ELEMENT, TILE_COLS, TILE_ROWS, THREADS>;
};
template <int ELEMENT, bool EXACT, int TILE_ROWS, int TILE_COLS, int THREADS, int WIDTH,
          bool SQUARES, class OrderOfTiles>
struct MoverOf<ELEMENT, FEW_ROWS, EXACT, TILE_ROWS, TILE_COLS, THREADS, WIDTH, SQUARES,
               OrderOfTiles> {
  using Type = FewRowsMover<ELEMENT, TILE_ROWS, TILE_COLS, THREADS>;
};

/// Outputs looked up one by one, by all threads of the grid.
template <int ELEMENT, int THREADS>
__device__ void transpose_elements(int rows, int cols, int batch, const unsigned char* in,
                                   unsigned char* out) {
  using Element = memory::Word<ELEMENT>;
  const long long matrix = static_cast<long long>(rows) * cols;
  const long long step = static_cast<long long>(gridDim.x) * THREADS;
#pragma unroll 1
  for (long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x; i < batch * matrix;
       i += step) {
    const long long at = i % matrix;
    reinterpret_cast<Element*>(out)[i] =
        reinterpret_cast<const Element*>(in)[i - at + at % rows * cols + at / rows];
  }
}

}  // namespace transposition

template <int ELEMENT, int KIND, int EXACT, int TILE_ROWS, int TILE_COLS, int THREADS, int WIDTH,
          int STAGES, int SQUARES, int STRIPS, int BAND>
__global__ void __launch_bounds__(THREADS)
    transpose(int rows, int cols, int batch, const unsigned char* __restrict__ in,
              unsigned char* __restrict__ out) {
  using Mover = typename transposition::MoverOf<ELEMENT, KIND, EXACT != 0, TILE_ROWS, TILE_COLS,
                                                THREADS, WIDTH, SQUARES != 0,
                                                transposition::Order<STRIPS, BAND>>::Type;
  const typename Mover::Problem problem = {rows, cols, batch, in, out};
  if (!Mover::takes(problem)) {
    return transposition::transpose_elements<ELEMENT, THREADS>(rows, cols, batch, in, out);
  }
  memory::Bytes* shared = memory::dynamic_shared();
  const Mover mover(problem, shared + STAGES * Mover::STAGE_BYTES);
  const int tiles = problem.tiles();
  const int step = static_cast<int>(gridDim.x);
  constexpr int AHEAD = STAGES - 1;  // tiles
  const auto fetch = [&](int index, int stage) {
    if (index < tiles) mover.load(shared + stage * Mover::STAGE_BYTES, problem.tile(index));
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
    mover.store(shared + stage * Mover::STAGE_BYTES, problem.tile(index));
  }
}

// What to compare with and what to check against. Templates too, so that compiling one kernel
// of this file does not compile the others.

/// One thread per element: coalesced reads, scattered writes.
/// Grid: ceil(rows / ROWS) * ceil(cols / COLS) x batch, block COLS x ROWS.
template <int ELEMENT, int COLS, int ROWS>
__global__ void transpose_naive(int rows, int cols, int, const unsigned char* __restrict__ in,
                                unsigned char* __restrict__ out) {
  using Element = memory::Word<ELEMENT>;
  const long long matrix = static_cast<long long>(rows) * cols * blockIdx.y;
  const int tiles_c = (cols - 1) / COLS + 1;
  const long long r = static_cast<long long>(blockIdx.x / tiles_c) * ROWS + threadIdx.y;
  const long long c = static_cast<long long>(blockIdx.x % tiles_c) * COLS + threadIdx.x;
  if (r < rows && c < cols) {
    reinterpret_cast<Element*>(out)[matrix + c * rows + r] =
        reinterpret_cast<const Element*>(in)[matrix + r * cols + c];
  }
}

/// The textbook version with its bank conflicts: a TILE x TILE tile without padding, TILE x 8
/// threads. Grid: ceil(rows / TILE) * ceil(cols / TILE) x batch.
template <int ELEMENT, int TILE>
__global__ void transpose_tiled(int rows, int cols, int, const unsigned char* __restrict__ in,
                                unsigned char* __restrict__ out) {
  using Element = memory::Word<ELEMENT>;
  __shared__ Element tile[TILE][TILE];
  const long long matrix = static_cast<long long>(rows) * cols * blockIdx.y;
  const int tiles_c = (cols - 1) / TILE + 1;
  const long long r0 = static_cast<long long>(blockIdx.x / tiles_c) * TILE;
  const long long c0 = static_cast<long long>(blockIdx.x % tiles_c) * TILE;
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < TILE; y += 8) {
    if (r0 + y < rows && c0 + x < cols) {
      tile[y][x] = reinterpret_cast<const Element*>(in)[matrix + (r0 + y) * cols + c0 + x];
    }
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < TILE; y += 8) {
    if (c0 + y < cols && r0 + x < rows) {
      reinterpret_cast<Element*>(out)[matrix + (c0 + y) * rows + r0 + x] = tile[x][y];
    }
  }
}

/// The result to check against: each output looked up by its own index. Grid: any.
template <int ELEMENT, int THREADS>
__global__ void transpose_reference(int rows, int cols, int batch,
                                    const unsigned char* __restrict__ in,
                                    unsigned char* __restrict__ out) {
  transposition::transpose_elements<ELEMENT, THREADS>(rows, cols, batch, in, out);
}
