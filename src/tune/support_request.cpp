#include "tune/support_request.hpp"

#include "gpu/support_kernels.hpp"

namespace gtune {

KernelRequest support_request(const std::string& arch) {
  const KernelSource source(support_source(), "device_support.cu");
  return source.request({"gtune_fill"}, {"--split-compile=0"}, arch);
}

}  // namespace gtune
