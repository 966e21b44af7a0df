// Kernels behind #ifdef __CUDACC__, for host compilers that read the same file.
#ifndef SAXPY_CU
#define SAXPY_CU
#ifdef __cplusplus
extern "C" {
#endif
#if defined(__CUDACC__) || defined(__HIPCC__)
#define HD __host__ __device__
#define KERNEL __global__
#else
#define HD
#define KERNEL
#endif

#ifdef USE_DOUBLE
typedef double real_t;
#else
typedef float real_t;
#endif

struct view {
  real_t *data;
  unsigned long long size;
  int stride;
};

HD static inline real_t madd(real_t a, real_t b, real_t c) { return a * b + c; }

#ifdef __CUDACC__
__global__ void
#if __CUDA_ARCH__ >= 800
__launch_bounds__(512)
#else
__launch_bounds__(256)
#endif
    saxpy_strided(struct view x, struct view y, real_t alpha
#ifdef WITH_MASK
                  ,
                  const unsigned char *mask
#endif
    ) {
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.size) {
#ifdef WITH_MASK
    if (mask[i]) {
#else
    {
#endif
      y.data[i * y.stride] = madd(alpha, x.data[i * x.stride], y.data[i * y.stride]);
    }
  }
}
#endif
#ifdef __cplusplus
}
#endif
#endif
