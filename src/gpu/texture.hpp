#pragma once

#include <cuda_runtime_api.h>

#include "gpu/buffer.hpp"
#include "gpu/texel_array.hpp"
#include "model/plan.hpp"

namespace gtune {

/// A texture object over a copy of a buffer's elements. Move-only.
class Texture {
 public:
  /// `bytes`: of `data`. Throws UserError if the buffer is smaller than the texture, CudaError if
  /// the device refuses it.
  Texture(const TexturePlan& plan, ElementType type, const std::byte* data, std::size_t bytes);
  ~Texture();
  Texture(Texture&& other) noexcept;
  Texture& operator=(Texture&& other) = delete;

  [[nodiscard]] cudaTextureObject_t object() const { return m_object; }

 private:
  cudaTextureObject_t m_object = 0;
  TexelArray m_texels;
  DeviceBuffer m_linear;
};

}  // namespace gtune
