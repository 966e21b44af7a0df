// Matrix transpose: out[c * rows + r] = in[r * cols + c]. Any size, any alignment.
//
// A block of THREADS moves a TILE_R x TILE_C tile through shared memory, so that it reads along
// the input's rows and writes along the output's rows.
//
//   VEC     floats per global access, where pitch and alignment allow; otherwise one at a time
//   PAD     floats added to a row of the tile: reading it by columns then spreads over the banks
//   ORDER   which tile follows which. 0: along the input's rows, 1: along the output's rows,
//           2: along diagonals, so that neighbours neither read nor write the same rows
//   STREAM  1: outputs are written past the caches (nobody reads them again here)
//
// Launch: grid = ceil(rows / TILE_R) * ceil(cols / TILE_C), block = THREADS threads.

template <int WIDTH>
struct Vector;
template <>
struct Vector<1> {
  using Type = float;
};
template <>
struct Vector<2> {
  using Type = float2;
};
template <>
struct Vector<4> {
  using Type = float4;
};

/// True where every row of a matrix of this pitch can be accessed WIDTH floats at a time.
template <int WIDTH>
__device__ bool is_aligned(const float* matrix, int pitch) {
  return reinterpret_cast<unsigned long long>(matrix) % (4 * WIDTH) == 0 && pitch % WIDTH == 0;
}

template <int WIDTH, bool STREAM>
__device__ void store(float* to, const float* from) {
  using Type = typename Vector<WIDTH>::Type;
  const Type value = *reinterpret_cast<const Type*>(from);
  if constexpr (STREAM) {
    __stcs(reinterpret_cast<Type*>(to), value);
  } else {
    *reinterpret_cast<Type*>(to) = value;
  }
}

template <int TILE_R, int TILE_C, int THREADS, int VEC, int PAD, int ORDER, int STREAM>
__global__ void __launch_bounds__(THREADS)
    transpose(int rows, int cols, const float* __restrict__ in, float* __restrict__ out) {
  using Type = typename Vector<VEC>::Type;
  constexpr int PASSES = TILE_R * TILE_C / (THREADS * VEC);
  constexpr int ROW_LANES = TILE_C / VEC;  // threads along a row of the input's tile
  constexpr int COL_LANES = TILE_R / VEC;  // threads along a row of the output's tile
  static_assert(PASSES * THREADS * VEC == TILE_R * TILE_C, "threads share the tile evenly");
  __shared__ float tile[TILE_R][TILE_C + PAD];

  const int tiles_r = (rows - 1) / TILE_R + 1;
  const int tiles_c = (cols - 1) / TILE_C + 1;
  const int index = static_cast<int>(blockIdx.x);
  int tile_r = index / tiles_c;
  int tile_c = index % tiles_c;
  if constexpr (ORDER == 1) {
    tile_r = index % tiles_r;
    tile_c = index / tiles_r;
  } else if constexpr (ORDER == 2) {
    tile_c = static_cast<int>((static_cast<long long>(tile_c) + tile_r) % tiles_c);
  }
  // From here on both matrices start at the block's tile; what is left there:
  const int rows_left = rows - tile_r * TILE_R;
  const int cols_left = cols - tile_c * TILE_C;
  const bool inside = rows_left >= TILE_R && cols_left >= TILE_C;
  const bool read_vectors = inside && is_aligned<VEC>(in, cols);
  const bool write_vectors = inside && is_aligned<VEC>(out, rows);
  in += static_cast<long long>(tile_r) * TILE_R * cols + static_cast<long long>(tile_c) * TILE_C;
  out += static_cast<long long>(tile_c) * TILE_C * rows + static_cast<long long>(tile_r) * TILE_R;
  const int thread = static_cast<int>(threadIdx.x);

  // All reads are under way before the first one is needed.
  __align__(16) float values[PASSES][VEC];
#pragma unroll
  for (int i = 0; i < PASSES; ++i) {
    const int r = (thread + i * THREADS) / ROW_LANES;
    const int c = (thread + i * THREADS) % ROW_LANES * VEC;
    const float* from = in + static_cast<long long>(r) * cols + c;
    if (read_vectors) {
      *reinterpret_cast<Type*>(values[i]) = *reinterpret_cast<const Type*>(from);
    } else {
#pragma unroll
      for (int v = 0; v < VEC; ++v) {
        if (r < rows_left && c + v < cols_left) values[i][v] = from[v];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < PASSES; ++i) {
    const int r = (thread + i * THREADS) / ROW_LANES;
    const int c = (thread + i * THREADS) % ROW_LANES * VEC;
#pragma unroll
    for (int v = 0; v < VEC; ++v) tile[r][c + v] = values[i][v];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < PASSES; ++i) {
    const int c = (thread + i * THREADS) / COL_LANES;
    const int r = (thread + i * THREADS) % COL_LANES * VEC;
    float* to = out + static_cast<long long>(c) * rows + r;
    if (write_vectors) {
      __align__(16) float column[VEC];
#pragma unroll
      for (int v = 0; v < VEC; ++v) column[v] = tile[r + v][c];
      store<VEC, STREAM != 0>(to, column);
    } else {
#pragma unroll
      for (int v = 0; v < VEC; ++v) {
        if (c < cols_left && r + v < rows_left) store<1, STREAM != 0>(to + v, &tile[r + v][c]);
      }
    }
  }
}

// What to compare with and what to check against. Templates too, so that compiling one kernel
// of this file does not compile the others.

/// One thread per element: coalesced reads, scattered writes.
/// Grid: ceil(rows / ROWS) * ceil(cols / COLS), block COLS x ROWS.
template <int COLS, int ROWS>
__global__ void transpose_naive(int rows, int cols, const float* __restrict__ in,
                                float* __restrict__ out) {
  const int tiles_c = (cols - 1) / COLS + 1;
  const long long r = static_cast<long long>(blockIdx.x / tiles_c) * ROWS + threadIdx.y;
  const long long c = static_cast<long long>(blockIdx.x % tiles_c) * COLS + threadIdx.x;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

/// The textbook version with its bank conflicts: a TILE x TILE tile without padding, TILE x 8
/// threads. Grid: ceil(rows / TILE) * ceil(cols / TILE).
template <int TILE>
__global__ void transpose_tiled(int rows, int cols, const float* __restrict__ in,
                                float* __restrict__ out) {
  __shared__ float tile[TILE][TILE];
  const int tiles_c = (cols - 1) / TILE + 1;
  const long long r0 = static_cast<long long>(blockIdx.x / tiles_c) * TILE;
  const long long c0 = static_cast<long long>(blockIdx.x % tiles_c) * TILE;
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < TILE; y += 8) {
    if (r0 + y < rows && c0 + x < cols) tile[y][x] = in[(r0 + y) * cols + c0 + x];
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < TILE; y += 8) {
    if (c0 + y < cols && r0 + x < rows) out[(c0 + y) * rows + r0 + x] = tile[x][y];
  }
}

/// The result to check against: each output looked up by its own index. Grid: any.
template <int THREADS>
__global__ void transpose_reference(int rows, int cols, const float* __restrict__ in,
                                    float* __restrict__ out) {
  const long long count = static_cast<long long>(rows) * cols;
  const long long step = static_cast<long long>(gridDim.x) * THREADS;
  for (long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x; i < count;
       i += step) {
    out[i] = in[i % rows * cols + i / rows];
  }
}
