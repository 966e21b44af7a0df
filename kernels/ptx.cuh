// PTX instructions that CUDA C++ has no cheap name for: NVRTC compiles in a tenth of the time
// without <cuda/barrier> and <cuda_pipeline.h>. Semantics: PTX ISA, the instructions named below.
#pragma once

#ifdef GTUNE_ON_HOST  // the kernels' arithmetic is tested on the CPU, see tests/emulation
#include "host_ptx.hpp"
#else

namespace ptx {

/// An address in shared memory, in bytes.
using Shared = unsigned;

/// The block's dynamic shared memory, aligned to 16 bytes.
__device__ inline Shared dynamic_shared() {
  extern __shared__ __align__(16) unsigned char memory[];
  return static_cast<Shared>(__cvta_generic_to_shared(memory));
}

/// ld.shared.v4. Volatile, so that loads stay where the software pipeline puts them.
__device__ inline float4 load_shared(Shared from) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(from));
  return v;
}

__device__ inline float load_shared_one(Shared from) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(from) : "memory");
  return v;
}

/// st.shared.v4; `to` is aligned to 16 bytes.
__device__ inline void store_shared(Shared to, float4 v) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(v.x), "f"(v.y), "f"(v.z),
               "f"(v.w)
               : "memory");
}

/// cp.async: starts a copy of WIDTH floats into shared memory.
template <int WIDTH>
__device__ inline void copy_async(Shared to, const float* from) {
  if constexpr (WIDTH == 4) {  // only 16-byte copies may bypass L1
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(4 * WIDTH)
                 : "memory");
  }
}

/// The same, or zeros where `valid` is false; `from` is not read then.
template <int WIDTH>
__device__ inline void copy_async_if(bool valid, Shared to, const float* from) {
  const int bytes = valid ? 4 * WIDTH : 0;
  if constexpr (WIDTH == 4) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from),
                 "n"(4 * WIDTH), "r"(bytes)
                 : "memory");
  }
}

// Barriers in shared memory, 8 bytes each (mbarrier). A phase ends when `count` have arrived.

__device__ inline void barrier_init(Shared barrier, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

__device__ inline void barrier_arrive(Shared barrier) {
  asm volatile("{\n .reg .b64 state;\n mbarrier.arrive.shared.b64 state, [%0];\n}" ::"r"(barrier)
               : "memory");
}

/// Arrives when all copies that this thread has started so far are complete.
__device__ inline void barrier_arrive_after_copies(Shared barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

/// Waits for the end of a phase of this parity. A fresh barrier is as if one of parity 1 had
/// ended.
__device__ inline void barrier_wait(Shared barrier, unsigned parity) {
#if __CUDA_ARCH__ >= 900
#define GTUNE_TRY_WAIT "mbarrier.try_wait.parity.shared.b64"
#else
#define GTUNE_TRY_WAIT "mbarrier.test_wait.parity.shared.b64"
#endif
  asm volatile("{\n .reg .pred done;\n again:\n " GTUNE_TRY_WAIT
               " done, [%0], %1;\n @done bra ended;\n bra again;\n ended:\n}" ::"r"(barrier),
               "r"(parity)
               : "memory");
#undef GTUNE_TRY_WAIT
}

/// to[0..3] = value; `to` is aligned to 16 bytes.
__device__ inline void store(float* to, float4 value) {
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(value.x), "f"(value.y),
               "f"(value.z), "f"(value.w)
               : "memory");
}

/// *to += value, atomically, in any order.
__device__ inline void add_one(float* to, float value) {
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(to), "f"(value) : "memory");
}

/// to[0..3] += value, each atomically; `to` is aligned to 16 bytes.
__device__ inline void add(float* to, float4 value) {
#if __CUDA_ARCH__ >= 900
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(value.x),
               "f"(value.y), "f"(value.z), "f"(value.w)
               : "memory");
#else
  add_one(to, value.x);
  add_one(to + 1, value.y);
  add_one(to + 2, value.z);
  add_one(to + 3, value.w);
#endif
}

// A counter in global memory between blocks: what its users wrote before is seen behind it.

__device__ inline int counter_read(const int* counter) {
  int value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
  return value;
}

__device__ inline void counter_set(int* counter, int value) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(counter), "r"(value) : "memory");
}

/// Adds and returns what was there.
__device__ inline int counter_add(int* counter, int value) {
  int before;
  asm volatile("atom.acq_rel.gpu.global.add.s32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(counter), "r"(value)
               : "memory");
  return before;
}

}  // namespace ptx

#endif
