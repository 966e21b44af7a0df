#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "authoring/cpp_types.hpp"

namespace gtune {

/// A flattened member of a struct: nested members and array elements are separate ones.
struct LaidMember {
  std::string name;   // "grid.size_1" for element 1 of grid.size
  ElementOf element;  // for a pointer, the type that it points to
  int pointers = 0;
  bool points_to_const = false;
  std::string cpp;            // name of the C++ type; for a pointer, of the type it points to
  std::size_t alignment = 0;  // that the spec must state; 0: the type's own
};

/// Whether it is an integer, which is likely a problem size.
[[nodiscard]] bool is_size_member(const LaidMember& member);

struct DeclaredStruct {
  std::vector<LaidMember> members;
  std::size_t bytes = 0;
  std::size_t alignment = 1;
};

/// The source's named integers, which extents and alignments may use.
using NamedConstants = std::map<std::string, std::int64_t>;

/// Lays out a struct of the source as C++ does. Absent if a member's type is unknown, or a spec
/// cannot express a member's offset.
[[nodiscard]] std::optional<DeclaredStruct> lay_out_struct(const std::string& name,
                                                           const TypeOutline& types,
                                                           const NamedConstants& constants);

/// The layout of a vector such as float4.
[[nodiscard]] DeclaredStruct lay_out_vector(const ElementOf& element, const std::string& cpp);

}  // namespace gtune
