#include "spec/memory_reader.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "model/value_word.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

std::optional<MemoryKind> kind_of(const std::string& word) {
  try {
    return memory_kind_from_string(word);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

const Parameter& find_param(const SpecContext& context, const TomlValue& value,
                            const std::vector<Parameter>& params, const std::string& what) {
  const std::string name = value.text.substr(1, value.text.size() - 2);
  std::vector<std::string> names;
  for (const Parameter& param : params) {
    if (param.name == name) return param;
    names.push_back(param.name);
  }
  context.fail(value.place, what + " is '" + value.text + "', and '" + name +
                                "' is not a parameter" + did_you_mean(name, names));
}

}  // namespace

MemorySpec read_memory(const SpecContext& context, const TomlValue& value,
                       const std::vector<Parameter>& params, const std::string& what) {
  context.expect(value, TomlValue::Kind::string, what);
  if (!value.text.starts_with('{') || !value.text.ends_with('}')) {
    if (const auto kind = kind_of(value.text)) return {{*kind}};
    context.fail(value.place, what + " is '" + value.text + "'; expected " +
                                  std::string(all_memory_kinds) +
                                  ", or a parameter, as in \"{MEMORY}\"");
  }
  const Parameter& param = find_param(context, value, params, what);
  MemorySpec memory{{}, param.name};
  for (const std::int64_t each : param.values) {
    const std::string word = value_text(each);
    const auto kind = kind_of(word);
    if (!kind) {
      context.fail(value.place, what + " is '" + word + "' with " + param.name + "=" + word +
                                    "; expected " + std::string(all_memory_kinds));
    }
    memory.kinds.push_back(*kind);
  }
  return memory;
}

}  // namespace gtune
