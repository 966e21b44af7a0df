// Copies a buffer of any number of bytes.
//
//   WIDTH          bytes per access: 1, 2, 4, 8 or 16
//   UNROLL         accesses per thread that are under way at once
//   BLOCK          threads per block
//   BLOCKS_PER_SM  0: a grid that covers the buffer once. Otherwise a fixed grid of so many
//                  blocks per SM strides over it.
//   CACHE          0: as usual, 1: streaming (evicted first), 2: L2 only
//
// Launch: grid as above, of BLOCK threads; a block moves BLOCK * UNROLL * WIDTH bytes per pass.

template <int WIDTH>
struct Word;
template <>
struct Word<1> {
  using Type = unsigned char;
};
template <>
struct Word<2> {
  using Type = unsigned short;
};
template <>
struct Word<4> {
  using Type = unsigned int;
};
template <>
struct Word<8> {
  using Type = uint2;
};
template <>
struct Word<16> {
  using Type = uint4;
};

template <int CACHE, class Type>
__device__ Type load(const Type* from) {
  if constexpr (CACHE == 1) {
    return __ldcs(from);
  } else if constexpr (CACHE == 2) {
    return __ldcg(from);
  } else {
    return *from;
  }
}

template <int CACHE, class Type>
__device__ void store(Type* to, Type value) {
  if constexpr (CACHE == 1) {
    __stcs(to, value);
  } else if constexpr (CACHE == 2) {
    __stcg(to, value);
  } else {
    *to = value;
  }
}

template <int WIDTH, int UNROLL, int BLOCK, int BLOCKS_PER_SM, int CACHE>
__global__ void __launch_bounds__(BLOCK)
    copy(long long bytes, const unsigned char* __restrict__ in, unsigned char* __restrict__ out) {
  using Type = typename Word<WIDTH>::Type;
  constexpr long long CHUNK = static_cast<long long>(BLOCK) * UNROLL;  // words per block and pass
  const int thread = static_cast<int>(threadIdx.x);
  const auto addresses =
      reinterpret_cast<unsigned long long>(in) | reinterpret_cast<unsigned long long>(out);
  if (addresses % WIDTH != 0) {
#pragma unroll 1
    for (long long i = static_cast<long long>(blockIdx.x) * BLOCK + thread; i < bytes;
         i += static_cast<long long>(gridDim.x) * BLOCK) {
      out[i] = in[i];
    }
    return;
  }

  const long long words = bytes / WIDTH;
  const Type* from = reinterpret_cast<const Type*>(in);
  Type* to = reinterpret_cast<Type*>(out);
  long long first = blockIdx.x * CHUNK;
  do {
    if (first + CHUNK <= words) {
      Type value[UNROLL];
#pragma unroll
      for (int i = 0; i < UNROLL; ++i) value[i] = load<CACHE>(from + first + i * BLOCK + thread);
#pragma unroll
      for (int i = 0; i < UNROLL; ++i) store<CACHE>(to + first + i * BLOCK + thread, value[i]);
    } else {
#pragma unroll 1
      for (long long i = first + thread; i < words; i += BLOCK) to[i] = from[i];
    }
    first += gridDim.x * CHUNK;
  } while (BLOCKS_PER_SM != 0 && first < words);

  const int tail = static_cast<int>(bytes % WIDTH);  // bytes behind the last whole word
  if (blockIdx.x == 0 && thread < tail) out[words * WIDTH + thread] = in[words * WIDTH + thread];
}

// What to compare with and what to check against. Templates too, so that compiling one kernel
// of this file does not compile the others.

/// Four bytes at a time, a fixed grid that strides over the buffer.
template <int THREADS>
__global__ void copy_naive(long long bytes, const unsigned char* __restrict__ in,
                           unsigned char* __restrict__ out) {
  const long long words = bytes / 4;
  const long long thread = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  const long long step = static_cast<long long>(gridDim.x) * THREADS;
  for (long long i = thread; i < words; i += step) {
    reinterpret_cast<unsigned int*>(out)[i] = reinterpret_cast<const unsigned int*>(in)[i];
  }
  for (long long i = words * 4 + thread; i < bytes; i += step) out[i] = in[i];
}

/// The result to check against: byte by byte. Grid: any.
template <int THREADS>
__global__ void copy_reference(long long bytes, const unsigned char* __restrict__ in,
                               unsigned char* __restrict__ out) {
  const long long step = static_cast<long long>(gridDim.x) * THREADS;
  for (long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x; i < bytes;
       i += step) {
    out[i] = in[i];
  }
}
