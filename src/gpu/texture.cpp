#include "gpu/texture.hpp"

#include <algorithm>
#include <utility>

#include "gpu/cuda_error.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

cudaChannelFormatDesc channel_format(ElementType type, std::int64_t channels) {
  const int bits = static_cast<int>(8 * size_of(type));
  const bool is_unsigned = to_string(type).front() == 'u';
  cudaChannelFormatDesc format{};
  format.f = is_floating(type) ? cudaChannelFormatKindFloat
             : is_unsigned     ? cudaChannelFormatKindUnsigned
                               : cudaChannelFormatKindSigned;
  format.x = bits;
  if (channels > 1) format.y = bits;
  if (channels > 2) format.z = format.w = bits;
  return format;
}

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

/// In elements of an array; dimensions that the texture does not have are 0.
cudaExtent extent_of(const TexturePlan& plan) {
  const auto at = [&](std::size_t i) {
    return i < plan.extent.size() ? static_cast<std::size_t>(plan.extent[i]) : 0;
  };
  return {at(0), at(1), at(2)};
}

std::size_t bytes_of(const TexturePlan& plan, ElementType type) {
  auto bytes = static_cast<std::size_t>(plan.channels) * size_of(type);
  for (const std::int64_t extent : plan.extent) {
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes)) {
      throw UserError(ExitCode::failed, "texture '" + plan.name + "' overflows 64 bits");
    }
  }
  return bytes;
}

cudaArray_t copied_array(const TexturePlan& plan, ElementType type, const std::byte* data) {
  const cudaChannelFormatDesc format = channel_format(type, plan.channels);
  cudaExtent extent = extent_of(plan);
  cudaArray_t array = nullptr;
  check_cuda(cudaMalloc3DArray(&array, &format, extent), "cudaMalloc3DArray");
  extent.height = std::max<std::size_t>(extent.height, 1);
  extent.depth = std::max<std::size_t>(extent.depth, 1);
  const std::size_t row = extent.width * static_cast<std::size_t>(plan.channels) * size_of(type);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {const_cast<std::byte*>(data), row, extent.width, extent.height};
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToDevice;
  const cudaError_t result = cudaMemcpy3D(&copy);
  if (result != cudaSuccess) cudaFreeArray(array);
  check_cuda(result, "cudaMemcpy3D");
  return array;
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
  const std::size_t needed = bytes_of(plan, type);
  if (needed > bytes) {
    throw UserError(ExitCode::failed, "texture '" + plan.name + "' has " + std::to_string(needed) +
                                          " bytes, its buffer " + std::to_string(bytes));
  }
  cudaResourceDesc resource{};
  if (plan.linear_memory) {
    m_linear = DeviceBuffer(needed);
    check_cuda(cudaMemcpy(m_linear.data(), data, needed, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    resource.resType = cudaResourceTypeLinear;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-union-access): the runtime's own
    resource.res.linear = {m_linear.data(), channel_format(type, plan.channels), needed};
  } else {
    m_array = copied_array(plan, type, data);
    resource.resType = cudaResourceTypeArray;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-union-access): the runtime's own
    resource.res.array.array = m_array;
  }
  const cudaTextureDesc how = description(plan);
  const cudaError_t result = cudaCreateTextureObject(&m_object, &resource, &how, nullptr);
  if (result != cudaSuccess && m_array != nullptr) cudaFreeArray(m_array);
  check_cuda(result, "cudaCreateTextureObject");
}

Texture::~Texture() {
  if (m_object != 0) cudaDestroyTextureObject(m_object);
  if (m_array != nullptr) cudaFreeArray(m_array);
}

Texture::Texture(Texture&& other) noexcept
    : m_object(std::exchange(other.m_object, 0)),
      m_array(std::exchange(other.m_array, nullptr)),
      m_linear(std::move(other.m_linear)) {}

}  // namespace gtune
