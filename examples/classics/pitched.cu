// Does it pay to begin each row of a matrix at an aligned address?
//
// A matrix with rows of 4093 floats may have them one right after another: then most rows begin in
// the middle of a sector, and only single floats are aligned in every row. Or each row is followed
// by padding, so that its pitch, the distance from one row to the next, is a multiple of 128 bytes:
// a little more memory, and every row can be read and written in aligned words of 16 bytes. Padding
// itself is neither read nor written, as in cudaMemcpy2D and cudaMemset2D.

template <int N>
struct alignas(4 * N) Floats {
  float values[N];
};

/// `mode`: 0 copies the matrix, 1 sets it to zero. Blocks are parts of `blockDim.y` rows.
template <int mode, int WORD>
__global__ void pitched(const float* in, float* out, int width, int rows, int pitch) {
  using Word = Floats<WORD>;
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * WORD;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const long long at = static_cast<long long>(row) * pitch + column;
  if (column + WORD <= width) {
    *reinterpret_cast<Word*>(out + at) =
        mode == 0 ? *reinterpret_cast<const Word*>(in + at) : Word{};
  } else {
    for (int i = 0; column + i < width; ++i) out[at + i] = mode == 0 ? in[at + i] : 0;
  }
}

extern "C" __global__ void pitched_reference(const float* in, float* out, int width, int rows,
                                             int pitch, int mode) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= width) return;
  const long long at = static_cast<long long>(row) * pitch + column;
  out[at] = mode == 0 ? in[at] : 0;
}
