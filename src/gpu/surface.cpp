#include "gpu/surface.hpp"

#include "gpu/cuda_error.hpp"

namespace gtune {

Surface::Surface(const TexturePlan& plan, ElementType type, std::byte* data, std::size_t bytes)
    : m_data(data) {
  static_cast<void>(texel_bytes(plan, type, bytes));
  m_texels = TexelArray(plan, type);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-union-access): the runtime's own
  resource.res.array.array = m_texels.get();
  check_cuda(cudaCreateSurfaceObject(&m_object, &resource), "cudaCreateSurfaceObject");
}

Surface::~Surface() {
  if (m_object != 0) cudaDestroySurfaceObject(m_object);
}

}  // namespace gtune
