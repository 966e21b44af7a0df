#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/stream.hpp"
#include "model/named_values.hpp"

namespace gtune::bench {

/// What a user would call instead of a kernel of ours.
struct Rival {
  std::string name;
  std::function<void()> launch;  // queues one run on the stream
  bool comparable = true;        // its output is the kernel's, to be checked; not so for a memcpy
};

/// Device pointers of the kernel's buffers, by the argument's name.
using Buffers = std::function<void*(const std::string& name)>;

/// A product C = A B in float64, row-major.
struct Product64 {
  std::vector<double> sums;
  std::vector<double> magnitudes;  // |A| |B|
};

/// cuBLAS, opened at run time, and cudaMemcpyAsync.
class Vendor {
 public:
  /// Throws UserError where cuBLAS cannot be opened.
  explicit Vendor(const Stream& stream);
  ~Vendor();
  Vendor(const Vendor&) = delete;
  Vendor& operator=(const Vendor&) = delete;

  /// sgemm, sgemm_tf32x3: cublasSgemm in FP32 (CUBLAS_PEDANTIC_MATH: no TF32). transpose: a copy of
  /// as many bytes, and for elements of 4 and 8 bytes cublasSgeam and cublasDgeam. copy:
  /// cudaMemcpyAsync, for writing cudaMemsetAsync. Throws UserError for other kernels.
  [[nodiscard]] std::vector<Rival> rivals(const std::string& kernel, const Problem& problem,
                                          const Buffers& buffers) const;

  /// cublasDgemm. `a` is m x k, `b` k x n.
  [[nodiscard]] Product64 product64(std::size_t m, std::size_t n, std::size_t k,
                                    const std::vector<float>& a, const std::vector<float>& b) const;

 private:
  struct Cublas;
  [[nodiscard]] Rival memcpy_rival(void* out, const void* in, std::size_t bytes,
                                   bool comparable) const;
  [[nodiscard]] std::vector<Rival> copy_rivals(const Problem& problem,
                                               const Buffers& buffers) const;
  [[nodiscard]] std::vector<Rival> sgemm_rivals(const Problem& problem,
                                                const Buffers& buffers) const;
  [[nodiscard]] std::vector<Rival> transpose_rivals(const Problem& problem,
                                                    const Buffers& buffers) const;

  const Stream& m_stream;
  std::unique_ptr<Cublas> m_cublas;
};

}  // namespace gtune::bench
