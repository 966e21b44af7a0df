// Bulk copies between global and shared memory (cp.async.bulk, sm_90): one thread moves kilobytes.
// Addresses and sizes are multiples of 16 bytes. Semantics: PTX ISA, the instructions named below.
#pragma once

#include "memory.cuh"
#include "ptx.cuh"

#ifdef GTUNE_ON_HOST
#include "host_bulk_copy.hpp"
#else

namespace memory {

/// Makes barriers of this thread known to the engine that does the bulk copies.
__device__ inline void bulk_barriers_ready() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

/// Arrives at `barrier` with the copy's bytes to come, and starts it.
__device__ inline void bulk_load(ptx::Shared to, const Bytes* from, int bytes,
                                 ptx::Shared barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
      "[%3];" ::"r"(to),
      "l"(from), "r"(bytes), "r"(barrier)
      : "memory");
#else
  __trap();
#endif
}

/// Starts a copy out of shared memory, a group of its own.
__device__ inline void bulk_store(Bytes* to, ptx::Shared from, int bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from),
               "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#else
  __trap();
#endif
}

/// Waits until all but the last PENDING stores have read their shared memory.
template <int PENDING>
__device__ inline void bulk_wait_read() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
#endif
}

/// Waits until all stores are complete.
__device__ inline void bulk_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

}  // namespace memory

#endif
