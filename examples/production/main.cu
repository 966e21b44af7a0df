// Multiplies matrices of the sizes given (MxNxK ...), checks each product against a plain kernel
// and prints the speed: production_sgemm [--csv] [--unaligned] [MxNxK ...]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "sgemm_dispatch.hpp"
#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif

namespace {

struct Shape {
  int M;
  int N;
  int K;
};

// Squares, skinny, deep, and layers of language models; none a power of two.
constexpr Shape default_shapes[] = {{1100, 1100, 1100}, {1600, 1600, 1600}, {3000, 3000, 3000},
                                    {5000, 5000, 5000}, {6000, 6000, 6000}, {7000, 96, 3000},
                                    {96, 7000, 3000},   {300, 300, 20000},  {48, 4608, 4608},
                                    {160, 6144, 5120},  {720, 11008, 4096}, {1800, 5120, 13824}};

constexpr int samples = 21;

struct Options {
  bool csv = false;
  bool unaligned = false;  // matrices begin a float behind an aligned address
};

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

template <typename T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) {
    require(cudaMalloc(&m_data, std::max<std::size_t>(count, 1) * sizeof(T)), "memory");
  }
  ~Buffer() { cudaFree(m_data); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* get() const { return m_data; }

 private:
  T* m_data = nullptr;
};

/// Values between -1 and 1 that repeat.
__global__ void fill(float* to, std::size_t count, unsigned seed) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
    x = (x ^ (x >> 15)) * 2246822519u;
    to[i] = static_cast<float>((x ^ (x >> 13)) >> 8) * 0x1p-23f - 1.0f;
  }
}

/// The largest difference to a product in double precision. NaN counts as infinite.
__global__ void compare(Product product, unsigned* worst) {
  const long long count = static_cast<long long>(product.M) * product.N;
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    const long long row = i / product.N;
    double sum = 0;
    for (int k = 0; k < product.K; ++k) {
      sum += double{product.A[row * product.K + k]} *
             product.B[static_cast<long long>(k) * product.N + i % product.N];
    }
    float off = fabsf(static_cast<float>(product.C[i] - sum));
    if (!(off < INFINITY)) off = INFINITY;
    atomicMax(worst, __float_as_uint(off));  // floats above zero sort as their bits
  }
}

float error_of(const Product& product) {
  const Buffer<unsigned> worst(1);
  require(cudaMemset(worst.get(), 0, sizeof(unsigned)), "memory");
  compare<<<2048, 256>>>(product, worst.get());
  float off = 0;
  require(cudaMemcpy(&off, worst.get(), sizeof off, cudaMemcpyDeviceToHost), "the check");
  return off;
}

/// Reads all of a buffer larger than the L2 cache. A memset would leave lines behind that are
/// written back in the time of the next kernel.
__global__ void read_all(const float4* from, std::size_t count, float* sink) {
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    sum += from[i].x + from[i].y + from[i].z + from[i].w;
  }
  if (sum == 1.2345e30f) *sink = sum;  // never, but the compiler cannot know
}

/// Median milliseconds of a launch with a cold L2 cache.
template <class Launch>
float time_of(Launch launch) {
  int l2_bytes = 0;
  require(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), "the device");
  const std::size_t words = std::size_t{2} * static_cast<std::size_t>(l2_bytes) / sizeof(float4);
  const Buffer<float4> flush(words);
  require(cudaMemset(flush.get(), 0, words * sizeof(float4)), "memory");
  cudaEvent_t begin;
  cudaEvent_t end;
  require(cudaEventCreate(&begin), "an event");
  require(cudaEventCreate(&end), "an event");
  std::vector<float> times;
  for (int i = 0; i < samples; ++i) {
    read_all<<<1024, 256>>>(flush.get(), words, &flush.get()->x);
    require(cudaEventRecord(begin), "an event");
    launch();
    require(cudaEventRecord(end), "an event");
    require(cudaEventSynchronize(end), "the kernel");
    float ms = 0;
    require(cudaEventElapsedTime(&ms, begin, end), "an event");
    times.push_back(ms);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::nth_element(times.begin(), times.begin() + samples / 2, times.end());
  return times[samples / 2];
}

