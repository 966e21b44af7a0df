#include "model/plan.hpp"

#include <stdexcept>

#include "model/words.hpp"

namespace gtune {
namespace {

struct TypeRow {
  std::string_view word;
  std::size_t size;
  bool floating;
};

constexpr std::array<TypeRow, 12> types = {{{"f16", 2, true},
                                            {"bf16", 2, true},
                                            {"f32", 4, true},
                                            {"f64", 8, true},
                                            {"i8", 1, false},
                                            {"u8", 1, false},
                                            {"i16", 2, false},
                                            {"u16", 2, false},
                                            {"i32", 4, false},
                                            {"u32", 4, false},
                                            {"i64", 8, false},
                                            {"u64", 8, false}}};
constexpr std::array<std::string_view, 4> directions = {"in", "out", "inout", "workspace"};
constexpr std::array<std::string_view, 6> memory_kinds = {"device", "pinned",         "pageable",
                                                          "mapped", "write_combined", "peer"};
constexpr std::array<std::string_view, 2> texture_filters = {"point", "linear"};
constexpr std::array<std::string_view, 4> texture_addresses = {"wrap", "clamp", "mirror", "border"};
constexpr std::array<std::string_view, 4> swizzles = {"none", "32B", "64B", "128B"};
constexpr std::array<std::string_view, 9> fill_kinds = {
    "uniform", "constant", "iota", "normal", "permutation", "offsets", "each", "copy", "contents"};

const TypeRow& row(ElementType type) { return types.at(static_cast<std::size_t>(type)); }

}  // namespace

std::string_view to_string(ElementType type) { return row(type).word; }
bool is_alignment(std::int64_t bytes) {
  return bytes >= 0 && bytes <= 256 && (bytes & (bytes - 1)) == 0;
}

std::size_t size_of(ElementType type) { return row(type).size; }
bool is_floating(ElementType type) { return row(type).floating; }

ElementType element_type_from_string(std::string_view word) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].word == word) return static_cast<ElementType>(i);
  }
  throw std::invalid_argument("'" + std::string(word) + "' is no element type");
}

std::string_view to_string(Direction direction) {
  return directions.at(static_cast<std::size_t>(direction));
}
Direction direction_from_string(std::string_view word) {
  return static_cast<Direction>(index_of_word(directions, word, "direction"));
}

std::string_view to_string(MemoryKind kind) {
  return memory_kinds.at(static_cast<std::size_t>(kind));
}
MemoryKind memory_kind_from_string(std::string_view word) {
  return static_cast<MemoryKind>(index_of_word(memory_kinds, word, "memory"));
}

bool is_reached_by_kernels(MemoryKind kind) {
  return kind != MemoryKind::pinned && kind != MemoryKind::pageable;
}

bool is_host_memory(MemoryKind kind) {
  return kind != MemoryKind::device && kind != MemoryKind::peer;
}

bool is_written(Direction direction) {
  return direction == Direction::out || direction == Direction::inout;
}

std::string_view to_string(Swizzle swizzle) {
  return swizzles.at(static_cast<std::size_t>(swizzle));
}
Swizzle swizzle_from_string(std::string_view word) {
  return static_cast<Swizzle>(index_of_word(swizzles, word, "swizzle"));
}

std::string_view to_string(TextureFilter filter) {
  return texture_filters.at(static_cast<std::size_t>(filter));
}
TextureFilter texture_filter_from_string(std::string_view word) {
  return static_cast<TextureFilter>(index_of_word(texture_filters, word, "filter"));
}
std::string_view to_string(TextureAddress address) {
  return texture_addresses.at(static_cast<std::size_t>(address));
}
TextureAddress texture_address_from_string(std::string_view word) {
  return static_cast<TextureAddress>(index_of_word(texture_addresses, word, "address mode"));
}

std::string_view to_string(FillKind kind) { return fill_kinds.at(static_cast<std::size_t>(kind)); }
FillKind fill_kind_from_string(std::string_view word) {
  return static_cast<FillKind>(index_of_word(fill_kinds, word, "fill"));
}

}  // namespace gtune
