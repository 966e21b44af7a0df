#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "authoring/defined_macros.hpp"
#include "authoring/source_tokens.hpp"

namespace gtune {

/// A condition of the preprocessor, #if or #elif, and the text that depends on it.
struct SourceCondition {
  std::size_t line = 0;
  std::string text;  // "#ifdef USE_DOUBLE"
  ConditionVerdict verdict;
  std::size_t begin = 0;  // of its group of branches, in the tokens that are read
  std::size_t end = 0;
  bool is_ended = false;  // whether `begin` and `end` are known
  bool has_text = false;  // whether a branch of the group has any
  Tokens skipped = {};    // in branches that are not read; of a group's first condition only
};

/// A macro whose uses are read as its text: one that contains `__global__`, as the head of kernels
/// or whole ones; with parameters, one that computes indices of threads, such as a loop over them,
/// or only adds and multiplies, such as `IDX(x, y)`; without, one that follows from macros which
/// the build may choose, such as `(TILE + 2 * RADIUS)`.
struct ExpandedMacro {
  bool has_parameters = false;
  Tokens tokens;  // its parameters and its text
};

/// A source's text without the branches whose conditions are false.
struct ConditionalText {
  Tokens tokens;
  std::vector<SourceCondition> conditions;
  std::map<std::string, ExpandedMacro, std::less<>> expanded_macros;  // `tokens` has them expanded
};

/// Reads each branch as a compiler would. Adds the source's definitions to `macros`.
[[nodiscard]] ConditionalText read_conditional_text(std::string_view text, DefinedMacros& macros);

}  // namespace gtune
