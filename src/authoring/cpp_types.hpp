#pragma once

#include <cstddef>
#include <string>

#include "authoring/source_tokens.hpp"
#include "authoring/type_outline.hpp"

namespace gtune {

/// A C++ type as elements of a spec's type: a float4 is four f32.
struct ElementOf {
  std::string type = "u8";
  int count = 1;
  bool is_known = true;  // false: treated as bytes

  [[nodiscard]] std::size_t bytes() const;        // of one element
  [[nodiscard]] std::size_t value_bytes() const;  // of all: 16 for float4
  /// Bytes; vectors of two or four have a larger alignment than their elements.
  [[nodiscard]] std::size_t alignment() const;
  [[nodiscard]] bool is_integer() const { return type.front() == 'i' || type.front() == 'u'; }
  /// Whether it is an integer wide enough for a problem size.
  [[nodiscard]] bool is_size() const { return is_integer() && bytes() > 1; }
};

/// `cpp` as the compiler spells it: "unsigned int", "__half2".
[[nodiscard]] ElementOf element_of(const std::string& cpp);

/// A type from a source's text, without const.
struct SpelledType {
  /// As the compiler spells it, perhaps with template arguments; for a pointer, the type at its
  /// end.
  std::string name;
  int pointers = 0;
  bool points_to_const = false;
};

/// Resolves the source's type aliases.
[[nodiscard]] SpelledType spelled_type(const Tokens& tokens, const TypeOutline& types);

/// "Params" of "ns::Params".
[[nodiscard]] std::string without_namespaces(const std::string& name);

}  // namespace gtune
