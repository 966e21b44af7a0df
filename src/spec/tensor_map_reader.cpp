#include "spec/tensor_map_reader.hpp"

#include <algorithm>
#include <stdexcept>

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

std::vector<Expression> read_extents(const SpecContext& context, const TomlValue& list,
                                     const std::string& what) {
  context.expect(list, Kind::array, what);
  std::vector<Expression> extents;
  for (const TomlValue& item : list.items) {
    extents.push_back(context.expression(item, what, Depends::on_anything));
  }
  return extents;
}

void expect_count(const SpecContext& context, const TomlValue& list, const std::string& what,
                  std::size_t expected, const std::string& why) {
  if (list.items.size() == expected) return;
  context.fail(list.place, what + " has " + std::to_string(list.items.size()) +
                               " dimensions; expected " + std::to_string(expected) + ", " + why);
}

Swizzle read_swizzle(const SpecContext& context, const TomlValue& value, const std::string& what) {
  const std::string& word = context.expect(value, Kind::string, what).text;
  try {
    return swizzle_from_string(word);
  } catch (const std::invalid_argument&) {
    context.fail(value.place, what + " is '" + word + "'; expected none, 32B, 64B or 128B");
  }
}

}  // namespace

TensorMapSpec read_tensor_map(const SpecContext& context, const TomlValue& table,
                              const std::string& what) {
  context.expect_keys(
      table, what, {"name", "type", "of", "when", "offset", "sizes", "strides", "box", "swizzle"});
  const auto key = [&](const char* name) { return std::string("'") + name + "' of " + what; };
  TensorMapSpec map;
  map.of = context.expect(context.require(table, "of", what), Kind::string, key("of")).text;
  const TomlValue& sizes = context.require(table, "sizes", what);
  map.sizes = read_extents(context, sizes, key("sizes"));
  if (map.sizes.empty() || map.sizes.size() > most_tensor_dimensions) {
    context.fail(sizes.place, key("sizes") + " has " + std::to_string(map.sizes.size()) +
                                  " dimensions; expected 1 to " +
                                  std::to_string(most_tensor_dimensions) + ", innermost first");
  }
  const TomlValue& box = context.require(table, "box", what);
  map.box = read_extents(context, box, key("box"));
  expect_count(context, box, key("box"), map.sizes.size(), "as many as 'sizes'");
  if (const TomlValue* strides = table.find("strides")) {
    map.strides = read_extents(context, *strides, key("strides"));
    expect_count(context, *strides, key("strides"), map.sizes.size() - 1,
                 "one for each size but the innermost");
  }
  if (const TomlValue* offset = table.find("offset")) {
    map.offset = context.expression(*offset, key("offset"), Depends::on_anything);
  }
  if (const TomlValue* when = table.find("when")) {
    map.when = context.expression(*when, key("when"), Depends::on_anything);
  }
  if (const TomlValue* swizzle = table.find("swizzle")) {
    map.swizzle = read_swizzle(context, *swizzle, key("swizzle"));
  }
  return map;
}

}  // namespace gtune
