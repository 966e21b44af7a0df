// Copies a buffer of any number of bytes, or reads it, or writes one, at any alignment.
//
//   MODE           0: copy. 1: read; out then holds the XOR of the 32-bit words of every 64 KiB
//                  of the input, which has to be 0 before. 2: write; every byte becomes 0xa5
//   STRIDE         words from one thread to the next, a power of two: 1 is coalesced
//   WIDTH          bytes per access: 1, 2, 4, 8 or 16
//   UNROLL         accesses per thread that are under way at once
//   BLOCK          threads per block
//   BLOCKS_PER_SM  0: a grid that covers the buffer once. Otherwise a fixed grid of so many
//                  blocks per SM strides over it.
//   CACHE          policy of loads and stores (memory.cuh); non-coherent is for loads alone. The
//                  pointers are not __restrict__, or the usual loads would be non-coherent too
//   BULK           0, or bytes of a bulk copy through shared memory (sm_90): a block's one busy
//                  thread then has UNROLL of them under way
//   SHIFTED        1: source and destination need not be aligned alike to WIDTH. Words are put
//                  together from the two aligned ones that hold them. With 0, such buffers are
//                  copied byte by byte
//   EXACT          1: source and destination are aligned to WIDTH and a block's passes divide the
//                  bytes, so nothing is checked: what a block does before its first load counts
//                  where a copy takes ten microseconds
//
// Launch: grid as above; a block moves BLOCK * UNROLL * WIDTH bytes per pass, or UNROLL * BULK.
// With BULK: UNROLL * (BULK + 8) bytes of dynamic shared memory.

#include "bulk_copy.cuh"
#include "memory.cuh"

namespace copying {

using memory::Bytes;

enum Mode { COPY = 0, READ = 1, WRITE = 2 };
constexpr int SUM_BYTES = 65536;  // of the input that a sum is over
constexpr unsigned WRITTEN = 0xa5a5a5a5u;

/// The 32-bit parts of a word, narrower words in the lowest bits.
template <int WIDTH>
union Parts {
  memory::Word<WIDTH> word;
  unsigned part[WIDTH < 4 ? 1 : WIDTH / 4];
};

/// WIDTH bytes that begin `shift` bytes behind the beginning of two aligned words.
template <int WIDTH>
__device__ inline memory::Word<WIDTH> shifted(memory::Word<WIDTH> low, memory::Word<WIDTH> high,
                                              int shift) {
  if constexpr (WIDTH == 1) {
    return low;
  } else if constexpr (WIDTH == 2) {
    return static_cast<memory::Word<2>>((low | static_cast<unsigned>(high) << 16) >> 8 * shift);
  } else {
    constexpr int COUNT = WIDTH / 4;
    unsigned all[2 * COUNT + 1] = {};
    Parts<WIDTH> parts;
    parts.word = low;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) all[i] = parts.part[i];
    parts.word = high;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) all[COUNT + i] = parts.part[i];
      // By whole parts first: 2 of them, 1 of them.
#pragma unroll
    for (int by = COUNT / 2; by > 0; by /= 2) {
      if ((shift / 4 & by) != 0) {
#pragma unroll
        for (int i = 0; i + by < 2 * COUNT; ++i) all[i] = all[i + by];
      }
    }
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
      parts.part[i] = memory::funnel_shift(all[i], all[i + 1], 8 * (shift % 4));
    }
    return parts.word;
  }
}

/// The part of the work that is done in whole words of the destination (of the source, where that
/// is only read): `head` bytes before them, `words`, and `tail` bytes behind them.
struct Split {
  long long words;
  int head, tail;
  int shift;  // bytes of the source's first aligned word that are before the first word

  template <int WIDTH, bool SHIFTED>
  static __device__ Split of(const Bytes* in, const Bytes* out, long long bytes) {
    const int behind = memory::misalignment<WIDTH>(out);
    int head = behind == 0 ? 0 : WIDTH - behind;
    const int shift = memory::misalignment<WIDTH>(in + head);
    long long rest = bytes - head;
    if constexpr (SHIFTED) {
      // A shifted word takes in bytes of the source before and behind it: leave them some.
      if (head < shift) head += WIDTH;
      rest = bytes - head - (shift == 0 ? 0 : WIDTH - shift);
    }
    if (rest < WIDTH) return {0, 0, static_cast<int>(bytes), shift};
    const long long words = static_cast<long long>(static_cast<unsigned long long>(rest) / WIDTH);
    return {words, head, static_cast<int>(bytes - head - words * WIDTH), shift};
  }
};

