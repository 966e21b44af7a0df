// In the style of llm.c: a precision chosen by macros, helpers, several versions of one kernel.
#include <assert.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <float.h>

#if defined(ENABLE_BF16)
typedef __nv_bfloat16 floatX;
#define PRECISION_MODE 2
#elif defined(ENABLE_FP16)
typedef half floatX;
#define PRECISION_MODE 1
#else
typedef float floatX;
#define PRECISION_MODE 0
#endif

#define WARP_SIZE 32U
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

__device__ inline float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2) {
    val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
  }
  return val;
}

template <class ElementType>
struct alignas(16) Packed128 {
  static constexpr const size_t size = sizeof(int4) / sizeof(ElementType);
  __device__ ElementType &operator[](int index) { return payload[index]; }
  ElementType payload[size];
};
using x128 = Packed128<floatX>;

__global__ void layernorm_forward_kernel3(floatX *__restrict__ out, float *__restrict__ mean,
                                          float *__restrict__ rstd, const floatX *__restrict__ inp,
                                          const floatX *__restrict__ weight,
                                          const floatX *__restrict__ bias, int N, int C) {
  int lane_id = threadIdx.x % WARP_SIZE;
  int warp_id = threadIdx.x / WARP_SIZE;
  int num_warps = blockDim.x / WARP_SIZE;
  int idx = blockIdx.x * num_warps + warp_id;
  if (idx >= N) {
    return;
  }
  const floatX *x = inp + idx * C;
  float sum = 0.0f;
  for (int i = lane_id; i < C; i += WARP_SIZE) {
    sum += (float)x[i];
  }
  sum = warpReduceSum(sum);
  float m = sum / C;
  if (lane_id == 0 && mean != nullptr) {
    __stcs(mean + idx, m);
  }
  sum = 0.0f;
  for (int i = lane_id; i < C; i += WARP_SIZE) {
    float diff = (float)x[i] - m;
    sum += diff * diff;
  }
  sum = warpReduceSum(sum);
  float s = rsqrtf(sum / C + 1e-5f);
  if (lane_id == 0 && rstd != nullptr) {
    __stcs(rstd + idx, s);
  }
  floatX *o = out + idx * C;
  for (int c = lane_id; c < C; c += WARP_SIZE) {
    float n = s * ((float)__ldcs(x + c) - m);
    __stcs(o + c, (floatX)(n * (float)weight[c] + (float)bias[c]));
  }
}

void layernorm_forward(floatX *out, float *mean, float *rstd, floatX *inp, const floatX *weight,
                       const floatX *bias, int B, int T, int C, cudaStream_t stream) {
  const int block_size = 256;
  const int N = B * T;
  int block_y = block_size / WARP_SIZE;
  const int grid_size = CEIL_DIV(N, block_y);
  layernorm_forward_kernel3<<<grid_size, block_size, 0, stream>>>(out, mean, rstd, inp, weight,
                                                                  bias, N, C);
}
