#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A struct's member as the text declares it: `const float* x`, `int size[2][3]`.
struct OutlinedMember {
  std::string name;
  Tokens type;                  // with const and stars
  std::vector<Tokens> extents;  // if it is an array
  Tokens alignment = {};        // alignas(...); empty: the type's own
};

struct OutlinedStruct {
  std::vector<OutlinedMember> members;
  Tokens alignment = {};
  std::vector<std::string> parameters = {};  // of a template
};

struct OutlinedEnum {
  std::vector<std::string> values;  // names
  bool is_scoped = false;           // enum class
};

/// The types that a source defines, by name: type aliases, and structs whose every member is
/// understood (no base class, bit field, union or specialization; perhaps no member), both without
/// namespaces; enumerations and classes with them. A struct without a name has that of the variable
/// that is declared with it.
struct TypeOutline {
  std::map<std::string, OutlinedStruct, std::less<>> structs;
  std::map<std::string, Tokens, std::less<>> aliases;
  std::map<std::string, OutlinedEnum, std::less<>> enums;  // "ns::Mode"
  std::set<std::string> classes;                           // "ns::Policy", templates too
  std::set<std::string> function_types;                    // of pointers, without namespaces

  /// The full name of the enumeration that `written` means within `scope` ("ns::inner::"): the one
  /// of the innermost scope, else any whose name is like it. Empty if there is none.
  [[nodiscard]] std::string enum_named(const std::string& written, const std::string& scope) const;
  /// The same for a class.
  [[nodiscard]] std::string class_named(const std::string& written, const std::string& scope) const;
};

[[nodiscard]] TypeOutline outline_types(const Tokens& tokens);

}  // namespace gtune
