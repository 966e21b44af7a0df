#include "gpu/module.hpp"

#include <array>

#include "gpu/cuda_error.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

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
  // Loads the code now: otherwise the first launch would load it, between its two events.
  cudaFuncAttributes loaded{};
  check_cuda(cudaFuncGetAttributes(&loaded, reinterpret_cast<const void*>(kernel)),
             "cudaFuncGetAttributes");
  return kernel;
}

void prepare_for(cudaKernel_t kernel, const LaunchPlan& plan) {
  const auto set = [&](cudaFuncAttribute attribute, std::int64_t value) {
    check_cuda(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute,
                                    static_cast<int>(value)),
               "cudaFuncSetAttribute");
  };
  if (plan.shared_bytes > shared_without_opt_in) {
    set(cudaFuncAttributeMaxDynamicSharedMemorySize, plan.shared_bytes);
  }
  if (plan.carveout >= 0) set(cudaFuncAttributePreferredSharedMemoryCarveout, plan.carveout);
  if (plan.blocks_per_cluster() > portable_cluster_blocks) {
    set(cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  }
}

void Module::set_symbol(const std::string& name, const std::byte* from, std::size_t bytes) const {
  void* to = nullptr;
  std::size_t size = 0;
  if (cudaLibraryGetGlobal(&to, &size, m_library, name.c_str()) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    throw UserError(ExitCode::failed, "the kernel's code has no variable '" + name +
                                          "' (one that is not used is left out; one of a "
                                          "namespace has another name)");
  }
  if (size < bytes) {
    throw UserError(ExitCode::failed, "the variable '" + name + "' has " + std::to_string(size) +
                                          " bytes, its buffer " + std::to_string(bytes));
  }
  check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
}

namespace {

/// The attributes that distinguish a launch from an ordinary one.
class LaunchAttributes {
 public:
  explicit LaunchAttributes(const LaunchPlan& plan) {
    if (plan.cooperative) add(cudaLaunchAttributeCooperative).cooperative = 1;
    if (plan.programmatic) {
      add(cudaLaunchAttributeProgrammaticStreamSerialization)
          .programmaticStreamSerializationAllowed = 1;
    }
    if (plan.blocks_per_cluster() > 1) {
      const dim3 cluster = to_dim3(plan.cluster);
      cudaLaunchAttributeValue& value = add(cudaLaunchAttributeClusterDimension);
      value.clusterDim.x = cluster.x;
      value.clusterDim.y = cluster.y;
      value.clusterDim.z = cluster.z;
    }
  }

  void give_to(cudaLaunchConfig_t& config) {
    config.attrs = m_attributes.data();
    config.numAttrs = m_count;
  }

 private:
  cudaLaunchAttributeValue& add(cudaLaunchAttributeID id) {
    cudaLaunchAttribute& attribute = m_attributes.at(m_count++);
    attribute.id = id;
    return attribute.val;
  }

  std::array<cudaLaunchAttribute, 3> m_attributes{};
  unsigned m_count = 0;
};

}  // namespace

void launch(cudaKernel_t kernel, const LaunchPlan& plan, void** arguments, const Stream& stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = to_dim3(plan.grid);
  config.blockDim = to_dim3(plan.block);
  config.dynamicSmemBytes = static_cast<std::size_t>(plan.shared_bytes);
  config.stream = stream.get();
  LaunchAttributes attributes(plan);
  attributes.give_to(config);
  check_cuda(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), arguments),
             "launch");
}

}  // namespace gtune
