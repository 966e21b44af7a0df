// Words of 1 to 16 bytes, cache policies, and copies between global and shared memory, for kernels
// that move memory. Semantics: PTX ISA, the instructions named below.
#pragma once

namespace memory {

using Bytes = unsigned char;

template <int BYTES>
struct WordOf;
template <>
struct WordOf<1> {
  using Type = unsigned char;
};
template <>
struct WordOf<2> {
  using Type = unsigned short;
};
template <>
struct WordOf<4> {
  using Type = unsigned int;
};
template <>
struct WordOf<8> {
  using Type = uint2;
};
template <>
struct WordOf<16> {
  using Type = uint4;
};
/// An integer, or vector of integers, of so many bytes.
template <int BYTES>
using Word = typename WordOf<BYTES>::Type;

/// Bytes between the aligned word before an address and the address.
template <int BYTES>
__device__ inline int misalignment(const void* address) {
  return static_cast<int>(reinterpret_cast<unsigned long long>(address) % BYTES);
}

/// How caches treat an access. NON_COHERENT is for loads.
enum Policy { USUAL = 0, NON_COHERENT = 1, L2_ONLY = 2, STREAMING = 3, EVICT_FIRST = 4 };

}  // namespace memory

#ifdef GTUNE_ON_HOST
#include "host_memory.hpp"
#else

namespace memory {

/// The block's dynamic shared memory, aligned to 16 bytes.
__device__ inline Bytes* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char memory[];
  return memory;
}

/// An L2 policy of what is used once and not again.
__device__ inline unsigned long long evict_first_policy() {
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

__device__ inline void load_hinted(const unsigned char* from, unsigned long long hint,
                                   unsigned char& word) {
  unsigned int wide;
  asm volatile("ld.global.L2::cache_hint.u8 %0, [%1], %2;" : "=r"(wide) : "l"(from), "l"(hint));
  word = static_cast<unsigned char>(wide);
}
__device__ inline void load_hinted(const unsigned short* from, unsigned long long hint,
                                   unsigned short& word) {
  asm volatile("ld.global.L2::cache_hint.u16 %0, [%1], %2;" : "=h"(word) : "l"(from), "l"(hint));
}
__device__ inline void load_hinted(const unsigned int* from, unsigned long long hint,
                                   unsigned int& word) {
  asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(word) : "l"(from), "l"(hint));
}
__device__ inline void load_hinted(const uint2* from, unsigned long long hint, uint2& word) {
  asm volatile("ld.global.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
               : "=r"(word.x), "=r"(word.y)
               : "l"(from), "l"(hint));
}
__device__ inline void load_hinted(const uint4* from, unsigned long long hint, uint4& word) {
  asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
               : "l"(from), "l"(hint));
}

__device__ inline void store_hinted(unsigned char* to, unsigned long long hint,
                                    unsigned char word) {
  asm volatile("st.global.L2::cache_hint.u8 [%0], %1, %2;" ::"l"(to),
               "r"(static_cast<unsigned int>(word)), "l"(hint)
               : "memory");
}
__device__ inline void store_hinted(unsigned short* to, unsigned long long hint,
                                    unsigned short word) {
  asm volatile("st.global.L2::cache_hint.u16 [%0], %1, %2;" ::"l"(to), "h"(word), "l"(hint)
               : "memory");
}
__device__ inline void store_hinted(unsigned int* to, unsigned long long hint, unsigned int word) {
  asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(to), "r"(word), "l"(hint)
               : "memory");
}
__device__ inline void store_hinted(uint2* to, unsigned long long hint, uint2 word) {
  asm volatile("st.global.L2::cache_hint.v2.u32 [%0], {%1, %2}, %3;" ::"l"(to), "r"(word.x),
               "r"(word.y), "l"(hint)
               : "memory");
}
__device__ inline void store_hinted(uint4* to, unsigned long long hint, uint4 word) {
  asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to), "r"(word.x),
               "r"(word.y), "r"(word.z), "r"(word.w), "l"(hint)
               : "memory");
}

template <int POLICY, class Type>
__device__ inline Type load(const Type* from) {
  if constexpr (POLICY == NON_COHERENT) {
    return __ldg(from);
  } else if constexpr (POLICY == L2_ONLY) {
    return __ldcg(from);
  } else if constexpr (POLICY == STREAMING) {
    return __ldcs(from);
  } else if constexpr (POLICY == EVICT_FIRST) {
    Type word;
    load_hinted(from, evict_first_policy(), word);
    return word;
  } else {
    return *from;
  }
}

template <int POLICY, class Type>
__device__ inline void store(Type* to, Type word) {
  if constexpr (POLICY == L2_ONLY) {
    __stcg(to, word);
  } else if constexpr (POLICY == STREAMING) {
    __stcs(to, word);
  } else if constexpr (POLICY == EVICT_FIRST) {
    store_hinted(to, evict_first_policy(), word);
  } else {
    *to = word;
  }
}

/// cp.async: starts a copy of WIDTH bytes (4, 8 or 16) into shared memory; both aligned to WIDTH.
template <int WIDTH>
__device__ inline void copy_async(Bytes* to, const Bytes* from) {
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (WIDTH == 16) {  // only 16-byte copies may bypass L1
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(WIDTH)
                 : "memory");
  }
}

/// Copies started since the last call form a group.
__device__ inline void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until all but the last PENDING groups of this thread are complete.
template <int PENDING>
__device__ inline void wait_groups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

/// The 32 bits `bits` (0 to 31) above the lowest of high:low.
__device__ inline unsigned funnel_shift(unsigned low, unsigned high, int bits) {
  return __funnelshift_r(low, high, static_cast<unsigned>(bits));
}

/// Bytes of y:x, chosen by a nibble of `selector` each (prmt).
__device__ inline unsigned pick_bytes(unsigned x, unsigned y, unsigned selector) {
  return __byte_perm(x, y, selector);
}

/// XOR over the warp's lanes, all of which must call this.
__device__ inline unsigned warp_xor(unsigned value) {
  return __reduce_xor_sync(0xffffffffu, value);
}

/// *to ^= value, atomically, in any order.
__device__ inline void combine_xor(unsigned* to, unsigned value) {
  asm volatile("red.global.xor.b32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

}  // namespace memory

#endif
