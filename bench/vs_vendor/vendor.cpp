#include "vendor.hpp"

#include <cublas_v2.h>
#include <dlfcn.h>

#include <cmath>
#include <string>

#include "gpu/buffer.hpp"
#include "gpu/cuda_error.hpp"
#include "model/error.hpp"

namespace gtune::bench {
namespace {

void* open_cublas() {
  for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  for (const std::string folder :
       {"/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib"}) {
    if (void* library = dlopen((folder + "/libcublas.so").c_str(), RTLD_NOW | RTLD_LOCAL)) {
      return library;
    }
  }
  throw UserError(ExitCode::failed,
                  "cuBLAS cannot be opened: put libcublas.so on the loader's path");
}

template <typename Function>
void resolve(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function == nullptr) {
    throw UserError(ExitCode::failed, std::string("cuBLAS has no ") + symbol);
  }
}

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw UserError(ExitCode::failed,
                  std::string(what) + " failed with status " + std::to_string(status));
}

const float one = 1.0f;
const float zero = 0.0f;

}  // namespace

struct Vendor::Cublas {
  decltype(&::cublasCreate_v2) create = nullptr;
  decltype(&::cublasSetStream_v2) set_stream = nullptr;
  decltype(&::cublasSetMathMode) set_math_mode = nullptr;
  decltype(&::cublasSgemm_v2) sgemm = nullptr;
  decltype(&::cublasSgeam) sgeam = nullptr;
  decltype(&::cublasDgeam) dgeam = nullptr;
  decltype(&::cublasDgemm_v2) dgemm = nullptr;
  cublasHandle_t handle = nullptr;
};

