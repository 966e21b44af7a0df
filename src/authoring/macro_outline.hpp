#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A macro that a build may set, #ifndef NAME, #define NAME VALUE, or has to set.
struct SettableMacro {
  std::string name;
  std::optional<std::int64_t> value;
  std::vector<std::int64_t> values = {};  // that conditions compare it with, #if NAME == 2
};

struct MacroOutline {
  std::vector<SettableMacro> settable;
  std::map<std::string, std::int64_t> fixed;  // that the source defines, whatever a build says
};

[[nodiscard]] MacroOutline outline_macros(std::string_view text);

/// The value of "128", "(1 << 20)", "4u"; absent for what is no integer by itself.
[[nodiscard]] std::optional<std::int64_t> constant_value(const Tokens& tokens);

}  // namespace gtune