/// Where the words of one pass of a block lie.
template <int STRIDE, int UNROLL, int BLOCK>
__device__ inline int place_of(int access, int thread) {
  constexpr int COUNT = BLOCK * UNROLL;
  static_assert(COUNT % STRIDE == 0, "strides cover a block's words");
  const int at = access * BLOCK + thread;
  if constexpr (STRIDE == 1) return at;
  return at % (COUNT / STRIDE) * STRIDE + at / (COUNT / STRIDE);
}

/// Adds what a block's threads have read to the sum of those 64 KiB. Atomics on few addresses are
/// slow, so there is one per block.
template <int BLOCK>
__device__ inline void add_to_sum(Bytes* sums, long long byte, unsigned value) {
  constexpr unsigned WARPS = BLOCK / 32;
  __shared__ unsigned sum_of_warp[WARPS];
  unsigned all = memory::warp_xor(value);
  if constexpr (WARPS > 1) {
    __syncthreads();  // the pass before has been read
    if (threadIdx.x % 32 == 0) sum_of_warp[threadIdx.x / 32] = all;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    all = memory::warp_xor(threadIdx.x < WARPS ? sum_of_warp[threadIdx.x] : 0);
  }
  if (threadIdx.x == 0) {
    memory::combine_xor(reinterpret_cast<unsigned*>(sums) + byte / SUM_BYTES, all);
  }
}

/// A word's bytes, each at its place in a 32-bit word of the buffer. `byte`: where it begins.
template <int WIDTH>
__device__ inline unsigned folded(memory::Word<WIDTH> word, long long byte) {
  if constexpr (WIDTH < 4) {
    return static_cast<unsigned>(word) << 8 * (byte % 4);
  } else {
    Parts<WIDTH> parts;
    parts.word = word;
    unsigned all = 0;
#pragma unroll
    for (int i = 0; i < WIDTH / 4; ++i) all ^= parts.part[i];
    return all;
  }
}

template <int WIDTH>
__device__ inline memory::Word<WIDTH> written() {
  Parts<WIDTH> parts;
#pragma unroll
  for (unsigned& part : parts.part) part = WRITTEN;
  return parts.word;
}

/// Byte by byte: what is left over of words.
template <int MODE>
__device__ inline void handle_bytes(const Bytes* in, Bytes* out, long long first, long long end,
                                    long long step) {
#pragma unroll 1
  for (long long i = first; i < end; i += step) {
    if constexpr (MODE == COPY) {
      out[i] = in[i];
    } else if constexpr (MODE == WRITE) {
      out[i] = static_cast<Bytes>(WRITTEN);
    } else {
      memory::combine_xor(reinterpret_cast<unsigned*>(out) + i / SUM_BYTES,
                          static_cast<unsigned>(in[i]) << 8 * (i % 4));
    }
  }
}

/// One pass of a block over UNROLL words per thread, as many of them as there are. `from` and
/// `to`: the pass's first word.
template <int MODE, bool SHIFTED, int STRIDE, int WIDTH, int UNROLL, int BLOCK, int CACHE>
struct Pass {
  using Word = memory::Word<WIDTH>;
  static constexpr int STORE = CACHE == memory::NON_COHERENT ? memory::USUAL : CACHE;

  const Bytes* from;
  Bytes* to;
  int shift;

  __device__ Word fetch(int place) const {
    if constexpr (MODE == WRITE) return written<WIDTH>();
    const Bytes* at = from + static_cast<long long>(place) * WIDTH;
    if constexpr (!SHIFTED) return memory::load<CACHE>(reinterpret_cast<const Word*>(at));
    const Word* aligned = reinterpret_cast<const Word*>(at - shift);
    const Word low = memory::load<CACHE>(aligned);
    if (shift == 0) return low;
    return shifted<WIDTH>(low, memory::load<CACHE>(aligned + 1), shift);
  }

