// Does it matter where a warp's words begin, and which cache they go through?
//
// A warp that reads or writes 32 neighbouring words touches four sectors of 32 bytes if the first
// word begins a sector, and five if not.
//
//   MODE    0: read: counts the words that are equal to NEEDLE. 1: write. 2: copy
//   LOAD    PLAIN: a plain load, for which the compiler's option -dlcm chooses the cache.
//           CA: through L1 and L2. CG: through L2 alone. LDG: through L1, as read-only data
//   UNROLL  words of a thread, loaded before the first of them is used
//
// A block takes blockDim.x * UNROLL neighbouring words. A read must have a result, or the compiler
// removes it. Needles are rare, so that hardly anything is written.

enum Load { PLAIN, CA, CG, LDG };
constexpr int READ = 0;
constexpr int WRITE = 1;
constexpr int NEEDLE = 1;

template <Load LOAD>
__device__ int load(const int* word) {
  if constexpr (LOAD == CA) return __ldca(word);
  if constexpr (LOAD == CG) return __ldcg(word);
  if constexpr (LOAD == LDG) return __ldg(word);
  return *word;
}

// Neither pointer is __restrict__: the compiler would make an __ldg of every plain load.
template <int MODE, Load LOAD, int UNROLL>
__global__ void access_pattern(const int* in, int* out, long long n, long long read_offset,
                               long long write_offset) {
  const long long first = static_cast<long long>(blockIdx.x) * blockDim.x * UNROLL + threadIdx.x;
  int word[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const long long i = first + u * blockDim.x;
    word[u] = MODE == WRITE || i >= n ? 2 : load<LOAD>(in + read_offset + i);
  }
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const long long i = first + u * blockDim.x;
    if (i >= n) continue;
    if (MODE == READ) {
      if (word[u] == NEEDLE) atomicAdd(out, 1);
    } else {
      out[write_offset + i] = word[u];
    }
  }
}

template <int MODE>
__global__ void access_pattern_reference(const int* in, int* out, long long n,
                                         long long read_offset, long long write_offset) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (MODE == READ) {
    if (in[read_offset + i] == NEEDLE) atomicAdd(out, 1);
  } else {
    out[write_offset + i] = MODE == WRITE ? 2 : in[read_offset + i];
  }
}
