#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/texel_array.hpp"

namespace gtune {

/// A surface object, which kernels read and write, and the buffer that load() reads and store()
/// writes. The buffer must outlive it.
class Surface {
 public:
  /// `bytes`: of `data`. Throws UserError if the buffer is smaller than the surface, CudaError if
  /// the device refuses it.
  Surface(const TexturePlan& plan, ElementType type, std::byte* data, std::size_t bytes);
  ~Surface();
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  [[nodiscard]] cudaSurfaceObject_t object() const { return m_object; }
  void load() const { m_texels.copy_from(m_data); }
  void store() const { m_texels.copy_to(m_data); }

 private:
  std::byte* m_data;
  TexelArray m_texels;
  cudaSurfaceObject_t m_object = 0;
};

}  // namespace gtune