  template <bool WHOLE>
  __device__ void run(long long left, long long byte) const {
    const int thread = static_cast<int>(threadIdx.x);
    Word words[UNROLL];
#pragma unroll
    for (int i = 0; i < UNROLL; ++i) {
      const int place = place_of<STRIDE, UNROLL, BLOCK>(i, thread);
      if (WHOLE || place < left) words[i] = fetch(place);
    }
    unsigned sum = 0;
#pragma unroll
    for (int i = 0; i < UNROLL; ++i) {
      const int place = place_of<STRIDE, UNROLL, BLOCK>(i, thread);
      if (!WHOLE && place >= left) continue;
      if constexpr (MODE == READ) {
        sum ^= folded<WIDTH>(words[i], byte + static_cast<long long>(place) * WIDTH);
      } else {
        memory::store<STORE>(reinterpret_cast<Word*>(to) + place, words[i]);
      }
    }
    if constexpr (MODE == READ) add_to_sum<BLOCK>(to, byte, sum);
  }
};

template <int MODE, bool SHIFTED, int STRIDE, int WIDTH, int UNROLL, int BLOCK, bool FIXED_GRID,
          int CACHE, bool EXACT>
__device__ void move_words(const Split& split, const Bytes* in, Bytes* out) {
  constexpr int COUNT = BLOCK * UNROLL;  // words per pass
  long long first = static_cast<long long>(blockIdx.x) * COUNT;
  if (FIXED_GRID && first >= split.words) return;
  do {
    const long long byte = split.head + first * WIDTH;
    const Pass<MODE, SHIFTED, STRIDE, WIDTH, UNROLL, BLOCK, CACHE> pass = {
        in + byte, MODE == READ ? out : out + byte, split.shift};
    const long long left = split.words - first;
    if (EXACT || left >= COUNT) {
      pass.template run<true>(left, byte);
    } else if (left > 0) {
      pass.template run<false>(left, byte);
    }
    first += static_cast<long long>(gridDim.x) * COUNT;
  } while (FIXED_GRID && first < split.words);
}

/// Bulk copies of SIZE bytes, DEPTH of them under way. Called by one thread of a block.
template <int SIZE, int DEPTH>
struct BulkRing {
  static constexpr int LAG = DEPTH / 2;  // stores that may still read their stage

  const Bytes* in;
  Bytes* out;
  long long bytes;  // a multiple of 16
  ptx::Shared shared;

  __device__ long long first(long long index) const {
    return (blockIdx.x + index * static_cast<long long>(gridDim.x)) * SIZE;
  }
  __device__ int size(long long at) const {
    return bytes - at < SIZE ? static_cast<int>(bytes - at) : SIZE;
  }
  __device__ ptx::Shared stage(long long index) const {
    return shared + static_cast<int>(index % DEPTH) * SIZE;
  }
  __device__ ptx::Shared barrier(long long index) const {
    return shared + DEPTH * SIZE + static_cast<int>(index % DEPTH) * 8;
  }
  __device__ void load(long long index) const {
    const long long at = first(index);
    if (at < bytes) memory::bulk_load(stage(index), in + at, size(at), barrier(index));
  }

  __device__ void run() const {
    for (int i = 0; i < DEPTH; ++i) ptx::barrier_init(barrier(i), 1);
    memory::bulk_barriers_ready();
    for (int i = 0; i < DEPTH; ++i) load(i);
#pragma unroll 1
    for (long long i = 0; first(i) < bytes; ++i) {
      ptx::barrier_wait(barrier(i), static_cast<unsigned>(i / DEPTH % 2));
      memory::bulk_store(out + first(i), stage(i), size(first(i)));
      if (i >= LAG) {
        memory::bulk_wait_read<LAG>();
        load(i - LAG + DEPTH);
      }
    }
    memory::bulk_wait();
  }
};

}  // namespace copying

template <int MODE, int STRIDE, int SHIFTED, int WIDTH, int UNROLL, int BLOCK, int BLOCKS_PER_SM,
          int CACHE, int BULK, int EXACT>
