#include "gpu/texel_array.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gpu/cuda_error.hpp"
#include "model/error.hpp"

namespace gtune {

cudaChannelFormatDesc texel_format(const TexturePlan& plan, ElementType type) {
  const int bits = static_cast<int>(8 * size_of(type));
  const bool is_unsigned = to_string(type).front() == 'u';
  cudaChannelFormatDesc format{};
  format.f = is_floating(type) ? cudaChannelFormatKindFloat
             : is_unsigned     ? cudaChannelFormatKindUnsigned
                               : cudaChannelFormatKindSigned;
  format.x = bits;
  if (plan.channels > 1) format.y = bits;
  if (plan.channels > 2) format.z = format.w = bits;
  return format;
}

std::size_t texel_bytes(const TexturePlan& plan, ElementType type, std::size_t available) {
  const std::string who = (plan.is_surface ? "surface '" : "texture '") + plan.name + "'";
  auto bytes = static_cast<std::size_t>(plan.channels) * size_of(type);
  for (const std::int64_t extent : plan.extent) {
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes)) {
      throw UserError(ExitCode::failed, who + " overflows 64 bits");
    }
  }
  if (bytes <= available) return bytes;
  throw UserError(ExitCode::failed, who + " has " + std::to_string(bytes) + " bytes, its buffer " +
                                        std::to_string(available));
}

TexelArray::TexelArray(const TexturePlan& plan, ElementType type) {
  const auto at = [&](std::size_t i) {
    return i < plan.extent.size() ? static_cast<std::size_t>(plan.extent[i]) : 0;
  };
  const cudaChannelFormatDesc format = texel_format(plan, type);
  // Missing dimensions are 0.
  const unsigned flags = plan.is_surface ? cudaArraySurfaceLoadStore : cudaArrayDefault;
  check_cuda(cudaMalloc3DArray(&m_array, &format, {at(0), at(1), at(2)}, flags),
             "cudaMalloc3DArray");
  m_extent = {at(0), std::max<std::size_t>(at(1), 1), std::max<std::size_t>(at(2), 1)};
  m_row = m_extent.width * static_cast<std::size_t>(plan.channels) * size_of(type);
}

TexelArray::~TexelArray() {
  if (m_array != nullptr) cudaFreeArray(m_array);
}

TexelArray::TexelArray(TexelArray&& other) noexcept
    : m_array(std::exchange(other.m_array, nullptr)),
      m_extent(other.m_extent),
      m_row(other.m_row) {}

TexelArray& TexelArray::operator=(TexelArray&& other) noexcept {
  std::swap(m_array, other.m_array);
  std::swap(m_extent, other.m_extent);
  std::swap(m_row, other.m_row);
  return *this;
}

cudaPitchedPtr TexelArray::rows_at(const std::byte* data) const {
  return {const_cast<std::byte*>(data), m_row, m_extent.width, m_extent.height};
}

void TexelArray::copy_from(const std::byte* data) const {
  cudaMemcpy3DParms copy{};
  copy.srcPtr = rows_at(data);
  copy.dstArray = m_array;
  copy.extent = m_extent;
  copy.kind = cudaMemcpyDeviceToDevice;
  check_cuda(cudaMemcpy3D(&copy), "cudaMemcpy3D");
}

void TexelArray::copy_to(std::byte* data) const {
  cudaMemcpy3DParms copy{};
  copy.srcArray = m_array;
  copy.dstPtr = rows_at(data);
  copy.extent = m_extent;
  copy.kind = cudaMemcpyDeviceToDevice;
  check_cuda(cudaMemcpy3D(&copy), "cudaMemcpy3D");
}

}  // namespace gtune