#ifdef WITH_CUBLAS
float cublas_time(const Product& product) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    if (cublasCreate(&made) != CUBLAS_STATUS_SUCCESS) {
      std::fprintf(stderr, "cuBLAS did not start\n");
      std::exit(3);
    }
    return made;
  }();
  const float one = 1;
  const float zero = 0;
  return time_of([&] {  // column-major: the product the other way round
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, product.N, product.M, product.K, &one, product.B,
                product.N, product.A, product.K, &zero, product.C, product.N);
  });
}
#endif

/// False where the product is wrong, or there is no variant for it.
bool run(const Shape& shape, const gtune_sgemm::Device& device, const Options& options) {
  const auto count = [](int a, int b) { return static_cast<std::size_t>(a) * b; };
  const std::size_t offset = options.unaligned ? 1 : 0;
  const Buffer<float> a(count(shape.M, shape.K) + offset);
  const Buffer<float> b(count(shape.K, shape.N) + offset);
  const Buffer<float> c(count(shape.M, shape.N) + offset);
  const Product product{shape.M,          shape.N,          shape.K,
                        a.get() + offset, b.get() + offset, c.get() + offset};
  fill<<<1024, 256>>>(a.get(), count(shape.M, shape.K) + offset, 1);
  fill<<<1024, 256>>>(b.get(), count(shape.K, shape.N) + offset, 2);
  fill<<<1024, 256>>>(c.get(), count(shape.M, shape.N) + offset, 3);

  const gtune_sgemm::Selection chosen =
      gtune_sgemm::select(device, gtune_sgemm::problem(shape.M, shape.N, shape.K));
  if (chosen.variant < 0) {
    std::fprintf(stderr, "%dx%dx%d: no variant\n", shape.M, shape.N, shape.K);
    return false;
  }
  const auto ints = static_cast<std::size_t>(arrivals_needed(product, chosen, device));
  const Buffer<int> arrivals(ints);
  require(cudaMemset(arrivals.get(), 0, ints * sizeof(int)), "memory");
  const auto launch = [&] {
    require(sgemm_with(chosen, device, product, arrivals.get(), nullptr), "sgemm");
  };
  launch();
  const float off = error_of(product);
  // Of a sum of K products, each rounding is of its size so far: errors grow with K. A product that
  // is left out is off by a tenth or so.
  const bool right = off <= 4e-7f * static_cast<float>(shape.K);
  const float ms = time_of(launch);
  const double flops = 2.0 * shape.M * shape.N * shape.K;
  const char* form = options.csv
                         ? "%d,%d,%d,%d,%.5f,%.1f,%.3g,%s"
                         : "%6d x %6d x %6d  variant %d  %9.4f ms  %8.1f GFLOP/s  error %.2g  %s";
  std::printf(form, shape.M, shape.N, shape.K, chosen.variant, ms, flops / (ms * 1e6), off,
              right ? "right" : "WRONG");
#ifdef WITH_CUBLAS
  const float cublas_ms = cublas_time(product);
  std::printf(options.csv ? ",%.5f,%.1f" : "  cuBLAS %9.4f ms  %8.1f GFLOP/s", cublas_ms,
              flops / (cublas_ms * 1e6));
#endif
  std::printf("\n");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::vector<Shape> shapes;
  for (int i = 1; i < argc; ++i) {
    Shape shape{};
    int used = 0;
    if (std::strcmp(argv[i], "--csv") == 0) {
      options.csv = true;
    } else if (std::strcmp(argv[i], "--unaligned") == 0) {
      options.unaligned = true;
    } else if (std::sscanf(argv[i], "%dx%dx%d%n", &shape.M, &shape.N, &shape.K, &used) == 3 &&
               argv[i][used] == 0 && shape.M > 0 && shape.N > 0 && shape.K > 0) {
      shapes.push_back(shape);
    } else {
      std::fprintf(stderr, "%s: expected --csv, --unaligned or a size such as 4096x4096x512\n",
                   argv[i]);
      return 2;
    }
  }
  if (shapes.empty()) shapes.assign(std::begin(default_shapes), std::end(default_shapes));
  int devices = 0;
  require(cudaGetDeviceCount(&devices), "no device");
  const gtune_sgemm::Device device = current_device();
  if (options.csv) {
    std::printf("M,N,K,variant,ms,gflops,error,check%s\n",
#ifdef WITH_CUBLAS
                ",cublas_ms,cublas_gflops"
#else
                ""
#endif
    );
  }
  bool all_right = true;
  for (const Shape& shape : shapes) all_right = run(shape, device, options) && all_right;
  return all_right ? 0 : 1;
}
