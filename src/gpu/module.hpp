#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <string>

#include "gpu/stream.hpp"
#include "model/plan.hpp"

namespace gtune {

/// A cubin loaded into the current device's context.
class Module {
 public:
  /// Throws CudaError if the cubin does not fit the device.
  explicit Module(std::span<const std::byte> cubin);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// `name`: mangled. Loads the kernel's code onto the device. Throws CudaError if there is none.
  [[nodiscard]] cudaKernel_t kernel(const std::string& name) const;
  /// Copies device memory to a __constant__ or __device__ variable. Throws UserError if the cubin
  /// has none of that name, or it is smaller than `bytes`.
  void set_symbol(const std::string& name, const std::byte* from, std::size_t bytes) const;

 private:
  cudaLibrary_t m_library = nullptr;
};

/// Opts in to what the launch needs: more than 48 KiB of dynamic shared memory, a carve-out,
/// clusters of more than 8 blocks.
void prepare_for(cudaKernel_t kernel, const LaunchPlan& plan);

/// Queues a launch. `arguments`: one pointer to each argument's value.
void launch(cudaKernel_t kernel, const LaunchPlan& plan, void** arguments, const Stream& stream);

}  // namespace gtune
