#include "spec/element_type_reader.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "spec/suggestion.hpp"

namespace gtune {
namespace {

/// The element type that goes by another name, such as "half"; empty if none does.
std::string_view known_as(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> names = {{
      {"half", "f16"},
      {"__half", "f16"},
      {"bfloat16", "bf16"},
      {"__nv_bfloat16", "bf16"},
      {"float", "f32"},
      {"double", "f64"},
      {"char", "i8"},
      {"short", "i16"},
      {"int", "i32"},
      {"unsigned", "u32"},
      {"long", "i64"},
      {"size_t", "u64"},
  }};
  for (const auto& [name, type] : names) {
    if (name == word) return type;
  }
  return "";
}

}  // namespace

ElementType read_element_type(const SpecContext& context, const TomlValue& table,
                              const std::string& what) {
  const TomlValue& type = context.require(table, "type", what);
  context.expect(type, TomlValue::Kind::string, "'type' of " + what);
  try {
    return element_type_from_string(type.text);
  } catch (const std::invalid_argument&) {
    std::string words;
    std::vector<std::string> candidates;
    for (int i = 0; i <= static_cast<int>(ElementType::u64); ++i) {
      if (!words.empty()) words += ", ";
      words += to_string(static_cast<ElementType>(i));
      candidates.emplace_back(to_string(static_cast<ElementType>(i)));
    }
    const std::string known(known_as(type.text));
    const std::string hint =
        known.empty() ? did_you_mean(type.text, candidates) : "; did you mean '" + known + "'?";
    context.fail(type.place, "'type' of " + what + " is '" + type.text + "'" +
                                 (hint.empty() ? "; expected " + words : hint));
  }
}

}  // namespace gtune
