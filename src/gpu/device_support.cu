// The worker's own kernels: they fill buffers, compare results, flush the L2 cache and measure the
// device's limits. NVRTC compiles this text, like any other kernel, after that of element_steps.inc.

typedef unsigned char u8;
typedef unsigned int u32;

// Must match gtune::ElementType.
enum Type { F16, BF16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64 };

static __device__ u64 first_thread() { return blockIdx.x * (u64)blockDim.x + threadIdx.x; }
static __device__ u64 all_threads() { return gridDim.x * (u64)blockDim.x; }

// Converts 16-bit floats by hand: cuda_fp16.h would double the compile time.
static __device__ float from_half(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
static __device__ unsigned short to_half(float value) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
static __device__ float from_bfloat(unsigned short bits) { return __uint_as_float((u32)bits << 16); }
static __device__ unsigned short to_bfloat(float value) {
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

static __device__ double load(const void* p, int type, u64 i) {
  switch (type) {
    case F16: return from_half(((const unsigned short*)p)[i]);
    case BF16: return from_bfloat(((const unsigned short*)p)[i]);
    case F32: return ((const float*)p)[i];
    default: return ((const double*)p)[i];
  }
}

// The range [low, end) of an integer type.
struct Range {
  double low, end;
};

static __device__ Range range_of(int type) {
  const int bytes = type < I16 ? 1 : type < I32 ? 2 : type < I64 ? 4 : 8;
  const bool is_unsigned = (type - I8) % 2 == 1;
  const double end = exp2((double)(8 * bytes - (is_unsigned ? 0 : 1)));
  return {is_unsigned ? 0 : -end, end};
}

// The nearest whole number that the type has.
static __device__ double saturated(double value, int type) {
  const Range range = range_of(type);
  return fmin(fmax(value, range.low), fmin(range.end - 1, range.end * (1 - 0x1p-53)));
}

static __device__ void store(void* p, int type, u64 i, double value) {
  switch (type) {
    case F16: ((unsigned short*)p)[i] = to_half((float)value); return;
    case BF16: ((unsigned short*)p)[i] = to_bfloat((float)value); return;
    case F32: ((float*)p)[i] = (float)value; return;
    case F64: ((double*)p)[i] = value; return;
    case I8: case U8: ((u8*)p)[i] = (u8)(long long)value; return;
    case I16: case U16: ((unsigned short*)p)[i] = (unsigned short)(long long)value; return;
    case I32: case U32: ((u32*)p)[i] = (u32)(long long)value; return;
    case I64: ((long long*)p)[i] = (long long)value; return;
    default: ((u64*)p)[i] = (u64)value; return;
  }
}

// Uniform in [0, 1).
static __device__ double unit_at(u64 i, u64 seed) {
  return (double)(mix(seed ^ mix(i)) >> 11) * 0x1p-53;
}

static __device__ double normal_at(u64 i, u64 seed) {  // Box and Muller 1958
  const double radius = sqrt(-2 * log(1 - unit_at(2 * i, seed)));
  return radius * cospi(2 * unit_at(2 * i + 1, seed));
}

// The image of i in a permutation of [0, count): a Feistel network over the next power of four,
// repeated until the value is within the range (Black and Rogaway 2002).
static __device__ u64 permuted(u64 i, u64 count, u64 seed) {
  int half = 1;
  while (half < 32 && (1ull << 2 * half) < count) ++half;
  const u64 mask = (1ull << half) - 1;
  do {
    u64 left = i >> half, right = i & mask;
    for (int round = 0; round < 4; ++round) {
      const u64 next = left ^ (mix(seed ^ mix(right * 4 + round)) & mask);
      left = right;
      right = next;
    }
    i = left << half | right;
  } while (i >= count);
  return i;
}

// The i-th of count ascending offsets from 0 to total: rows have up to twice the mean length.
static __device__ double offset_at(u64 i, u64 count, double total, u64 seed) {
  if (i == 0) return 0;
  if (i + 1 >= count) return total;
  return floor(total * ((double)i - unit_at(i, seed)) / (double)(count - 1));
}

// Must match gtune::FillKind.
enum FillKind { UNIFORM, CONSTANT, IOTA, NORMAL, PERMUTATION, OFFSETS };

extern "C" __global__ void gtune_fill(void* p, int type, u64 count, int kind, double low,
                                      double high, u64 seed) {
  const bool whole = type >= I8;
  for (u64 i = first_thread(); i < count; i += all_threads()) {
    double value = low;
    if (kind == UNIFORM) {
      value = low + unit_at(i, seed) * (high - low);
    } else if (kind == IOTA) {
      value = low + (double)i;
    } else if (kind == NORMAL) {
      value = low + normal_at(i, seed) * high;
    } else if (kind == PERMUTATION) {
      value = (double)permuted(i, count, seed);
    } else if (kind == OFFSETS) {
      value = offset_at(i, count, high, seed);
    }
    if (whole) value = floor(value);
    if (whole && kind == NORMAL) value = saturated(value, type);
    store(p, type, i, value);
  }
}

static __device__ bool fits(Value value, int type) {
  if (value.failed || isnan(value.real)) return false;
  if (type < I8) return true;
  const Range range = range_of(type);
  return value.real >= range.low && value.real < range.end;
}

// Compiled once, not inlined into each of its callers: a cold run waits for this compile.
static __noinline__ __device__ Value element_at(const Step* steps, int step_count, u64 index,
                                                u64 seed) {
  return value_at(steps, step_count, index, seed);
}

struct Comparison;
static __device__ void note(Comparison* result, u64 index, double error);

// Fills by an expression of the index. Notes elements for which it has no value that fits the type.
extern "C" __global__ void gtune_fill_each(void* p, int type, u64 count, const Step* steps,
                                           int step_count, u64 seed, Comparison* result) {
  for (u64 i = first_thread(); i < count; i += all_threads()) {
    const Value value = element_at(steps, step_count, i, seed);
    if (!fits(value, type)) note(result, i, 1.0 / 0.0);
    const bool whole = type >= I8 && !steps[step_count - 1].real;
    if (whole && type >= I64) {
      ((long long*)p)[i] = value.integer;
    } else {
      store(p, type, i, value.real);
    }
  }
}

// An element is compared unless there is an expression of its index that is 0.
static __device__ bool is_compared(const Step* steps, int step_count, u64 i) {
  if (step_count == 0) return true;
  const Value value = element_at(steps, step_count, i, 0);
  return value.failed || value.real != 0;
}

// Poisons integers, which have no NaN: `out` then differs from the correct result everywhere.
extern "C" __global__ void gtune_invert(u8* out, const u8* in, u64 bytes) {
  for (u64 i = first_thread(); i < bytes; i += all_threads()) out[i] = (u8)~in[i];
}

static __device__ double block_sum(double value) {
  __shared__ double partial[32];
  for (int lane = 16; lane; lane >>= 1) value += __shfl_down_sync(~0u, value, lane);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
  if (threadIdx.x < 32) {
    for (int lane = 16; lane; lane >>= 1) value += __shfl_down_sync(~0u, value, lane);
  }
  return value;
}

// Adds the squares of the finite elements to *sum.
extern "C" __global__ void gtune_sum_squares(const void* p, int type, u64 count, double* sum) {
  double mine = 0;
  for (u64 i = first_thread(); i < count; i += all_threads()) {
    const double value = load(p, type, i);
    if (isfinite(value)) mine += value * value;
  }
  mine = block_sum(mine);
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

struct Comparison {
  u64 mismatches;
  u64 first_index;   // of a mismatch; starts at ~0
  u64 max_error_bits;  // bits of the largest |out - reference| / tolerance; NaN counts as inf
};

// |out - ref| / (rtol * max(|ref|, rms) + atol); at most 1 is correct. NaN is an infinite error,
// unless both are NaN.
static __device__ double relative_error(double out, double ref, double rtol, double atol,
                                        double rms) {
  if (isnan(ref)) return isnan(out) ? 0 : 1.0 / 0.0;
  if (out == ref) return 0;  // infinities of the same sign included
  const double allowed = rtol * fmax(fabs(ref), rms) + atol;
  const double ratio = fabs(out - ref) / allowed;
  return isnan(ratio) ? 1.0 / 0.0 : ratio;
}

static __device__ void note(Comparison* result, u64 index, double error) {
  if (!(error <= 1)) {
    atomicAdd(&result->mismatches, 1ull);
    atomicMin(&result->first_index, index);
  }
}

extern "C" __global__ void gtune_compare_floats(const void* out, const void* ref, int type,
                                                u64 count, double rtol, double atol, double rms,
                                                const Step* steps, int step_count,
                                                Comparison* result) {
  double worst = 0;
  for (u64 i = first_thread(); i < count; i += all_threads()) {
    const double error = relative_error(load(out, type, i), load(ref, type, i), rtol, atol, rms);
    if (error == 0 || !is_compared(steps, step_count, i)) continue;
    note(result, i, error);
    worst = fmax(worst, error);
  }
  // Bits of non-negative doubles are ordered like the doubles.
  for (int lane = 16; lane; lane >>= 1) worst = fmax(worst, __shfl_down_sync(~0u, worst, lane));
  if (threadIdx.x % 32 == 0) {
    atomicMax(&result->max_error_bits, (u64)__double_as_longlong(worst));
  }
}

// Compares elements of `size` bytes byte for byte.
extern "C" __global__ void gtune_compare_exactly(const u8* out, const u8* ref, u64 count, int size,
                                                 const Step* steps, int step_count,
                                                 Comparison* result) {
  for (u64 i = first_thread(); i < count; i += all_threads()) {
    bool same = true;
    for (u64 byte = i * size; byte < (i + 1) * size; ++byte) same = same && out[byte] == ref[byte];
    if (!same && is_compared(steps, step_count, i)) note(result, i, 1.0 / 0.0);
  }
}

// Checks a guard zone: every byte must still be `value`.
extern "C" __global__ void gtune_check_guard(const u8* zone, u64 bytes, u32 value,
                                             Comparison* result) {
  for (u64 i = first_thread(); i < bytes; i += all_threads()) {
    if (zone[i] != (u8)value) note(result, i, 1.0 / 0.0);
  }
}

// Order-independent checksum over 4-byte words and the remaining bytes.
extern "C" __global__ void gtune_checksum(const u8* p, u64 bytes, u64* sum) {
  u64 mine = 0;
  const u64 words = bytes / 4;
  for (u64 i = first_thread(); i < words; i += all_threads()) {
    mine += mix((i << 32) ^ ((const u32*)p)[i]);
  }
  for (u64 i = words * 4 + first_thread(); i < bytes; i += all_threads()) {
    mine += mix((i << 32) ^ p[i]);
  }
  for (int lane = 16; lane; lane >>= 1) mine += __shfl_down_sync(~0u, mine, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

// Evicts L2 by reading a larger buffer. A memset would leave dirty lines, whose write-back would
// fall into the next kernel's time.
extern "C" __global__ void gtune_flush(const float4* p, u64 count, float* sink) {
  float sum = 0;
  for (u64 i = first_thread(); i < count; i += all_threads()) {
    const float4 v = p[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 1.2345e30f) *sink = sum;  // never true, but the compiler cannot know
}

// Independent FMA chains in registers: 2 * 16 * 64 * iterations operations per thread.
extern "C" __global__ void __launch_bounds__(256)
    gtune_fma_peak(float* sink, int iterations, float a, float b) {
  float sum[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) sum[i] = (float)(threadIdx.x + i);
#pragma unroll 1
  for (int n = 0; n < iterations; ++n) {
#pragma unroll
    for (int step = 0; step < 64; ++step) {
#pragma unroll
      for (int i = 0; i < 16; ++i) sum[i] = fmaf(sum[i], a, b);
    }
  }
  float total = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) total += sum[i];
  if (total == 1.2345e30f) *sink = total;
}

// Every block does 2^21 operations per iteration, on the unit that multiplies fastest.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
// Products of 64 x 8 by 8 x 128 of a warpgroup; operands as in kernels/wgmma.cuh. mma.sync reaches
// about 60 % of the speed of wgmma.
static __device__ void multiply(float (&sum)[64], u32 a, u64 b) {
#define EIGHT(i)                                                                           \
  "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]),    \
      "+f"(sum[i + 5]), "+f"(sum[i + 6]), "+f"(sum[i + 7])
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, "
      "%9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, "
      "%27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, "
      "%45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, "
      "%63}, {%64, %64, %64, %64}, %65, 1, 1, 1;"
      : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)
      : "r"(a), "l"(b));
#undef EIGHT
}

extern "C" __global__ void __launch_bounds__(256)
    gtune_tensor_peak(float* sink, int iterations, float a, float b) {
  __shared__ alignas(1024) float tile[128 * 32];  // 128 columns, 32 deep
  for (int i = threadIdx.x; i < 128 * 32; i += 256) tile[i] = b;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  // A swizzle of 128 bytes, eight columns every 1024 bytes, an address in units of 16 bytes.
  const u64 operand = 1ull << 62 | 64ull << 32 | 1ull << 16 | __cvta_generic_to_shared(tile) >> 4;
  float sum[64] = {};
#pragma unroll 1
  for (int n = 0; n < iterations; ++n) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int step = 0; step < 8; ++step) {
      multiply(sum, __float_as_uint(a), operand + 2 * (step % 4));
    }
    asm volatile("wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("" : "+f"(sum[i])::"memory");
  }
  float total = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) total += sum[i];
  if (total == 1.2345e30f) *sink = total;
}
#elif __CUDA_ARCH__ >= 800
// Products of 16 x 8 by 8 x 8 of a warp.
extern "C" __global__ void __launch_bounds__(256)
    gtune_tensor_peak(float* sink, int iterations, float a, float b) {
  const u32 left = __float_as_uint(a), right = __float_as_uint(b);
  float sum[8][4] = {};
#pragma unroll 1
  for (int n = 0; n < iterations; ++n) {
#pragma unroll
    for (int i = 0; i < 128; ++i) {
      float (&d)[4] = sum[i % 8];
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
          "{%5, %5}, {%0, %1, %2, %3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(left), "r"(right));
    }
  }
  float total = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) total += sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
  if (total == 1.2345e30f) *sink = total;
}
#endif

