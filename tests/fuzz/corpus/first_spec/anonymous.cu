// Kernels in anonymous namespaces; macros that generate kernels; extern "C" blocks.
#include <cstdint>

namespace {

constexpr int kThreads = 256;
constexpr int kItems{4};

template <typename T, int ITEMS = kItems>
__global__ void __launch_bounds__(kThreads, (ITEMS > 2) ? 2 : 4)
    axpy_kernel(const int64_t numel, const T alpha, const T *__restrict__ x, T *__restrict__ y) {
  int64_t begin = static_cast<int64_t>(blockIdx.x) * kThreads * ITEMS + threadIdx.x;
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    const int64_t at = begin + i * kThreads;
    if (at < numel) y[at] += alpha * x[at];
  }
}

}  // namespace

#define UNARY_KERNEL(name, expression)                                           \
  extern "C" __global__ void name##_kernel(const float *in, float *out, int n) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                               \
    if (i < n) {                                                                 \
      float x = in[i];                                                           \
      out[i] = (expression);                                                     \
    }                                                                            \
  }

UNARY_KERNEL(exp, expf(x))
UNARY_KERNEL(relu, x > 0 ? x : 0)
