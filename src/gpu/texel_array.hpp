#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "model/plan.hpp"

namespace gtune {

/// The format of a plan's texels, whose channels have `type`.
[[nodiscard]] cudaChannelFormatDesc texel_format(const TexturePlan& plan, ElementType type);

/// Bytes of all texels. Throws UserError if they exceed `available` or 64 bits.
[[nodiscard]] std::size_t texel_bytes(const TexturePlan& plan, ElementType type,
                                      std::size_t available);

/// A CUDA array of a plan's texels: device memory that textures and surfaces read and write.
/// Move-only.
class TexelArray {
 public:
  TexelArray() = default;
  /// Throws CudaError if the device refuses it.
  TexelArray(const TexturePlan& plan, ElementType type);
  ~TexelArray();
  TexelArray(TexelArray&& other) noexcept;
  TexelArray& operator=(TexelArray&& other) noexcept;

  [[nodiscard]] cudaArray_t get() const { return m_array; }
  /// Copy all texels from or to device memory, where rows lie without gaps.
  void copy_from(const std::byte* data) const;
  void copy_to(std::byte* data) const;

 private:
  [[nodiscard]] cudaPitchedPtr rows_at(const std::byte* data) const;

  cudaArray_t m_array = nullptr;
  cudaExtent m_extent{};  // texels, at least 1 in each dimension
  std::size_t m_row = 0;  // bytes
};

}  // namespace gtune
