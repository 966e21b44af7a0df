#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jit/source_directives.hpp"

namespace gtune {

/// The headers that `#include HEADER` and `#include HEADER(name)` may name, considering every
/// definition of HEADER in a source.
class HeaderMacros {
 public:
  /// `unknown`: names that options define as well.
  explicit HeaderMacros(const std::vector<std::string>& unknown)
      : m_unknown(unknown.begin(), unknown.end()) {}

  /// Notes a `#define`.
  void define(const Directive& directive);

  /// The headers that `text` may stand for; absent if they cannot all be determined.
  [[nodiscard]] std::optional<std::vector<HeaderName>> headers_of(std::string_view text) const;

 private:
  struct Definition {
    bool with_parameters = false;
    std::vector<std::string> parameters;
    std::string text;
    // NOLINTNEXTLINE(modernize-use-nullptr,readability-implicit-bool-conversion): misread <=>
    auto operator<=>(const Definition&) const = default;
  };

  /// Appends to `headers`; false if they cannot be determined.
  bool expand(std::string_view text, int depth, std::vector<HeaderName>& headers) const;
  [[nodiscard]] bool names_macro(std::string_view text) const;

  std::set<std::string> m_unknown;
  std::map<std::string, std::set<Definition>> m_definitions;
};

}  // namespace gtune