static __device__ uint4 load_from_l1(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v;
}
static __device__ uint4 load_from_l2(const uint4* from) {  // bypasses L1
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v;
}

// Each thread loads `loads` times, `step` elements further each time, from a ring of mask + 1
// elements, a power of two. The compiler knows neither number, so it cannot leave out a load.
template <uint4 (*LOAD)(const uint4*)>
static __device__ void read_again(const uint4* ring, u32 at, u32 mask, u32 step, int loads,
                                  u32* sink) {
  asm volatile("" : "+l"(ring));  // computed once, not for each load
  u32 sum = 0, more = 0;
#pragma unroll 1
  for (int n = 0; n < loads; n += 8) {
    uint4 v[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      v[i] = LOAD(ring + (at & mask));
      at += step;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      sum ^= v[i].x ^ v[i].y;
      more ^= v[i].z ^ v[i].w;
    }
  }
  if (sum == 0x12345678 && more == sum) *sink = sum;
}

// The blocks together read one ring, which L2 holds.
extern "C" __global__ void __launch_bounds__(1024)
    gtune_read_l2(const uint4* data, u32 mask, u32 step, int loads, u32* sink) {
  read_again<load_from_l2>(data, (u32)first_thread(), mask, step, loads, sink);
}

// Every block reads a ring of its own, which L1 holds.
extern "C" __global__ void __launch_bounds__(1024)
    gtune_read_l1(const uint4* data, u32 mask, u32 step, int loads, u32* sink) {
  read_again<load_from_l1>(data + blockIdx.x * (u64)(mask + 1), threadIdx.x, mask, step, loads,
                           sink);
}