__global__ void __launch_bounds__(BLOCK)
    copy(long long bytes, long long in_offset, long long out_offset, const unsigned char* in,
         unsigned char* out) {
  using namespace copying;
  in += in_offset;
  if (MODE != READ) out += out_offset;
  const int thread = static_cast<int>(threadIdx.x);
  Split split = {static_cast<long long>(static_cast<unsigned long long>(bytes) / WIDTH), 0, 0, 0};
  if constexpr (EXACT == 0) {
    const Bytes* aligned = MODE == READ ? in : out;
    split = Split::of<WIDTH, SHIFTED != 0>(MODE == WRITE ? out : in, aligned, bytes);
  }
  if (EXACT == 0 && ((MODE == READ && memory::misalignment<WIDTH>(in) != 0) ||
                     (SHIFTED == 0 && split.shift != 0))) {
    handle_bytes<MODE>(in, out, static_cast<long long>(blockIdx.x) * BLOCK + thread, bytes,
                       static_cast<long long>(gridDim.x) * BLOCK);
    return;
  }
  if constexpr (BULK != 0) {
    const BulkRing<BULK, UNROLL> ring = {in + split.head, out + split.head, split.words * WIDTH,
                                         ptx::dynamic_shared()};
    if (thread == 0) ring.run();
  } else {
    constexpr bool FIXED_GRID = BLOCKS_PER_SM != 0;
    move_words<MODE, SHIFTED != 0, STRIDE, WIDTH, UNROLL, BLOCK, FIXED_GRID, CACHE, EXACT != 0>(
        split, in, out);
  }
  if (EXACT == 0 && blockIdx.x == 0) {
    handle_bytes<MODE>(in, out, thread, split.head, BLOCK);
    handle_bytes<MODE>(in, out, bytes - split.tail + thread, bytes, BLOCK);
  }
}

// What to compare with and what to check against. Templates too, so that compiling one kernel
// of this file does not compile the others.

/// Four bytes at a time where both are aligned to them, a fixed grid that strides over the buffer.
template <int MODE, int THREADS>
__global__ void copy_naive(long long bytes, long long in_offset, long long out_offset,
                           const unsigned char* __restrict__ in, unsigned char* __restrict__ out) {
  using namespace copying;
  in += in_offset;
  if (MODE != READ) out += out_offset;
  const long long thread = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  const long long step = static_cast<long long>(gridDim.x) * THREADS;
  const bool aligned = (MODE == WRITE || memory::misalignment<4>(in) == 0) &&
                       (MODE == READ || memory::misalignment<4>(out) == 0);
  const long long words = aligned ? bytes / 4 : 0;
  for (long long i = thread; i < words; i += step) {
    const unsigned word = MODE == WRITE ? WRITTEN : reinterpret_cast<const unsigned*>(in)[i];
    if constexpr (MODE == READ) {
      memory::combine_xor(reinterpret_cast<unsigned*>(out) + i * 4 / SUM_BYTES, word);
    } else {
      reinterpret_cast<unsigned*>(out)[i] = word;
    }
  }
  handle_bytes<MODE>(in, out, words * 4 + thread, bytes, step);
}

/// The result to check against: byte by byte. Grid: any.
template <int MODE, int THREADS>
__global__ void copy_reference(long long bytes, long long in_offset, long long out_offset,
                               const unsigned char* __restrict__ in,
                               unsigned char* __restrict__ out) {
  using namespace copying;
  const long long thread = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  const long long step = static_cast<long long>(gridDim.x) * THREADS;
  in += in_offset;
  if constexpr (MODE == READ) {
    constexpr int RUN = 256;  // bytes per atomic addition
    for (long long first = thread * RUN; first < bytes; first += step * RUN) {
      unsigned sum = 0;
      for (long long i = first; i < bytes && i < first + RUN; ++i) {
        sum ^= static_cast<unsigned>(in[i]) << 8 * (i % 4);
      }
      memory::combine_xor(reinterpret_cast<unsigned*>(out) + first / SUM_BYTES, sum);
    }
  } else {
    handle_bytes<MODE>(in, out + out_offset, thread, bytes, step);
  }
}
