#include "spec/tensor_map_rules.hpp"

#include <array>

namespace gtune {
namespace {

constexpr std::int64_t alignment = 16;  // bytes
constexpr std::int64_t largest_box = 256;
constexpr std::int64_t largest_extent = std::int64_t{1} << 32;
constexpr std::int64_t largest_stride = std::int64_t{1} << 40;  // bytes; exclusive

std::int64_t swizzle_bytes(Swizzle swizzle) {
  constexpr std::array<std::int64_t, 4> bytes = {largest_box * 8, 32, 64, 128};
  return bytes.at(static_cast<std::size_t>(swizzle));
}

std::string number(std::int64_t value) { return std::to_string(value); }

std::string not_aligned(const std::string& what, std::int64_t elements, std::int64_t size) {
  return what + " of " + number(elements) + " elements is " + number(elements * size) +
         " bytes; expected a multiple of " + number(alignment);
}

std::optional<std::string> find_mistake_in_box(const TensorMapPlan& map, std::int64_t size) {
  for (const std::int64_t extent : map.box) {
    if (extent <= largest_box) continue;
    return "its box has an extent of " + number(extent) + "; expected " + number(largest_box) +
           " at most";
  }
  const std::int64_t inner = map.box.front();
  if (inner * size % alignment != 0) return not_aligned("the box's innermost extent", inner, size);
  if (inner * size > swizzle_bytes(map.swizzle)) {
    return "the box's innermost extent of " + number(inner) + " elements is " +
           number(inner * size) + " bytes; expected no more than its swizzle of " +
           std::string(to_string(map.swizzle));
  }
  return std::nullopt;
}

std::optional<std::string> find_mistake_in_tensor(const TensorMapPlan& map, std::int64_t size) {
  for (const std::int64_t extent : map.sizes) {
    if (extent <= largest_extent) continue;
    return "it has a size of " + number(extent) + "; expected " + number(largest_extent) +
           " at most";
  }
  if (map.offset % alignment * size % alignment != 0) {
    return "its offset of " + number(map.offset) + " elements is not a multiple of " +
           number(alignment) + " bytes";
  }
  for (const std::int64_t stride : map.strides) {
    if (stride >= largest_stride / size) {
      return "it has a stride of " + number(stride) + " elements; expected less than 2^40 bytes";
    }
    if (stride * size % alignment != 0) return not_aligned("its stride", stride, size);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_mistake(const TensorMapPlan& map, ElementType type,
                                        std::int64_t count) {
  const auto size = static_cast<std::int64_t>(size_of(type));
  if (auto mistake = find_mistake_in_box(map, size)) return mistake;
  if (auto mistake = find_mistake_in_tensor(map, size)) return mistake;
  // No product overflows: the checks above limit sizes to 2^32 and strides to below 2^40.
  if (map.offset > count) return "it begins after the end of '" + map.of + "'";
  std::int64_t room = count - map.offset - map.sizes.front();
  for (std::size_t i = 0; i < map.strides.size() && room >= 0; ++i) {
    const std::int64_t steps = map.sizes[i + 1] - 1;
    room = steps > room / map.strides[i] ? -1 : room - steps * map.strides[i];
  }
  if (room < 0) {
    return "it reaches beyond the end of '" + map.of + "', which has " + number(count) +
           " elements";
  }
  return std::nullopt;
}

}  // namespace gtune
