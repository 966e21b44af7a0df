#include "gpu/peer.hpp"

#include <cuda_runtime_api.h>

#include "gpu/cuda_error.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

int current_device() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

/// Gives the current device access to the peer's memory; once is enough.
void open_access(int peer) {
  const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
  if (error == cudaErrorPeerAccessAlreadyEnabled) {
    static_cast<void>(cudaGetLastError());
    return;
  }
  check_cuda(error, "cudaDeviceEnablePeerAccess");
}

int find_peer(int own) {
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  for (int step = 1; step < count; ++step) {
    const int other = (own + step) % count;
    int accessible = 0;
    check_cuda(cudaDeviceCanAccessPeer(&accessible, own, other), "cudaDeviceCanAccessPeer");
    if (accessible != 0) return other;
  }
  throw UserError(ExitCode::failed,
                  "peer memory needs a second GPU in this machine whose memory GPU " +
                      std::to_string(own) + " can access");
}

/// Makes another device current, and the former one again at the end.
class OnDevice {
 public:
  explicit OnDevice(int device) : m_before(current_device()) {
    check_cuda(cudaSetDevice(device), "cudaSetDevice");
  }
  ~OnDevice() { cudaSetDevice(m_before); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int m_before;
};

}  // namespace

void* allocate_on_peer(std::size_t bytes) {
  const int peer = find_peer(current_device());
  open_access(peer);
  const OnDevice on_peer(peer);
  void* data = nullptr;
  if (cudaMalloc(&data, bytes) == cudaSuccess) return data;
  static_cast<void>(cudaGetLastError());
  return nullptr;
}

}  // namespace gtune
