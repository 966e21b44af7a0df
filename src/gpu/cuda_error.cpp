#include "gpu/cuda_error.hpp"

namespace gtune {

CudaError::CudaError(cudaError_t code, const std::string& what)
    : std::runtime_error(what + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) +
                         ")"),
      m_code(code) {}

bool CudaError::poisons_context() const {
  switch (m_code) {
    case cudaErrorIllegalAddress:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
    case cudaErrorContained:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

void check_cuda(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // a non-sticky error must not be reported again by the next call
  throw CudaError(code, what);
}

}  // namespace gtune
