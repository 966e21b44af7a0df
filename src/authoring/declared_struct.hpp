#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "authoring/cpp_types.hpp"

namespace gtune {

/// A member of a struct, members of members and elements of arrays each by itself.
struct LaidMember {
  std::string name;   // "grid.size_1": an element's index is part of it
  ElementOf element;  // of a pointer what it points to
  int pointers = 0;
  bool points_to_const = false;
  std::string cpp;            // the type's name, of a pointer what it points to
  std::size_t alignment = 0;  // that a spec has to say; 0: the type's own
};

/// An integer: of a problem, in all likelihood.
[[nodiscard]] bool is_size_member(const LaidMember& member);

struct DeclaredStruct {
  std::vector<LaidMember> members;
  std::size_t bytes = 0;
  std::size_t alignment = 1;
};

/// Integers that have a name in the source: of extents and alignments.
using NamedConstants = std::map<std::string, std::int64_t>;

/// Lays a struct of the source out as C++ does. Nothing where a member's type is not known, or a
/// spec could not say where one lies.
[[nodiscard]] std::optional<DeclaredStruct> lay_out_struct(const std::string& name,
                                                           const TypeOutline& types,
                                                           const NamedConstants& constants);

/// Of a float4 and its like.
[[nodiscard]] DeclaredStruct lay_out_vector(const ElementOf& element, const std::string& cpp);

}  // namespace gtune
