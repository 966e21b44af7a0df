#include "gpu/driver_function.hpp"

#include <cuda_runtime_api.h>

#include "gpu/cuda_error.hpp"

namespace gtune {

void* find_driver_function(const char* name, unsigned since_cuda) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  check_cuda(cudaGetDriverEntryPointByVersion(name, &found, since_cuda, cudaEnableDefault, &result),
             "cudaGetDriverEntryPointByVersion");
  return result == cudaDriverEntryPointSuccess ? found : nullptr;
}

CUcontext current_context() {
  check_cuda(cudaFree(nullptr), "cudaFree");  // creates the context if there is none yet
  constexpr unsigned since_cuda = 4000;
  const auto get = reinterpret_cast<decltype(&cuCtxGetCurrent)>(
      find_driver_function("cuCtxGetCurrent", since_cuda));
  CUcontext context = nullptr;
  if (get == nullptr || get(&context) != CUDA_SUCCESS || context == nullptr) {
    throw CudaError(cudaErrorDeviceUninitialized, "cuCtxGetCurrent");
  }
  return context;
}

}  // namespace gtune
