#pragma once

#include <cstddef>
#include <string>

#include "authoring/source_tokens.hpp"
#include "authoring/type_outline.hpp"

namespace gtune {

/// The type of a spec for one of C++'s, and how many of them one is: float4 is four f32.
struct ElementOf {
  std::string type = "u8";
  int count = 1;
  bool is_known = true;  // false: taken as bytes

  [[nodiscard]] std::size_t bytes() const;  // of one element
  /// Of the whole: a vector of two or four is aligned by more than its elements.
  [[nodiscard]] std::size_t alignment() const;
  [[nodiscard]] bool is_integer() const { return type.front() == 'i' || type.front() == 'u'; }
  /// An integer that a size of the problem fits in.
  [[nodiscard]] bool is_size() const { return is_integer() && bytes() > 1; }
};

/// `cpp` as the compiler spells it: "unsigned int", "__half2".
[[nodiscard]] ElementOf element_of(const std::string& cpp);

/// A type that a source spells, without const.
struct SpelledType {
  std::string name;  // as the compiler spells it; of a pointer what it points to in the end
  int pointers = 0;
  bool points_to_const = false;
};

/// Sees through the source's other names for types.
[[nodiscard]] SpelledType spelled_type(const Tokens& tokens, const TypeOutline& types);

/// "Params" of "ns::Params".
[[nodiscard]] std::string without_namespaces(const std::string& name);

}  // namespace gtune
