// Sums the rows of a matrix, one block per row, with one planted fault:
//
//    0 none                            7 traps
//    1 reads a wrong column            8 writes to an address that is nobody's
//    2 no barrier before the sum       9 fails an assertion
//    3 forgets the tail of a row      10 changes its input
//    4 writes behind its output       11 asks for more shared memory than there is (launch)
//    5 writes a NaN                   12 does not compile
//    6 never ends                     13 leaves an output unwritten
//
// BLOCK is a power of two from 64 on: faults 2 and 3 need several warps and a tail.

#if FAULT == 12
#error "planted: this configuration does not compile"
#endif

extern "C" __global__ void __launch_bounds__(BLOCK)
    row_sum(int rows, int cols, float* __restrict__ in, float* __restrict__ out) {
  extern __shared__ float partial[];  // one sum per warp
  const int thread = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x);
  float* line = in + static_cast<long long>(row) * cols;

  const int end = FAULT == 3 ? cols / BLOCK * BLOCK : cols;
  float sum = 0.0f;
  for (int c = thread; c < end; c += BLOCK) sum += line[FAULT == 1 ? min(c + 1, cols - 1) : c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);

#if FAULT == 2  // the race is lost every time, not now and then
  if (thread < BLOCK / 32) partial[thread] = 0.0f;
  if (thread >= 32) __nanosleep(50000);
#endif
  if (thread % 32 == 0) partial[thread / 32] = sum;
#if FAULT != 2
  __syncthreads();
#endif
  if (thread != 0) return;

  volatile float* shared = partial;
  float total = 0.0f;
  for (int warp = 0; warp < BLOCK / 32; ++warp) total += shared[warp];

#if FAULT == 4
  if (row == 0) out[rows] = 0.0f;
#elif FAULT == 5
  if (row == rows / 2) total = __int_as_float(0x7fffffff);
#elif FAULT == 6
  while (row == 0) __nanosleep(1000);
#elif FAULT == 7
  if (row == 0) __trap();
#elif FAULT == 8
  if (row == 0) *reinterpret_cast<volatile float*>(16ull) = total;
#elif FAULT == 9
  assert(row != 0);  // NVRTC has it built in
#elif FAULT == 10
  line[0] += 1.0f;
#elif FAULT == 13
  if (row == rows - 1) return;
#endif
  out[row] = total;
}

/// One thread per row, in double.
extern "C" __global__ void row_sum_reference(int rows, int cols, const float* __restrict__ in,
                                             float* __restrict__ out) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  double sum = 0.0;
  for (int c = 0; c < cols; ++c) sum += in[static_cast<long long>(row) * cols + c];
  out[row] = static_cast<float>(sum);
}
