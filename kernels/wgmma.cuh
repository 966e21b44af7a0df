// Hopper's asynchronous tensor cores (wgmma), its tensor copies (TMA) and what goes with them:
// compute capability 9.0 alone, compiled as sm_90a. Semantics: PTX ISA, the instructions named
// below.
#pragma once

#include "ptx.cuh"

namespace ptx {

/// A CUtensorMap: how a tensor lies in global memory, and the box that one copy takes. Kernels
/// have it as a `const __grid_constant__` parameter.
struct alignas(64) TensorMap {
  unsigned char opaque[128];
};

__device__ inline void prefetch_map(const TensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Starts the copy of a box of a two-dimensional tensor; what lies outside the tensor is zero.
/// `x`: the innermost coordinate. The box's bytes count towards `barrier`.
__device__ inline void copy_box(Shared to, const TensorMap& map, int x, int y, Shared barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}

/// Arrives, and makes the phase wait for so many bytes of box copies.
__device__ inline void barrier_arrive_expecting(Shared barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

/// Makes this thread's barrier_init visible to box copies.
__device__ inline void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Makes this thread's writes to shared memory visible to wgmma and box copies.
__device__ inline void fence_shared_for_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline float2 load_shared_two(Shared from) {
  float2 v;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "r"(from) : "memory");
  return v;
}

/// to[0..1] += value, each atomically; `to` is aligned to 8 bytes.
__device__ inline void add_two(float* to, float2 value) {
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(value.x), "f"(value.y)
               : "memory");
}

/// Waits until THREADS threads of the block are at barrier ID, which is not 0.
template <int ID, int THREADS>
__device__ inline void sync_some() {
  asm volatile("bar.sync %0, %1;" ::"n"(ID), "n"(THREADS) : "memory");
}
// Warpgroups (four warps) pass registers to each other; all four warps call these.

template <int REGISTERS>
__device__ inline void keep_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}
template <int REGISTERS>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

// A warpgroup's product D (64 x COLS) += A (64 x 8) * B (8 x COLS), A in registers, B in shared
// memory, in TF32, of which the tensor cores read the upper 19 bits of a float. With g = lane / 4
// and c = lane % 4, warp w of the warpgroup has
//   a[0], a[1], a[2], a[3] = A(16w + g, c), A(16w + g + 8, c), A(16w + g, c + 4),
//                            A(16w + g + 8, c + 4)
//   d[4j + 2h + e]         = D(16w + g + 8h, 8j + 2c + e)

/// Where an operand B lies: COLS rows of 32 floats, 128 bytes each, in the 128-byte swizzle, as
/// copy_box leaves them; `at` is aligned to 1024 bytes. Plus 2 is 8 floats further along a row.
__device__ inline unsigned long long wgmma_operand(Shared at) {
  constexpr unsigned long long swizzle_128b = 1ull << 62;
  constexpr unsigned long long eight_rows = (8 * 128 / 16ull) << 32;
  constexpr unsigned long long unused = 1ull << 16;  // a stride that this swizzle has no use for
  return swizzle_128b | eight_rows | unused | (at & 0x3ffff) >> 4;
}

/// The compiler has the operands in these registers here: it computes them neither later, between
/// a batch's wgmma, nor lets go of them before.
template <int ROWS>
__device__ inline void settle(unsigned (&a)[ROWS][4]) {
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    asm volatile("" : "+r"(a[i][0]), "+r"(a[i][1]), "+r"(a[i][2]), "+r"(a[i][3]));
  }
}

/// Before a batch of wgmma: registers and shared memory are as written.
__device__ inline void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_end() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits for all batches. Only then may their results be read, and the registers of their operands
/// hold something else: the compiler knows neither of itself.
template <int COUNT, int ROWS>
__device__ inline void wgmma_wait(float (&d)[COUNT], unsigned (&a)[ROWS][4],
                                  unsigned (&more)[ROWS][4]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < COUNT; ++i) asm volatile("" : "+f"(d[i])::"memory");
  settle(a);
  settle(more);
}

#define GTUNE_EIGHT(d, i)                                                                     \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define GTUNE_FIRST_32                                                                    \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, " \
  "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define GTUNE_NEXT_32                                                                     \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, " \
  "%49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

/// `adds`: whether D's former contents count; known at compile time.
__device__ inline void wgmma(float (&d)[32], const unsigned (&a)[4], unsigned long long b,
                             bool adds) {
  asm volatile(
      "{\n .reg .pred adds;\n setp.ne.b32 adds, %37, 0;\n"
      " wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {" GTUNE_FIRST_32
      "}, {%32, %33, %34, %35}, %36, adds, 1, 1;\n}"
      : GTUNE_EIGHT(d, 0), GTUNE_EIGHT(d, 8), GTUNE_EIGHT(d, 16), GTUNE_EIGHT(d, 24)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(adds)));
}

__device__ inline void wgmma(float (&d)[64], const unsigned (&a)[4], unsigned long long b,
                             bool adds) {
  asm volatile(
      "{\n .reg .pred adds;\n setp.ne.b32 adds, %69, 0;\n"
      " wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {" GTUNE_FIRST_32 ", " GTUNE_NEXT_32
      "}, {%64, %65, %66, %67}, %68, adds, 1, 1;\n}"
      : GTUNE_EIGHT(d, 0), GTUNE_EIGHT(d, 8), GTUNE_EIGHT(d, 16), GTUNE_EIGHT(d, 24),
        GTUNE_EIGHT(d, 32), GTUNE_EIGHT(d, 40), GTUNE_EIGHT(d, 48), GTUNE_EIGHT(d, 56)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(adds)));
}

#undef GTUNE_EIGHT
#undef GTUNE_FIRST_32
#undef GTUNE_NEXT_32

}  // namespace ptx