Vendor::Vendor(const Stream& stream) : m_stream(stream), m_cublas(std::make_unique<Cublas>()) {
  void* library = open_cublas();  // never closed: it lives as long as the program
  resolve(library, "cublasCreate_v2", m_cublas->create);
  resolve(library, "cublasSetStream_v2", m_cublas->set_stream);
  resolve(library, "cublasSetMathMode", m_cublas->set_math_mode);
  resolve(library, "cublasSgemm_v2", m_cublas->sgemm);
  resolve(library, "cublasSgeam", m_cublas->sgeam);
  resolve(library, "cublasDgeam", m_cublas->dgeam);
  resolve(library, "cublasDgemm_v2", m_cublas->dgemm);
  check(m_cublas->create(&m_cublas->handle), "cublasCreate");
  check(m_cublas->set_stream(m_cublas->handle, stream.get()), "cublasSetStream");
  check(m_cublas->set_math_mode(m_cublas->handle, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
}

Vendor::~Vendor() = default;

Rival Vendor::memcpy_rival(void* out, const void* in, std::size_t bytes, bool comparable) const {
  return {"cudaMemcpyAsync",
          [this, out, in, bytes] {
            check_cuda(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice, m_stream.get()),
                       "cudaMemcpyAsync");
          },
          comparable};
}

std::vector<Rival> Vendor::copy_rivals(const Problem& problem, const Buffers& buffers) const {
  const auto bytes = static_cast<std::size_t>(problem.find("bytes").value());
  auto* out = static_cast<char*>(buffers("out")) + problem.find("out_offset").value();
  const auto* in = static_cast<const char*>(buffers("in")) + problem.find("in_offset").value();
  constexpr std::int64_t copy = 0, write = 2;
  if (problem.find("mode") == copy) return {memcpy_rival(out, in, bytes, true)};
  if (problem.find("mode") != write) return {};  // nothing of the vendor's only reads
  return {{"cudaMemsetAsync", [this, out, bytes] {
             check_cuda(cudaMemsetAsync(out, 0xa5, bytes, m_stream.get()), "cudaMemsetAsync");
           }}};
}

std::vector<Rival> Vendor::sgemm_rivals(const Problem& problem, const Buffers& buffers) const {
  const auto size = [&](const char* name) { return static_cast<int>(problem.find(name).value()); };
  const auto size_or = [&](const char* name, int dense) {
    return static_cast<int>(problem.find(name).value_or(dense));
  };
  // Row-major C = A B is column-major C' = B' A'.
  const int m = size("M"), n = size("N"), k = size("K");
  const int lda = size_or("LDA", k), ldb = size_or("LDB", n), ldc = size_or("LDC", n);
  const cublasOperation_t op_a = size_or("TA", 0) != 0 ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasOperation_t op_b = size_or("TB", 0) != 0 ? CUBLAS_OP_T : CUBLAS_OP_N;
  const auto* a = static_cast<const float*>(buffers("A"));
  const auto* b = static_cast<const float*>(buffers("B"));
  auto* c = static_cast<float*>(buffers("C"));
  return {{"cublasSgemm", [=, this] {
             check(m_cublas->sgemm(m_cublas->handle, op_b, op_a, n, m, k, &one, b, ldb, a, lda,
                                   &zero, c, ldc),
                   "cublasSgemm");
           }}};
}

std::vector<Rival> Vendor::transpose_rivals(const Problem& problem, const Buffers& buffers) const {
  const auto size = [&](const char* name) { return static_cast<int>(problem.find(name).value()); };
  const int rows = size("rows"), cols = size("cols"), element = size("element");
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  const void* in = buffers("in");
  void* out = buffers("out");
  std::vector<Rival> rivals = {
      memcpy_rival(out, in, count * static_cast<std::size_t>(element), false)};
  // geam adds 1 * in to 0 * out: bits that are a NaN may come out as another.
  if (element == 4) {
    rivals.push_back(
        {"cublasSgeam",
         [=, this, from = static_cast<const float*>(in), to = static_cast<float*>(out)] {
           check(m_cublas->sgeam(m_cublas->handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, from,
                                 cols, &zero, to, rows, to, rows),
                 "cublasSgeam");
         },
         false});
  }
  if (element == 8) {
    static const double one_in_double = 1, zero_in_double = 0;
    rivals.push_back(
        {"cublasDgeam",
         [=, this, from = static_cast<const double*>(in), to = static_cast<double*>(out)] {
           check(m_cublas->dgeam(m_cublas->handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols,
                                 &one_in_double, from, cols, &zero_in_double, to, rows, to, rows),
                 "cublasDgeam");
         },
         false});
  }
  return rivals;
}

std::vector<Rival> Vendor::rivals(const std::string& kernel, const Problem& problem,
                                  const Buffers& buffers) const {
  if (kernel == "copy") return copy_rivals(problem, buffers);
  if (kernel == "sgemm" || kernel == "sgemm_tf32x3") return sgemm_rivals(problem, buffers);
  if (kernel == "transpose") return transpose_rivals(problem, buffers);
  throw UserError(ExitCode::usage,
                  "nothing of the vendor's is known to compare " + kernel + " with");
}

Product64 Vendor::product64(std::size_t m, std::size_t n, std::size_t k,
                            const std::vector<float>& a, const std::vector<float>& b) const {
  const auto on_device = [](const std::vector<double>& values) {
    DeviceBuffer buffer(values.size() * sizeof(double));
    check_cuda(cudaMemcpy(buffer.data(), values.data(), buffer.size(), cudaMemcpyHostToDevice),
               "cudaMemcpy");
    return buffer;
  };
  const DeviceBuffer c(m * n * sizeof(double));
  const auto product = [&](std::vector<double> left, std::vector<double> right) {
    const DeviceBuffer a64 = on_device(left);
    const DeviceBuffer b64 = on_device(right);
    const double scale = 1.0, keep = 0.0;
    check(m_cublas->dgemm(m_cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(n),
                          static_cast<int>(m), static_cast<int>(k), &scale,
                          reinterpret_cast<const double*>(b64.data()), static_cast<int>(n),
                          reinterpret_cast<const double*>(a64.data()), static_cast<int>(k), &keep,
                          reinterpret_cast<double*>(c.data()), static_cast<int>(n)),
          "cublasDgemm");
    check_cuda(cudaStreamSynchronize(m_stream.get()), "cublasDgemm");
    std::vector<double> out(m * n);
    check_cuda(cudaMemcpy(out.data(), c.data(), c.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return out;
  };
  const auto magnitudes = [](const std::vector<float>& values) {
    std::vector<double> out;
    for (const float value : values) out.push_back(std::abs(static_cast<double>(value)));
    return out;
  };
  return {product({a.begin(), a.end()}, {b.begin(), b.end()}),
          product(magnitudes(a), magnitudes(b))};
}

}  // namespace gtune::bench
