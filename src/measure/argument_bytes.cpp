#include "measure/argument_bytes.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstring>

#include "model/struct_layout.hpp"

namespace gtune {
namespace {

template <typename T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

std::vector<std::byte> number_bytes(ElementType type, std::int64_t integer, double real) {
  switch (type) {
    case ElementType::f16:
      return bytes_of(__double2half(real));
    case ElementType::bf16:
      return bytes_of(__double2bfloat16(real));
    case ElementType::f32:
      return bytes_of(static_cast<float>(real));
    case ElementType::f64:
      return bytes_of(real);
    default: {
      std::vector<std::byte> bytes = bytes_of(integer);
      bytes.resize(size_of(type));
      return bytes;
    }
  }
}

std::vector<std::byte> struct_bytes(
    const StructPlan& plan, const std::function<const std::byte*(const std::string&)>& address_of) {
  const StructLayout layout = layout_of(plan.members);
  std::vector<std::byte> bytes(layout.bytes);
  for (std::size_t i = 0; i < plan.members.size(); ++i) {
    const StructMember& member = plan.members[i];
    const std::vector<std::byte> value =
        member.of.empty() ? number_bytes(member.type, member.integer, member.real)
                          : bytes_of(address_of(member.of));
    std::copy(value.begin(), value.end(),
              bytes.begin() + static_cast<std::ptrdiff_t>(layout.offsets[i]));
  }
  return bytes;
}

}  // namespace gtune
