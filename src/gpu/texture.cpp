#include "gpu/texture.hpp"

#include <utility>

#include "gpu/cuda_error.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

cudaTextureAddressMode address_mode(TextureAddress address) {
  switch (address) {
    case TextureAddress::wrap:
      return cudaAddressModeWrap;
    case TextureAddress::mirror:
      return cudaAddressModeMirror;
    case TextureAddress::border:
      return cudaAddressModeBorder;
    default:
      return cudaAddressModeClamp;
  }
}

cudaTextureDesc description(const TexturePlan& plan) {
  cudaTextureDesc description{};
  for (auto& mode : description.addressMode) mode = address_mode(plan.address);
  description.filterMode =
      plan.filter == TextureFilter::linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode =
      plan.normalized_values ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.normalizedCoords = plan.normalized_coordinates ? 1 : 0;
  return description;
}

}  // namespace

Texture::Texture(const TexturePlan& plan, ElementType type, const std::byte* data,
                 std::size_t bytes) {
  const std::size_t needed = texel_bytes(plan, type, bytes);
  cudaResourceDesc resource{};
  if (plan.linear_memory) {
    m_linear = DeviceBuffer(needed);
    check_cuda(cudaMemcpy(m_linear.data(), data, needed, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    resource.resType = cudaResourceTypeLinear;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-union-access): the runtime's own
    resource.res.linear = {m_linear.data(), texel_format(plan, type), needed};
  } else {
    m_texels = TexelArray(plan, type);
    m_texels.copy_from(data);
    resource.resType = cudaResourceTypeArray;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-union-access): the runtime's own
    resource.res.array.array = m_texels.get();
  }
  const cudaTextureDesc how = description(plan);
  check_cuda(cudaCreateTextureObject(&m_object, &resource, &how, nullptr),
             "cudaCreateTextureObject");
}

Texture::~Texture() {
  if (m_object != 0) cudaDestroyTextureObject(m_object);
}

Texture::Texture(Texture&& other) noexcept
    : m_object(std::exchange(other.m_object, 0)),
      m_texels(std::move(other.m_texels)),
      m_linear(std::move(other.m_linear)) {}

}  // namespace gtune
