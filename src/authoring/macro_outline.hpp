#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
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
  bool is_of_header = false;
  std::string similar = {};  // a name of the source for which this one may be misspelt
};

struct MacroOutline {
  std::vector<SettableMacro> settable;
  std::map<std::string, std::int64_t> fixed;  // defined by the source without #ifndef
  std::set<std::string> defined;              // by any #define; a build cannot choose their values
  std::set<std::string> in_definitions;       // words in the values of definitions
};

[[nodiscard]] MacroOutline outline_macros(std::string_view text);

/// The value of "128", "(1 << 20)" or "4u"; absent if the text is not a constant integer.
[[nodiscard]] std::optional<std::int64_t> constant_value(const Tokens& tokens);

}  // namespace gtune
