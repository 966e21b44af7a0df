#include "gpu/module.hpp"

#include "gpu/cuda_error.hpp"

namespace gtune {
namespace {

constexpr std::int64_t shared_without_opt_in = 48 * 1024;

dim3 to_dim3(const std::array<std::int64_t, 3>& extents) {
  return dim3(static_cast<unsigned>(extents[0]), static_cast<unsigned>(extents[1]),
              static_cast<unsigned>(extents[2]));
}

}  // namespace

Module::Module(std::span<const std::byte> cubin) {
  check_cuda(
      cudaLibraryLoadData(&m_library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      "cudaLibraryLoadData");
}

Module::~Module() { cudaLibraryUnload(m_library); }

cudaKernel_t Module::kernel(const std::string& name) const {
  cudaKernel_t kernel = nullptr;
  check_cuda(cudaLibraryGetKernel(&kernel, m_library, name.c_str()), "cudaLibraryGetKernel");
  return kernel;
}

void allow_shared_memory(cudaKernel_t kernel, std::int64_t bytes) {
  if (bytes <= shared_without_opt_in) return;
  check_cuda(
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
      "cudaFuncSetAttribute");
}

void launch(cudaKernel_t kernel, const LaunchPlan& plan, void** arguments, const Stream& stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = to_dim3(plan.grid);
  config.blockDim = to_dim3(plan.block);
  config.dynamicSmemBytes = static_cast<std::size_t>(plan.shared_bytes);
  config.stream = stream.get();
  check_cuda(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), arguments),
             "launch");
}

}  // namespace gtune
