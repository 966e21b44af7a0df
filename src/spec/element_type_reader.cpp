#include "spec/element_type_reader.hpp"

#include <stdexcept>

namespace gtune {

ElementType read_element_type(const SpecContext& context, const TomlValue& table,
                              const std::string& what) {
  const TomlValue& type = context.require(table, "type", what);
  context.expect(type, TomlValue::Kind::string, "'type' of " + what);
  try {
    return element_type_from_string(type.text);
  } catch (const std::invalid_argument&) {
    std::string words;
    for (int i = 0; i <= static_cast<int>(ElementType::u64); ++i) {
      if (!words.empty()) words += ", ";
      words += to_string(static_cast<ElementType>(i));
    }
    context.fail(type.place, "'type' of " + what + " is '" + type.text + "'; expected " + words);
  }
}

}  // namespace gtune
