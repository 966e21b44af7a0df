// A stencil with a macro kernel head, template template parameter and a requires clause.
#define STENCIL_KERNEL(B) __global__ void __launch_bounds__(B)

template <typename T>
struct Heat {
  static __device__ T apply(T a, T b, T c) { return a + b + c; }
};
template <typename T>
struct Blur {
  static __device__ T apply(T a, T b, T c) { return (a + b + c) / 3; }
};

template <int BLOCK, template <typename> class Op, typename Real = double, bool PERIODIC = false>
STENCIL_KERNEL(BLOCK)
stencil1d(Real *__restrict__ next, const Real *__restrict__ now, long n, Real dt = Real(0.1)) {
  long i = long(blockIdx.x) * BLOCK + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || i == n - 1) {
    next[i] = PERIODIC ? now[(i + 1) % n] : now[i];
  } else {
    next[i] = now[i] + dt * Op<Real>::apply(now[i - 1], now[i], now[i + 1]);
  }
}

template <int BLOCK, template <typename> class Op, typename Real>
__global__ void stencil_plain(Real *next, const Real *now, long n) {
  long i = long(blockIdx.x) * BLOCK + threadIdx.x;
  if (i > 0 && i < n - 1) next[i] = Op<Real>::apply(now[i - 1], now[i], now[i + 1]);
}

void run(double *next, const double *now, long n) {
  stencil1d<256, Heat, double, true><<<(n + 255) / 256, 256>>>(next, now, n);
  stencil_plain<128, Blur, float><<<(n + 127) / 128, 128>>>((float *)next, (const float *)now, n);
}
