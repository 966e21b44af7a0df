#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace gtune {

/// A failed call of the runtime API: "cudaLaunchKernel: invalid argument (cudaErrorInvalidValue)".
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& what);
  [[nodiscard]] cudaError_t code() const { return m_code; }
  /// True if no further call can succeed in this process: the context is lost.
  [[nodiscard]] bool poisons_context() const;

 private:
  cudaError_t m_code;
};

/// Throws CudaError unless `code` is cudaSuccess.
void check_cuda(cudaError_t code, const char* what);

}  // namespace gtune
