#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A macro that a build may define (#ifndef NAME, #define NAME VALUE) or must define.
struct SettableMacro {
  std::string name;
  std::optional<std::int64_t> value;      // the source's default; absent: the build must define it
  std::vector<std::int64_t> values = {};  // those that conditions compare it with: #if NAME == 2
};

struct MacroOutline {
  std::vector<SettableMacro> settable;
  std::map<std::string, std::int64_t> fixed;  // defined by the source without #ifndef
};

[[nodiscard]] MacroOutline outline_macros(std::string_view text);

/// The value of "128", "(1 << 20)" or "4u"; absent if the text is not a constant integer.
[[nodiscard]] std::optional<std::int64_t> constant_value(const Tokens& tokens);

}  // namespace gtune
