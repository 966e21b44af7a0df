#include "model/struct_layout.hpp"

#include <algorithm>

namespace gtune {
namespace {

std::size_t up_to(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

std::size_t size_of(const StructMember& member) {
  return member.of.empty() ? size_of(member.type) : address_bytes;
}

StructLayout layout_of(const std::vector<StructMember>& members) {
  StructLayout layout;
  std::size_t largest = 1;
  for (const StructMember& member : members) {
    const std::size_t alignment =
        member.alignment > 0 ? static_cast<std::size_t>(member.alignment) : size_of(member);
    largest = std::max(largest, alignment);
    layout.offsets.push_back(up_to(layout.bytes, alignment));
    layout.bytes = layout.offsets.back() + size_of(member);
  }
  layout.bytes = up_to(layout.bytes, largest);
  return layout;
}

}  // namespace gtune
