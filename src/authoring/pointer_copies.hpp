#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A variable that points into another pointer's array: `const float* p = x + i;`
struct PointerCopy {
  std::string name;
  Tokens offset;        // empty for `p = x`
  std::size_t at = 0;   // of its name
  std::size_t end = 0;  // the position after the definition
};

/// The copy whose definition has the pointer of `length` tokens at `at`: `p = x`, `p = x + i`,
/// `p = (x + i)`, `p = i + x` or `p = &x[i]`. Absent for any other text.
[[nodiscard]] std::optional<PointerCopy> copy_of_pointer(const Tokens& body, std::size_t at,
                                                         std::size_t length);

/// What `text` adds to the pointer: `i` for `x + i`; absent if it is something else.
[[nodiscard]] std::optional<Tokens> offset_from(Tokens text, const Tokens& pointer);

/// A pointer's use as a pointer to other elements: `(const float4*)(x + i)`, which
/// plain_arithmetic() writes as a call.
struct PointerCast {
  std::size_t at = 0;
  std::size_t length = 0;  // tokens, with brackets around all of it
  std::size_t bytes = 0;   // of an element; 0 if unknown
  Tokens offset;           // i, in the pointer's own elements
};

/// The cast of the pointer of `length` tokens at `at`; absent if there is none.
[[nodiscard]] std::optional<PointerCast> cast_of_pointer(const Tokens& body, std::size_t at,
                                                         std::size_t length);

/// The position of the next definition after `after` that makes it another pointer; the body's end
/// if none does.
[[nodiscard]] std::size_t next_definition(const Tokens& body, const std::string& name,
                                          std::size_t after);

/// Whether the pointer's first element is meant: `*p`, `*p++`, `*++p`.
[[nodiscard]] bool is_dereferenced(const Tokens& body, std::size_t at, std::size_t length);

/// Whether the name at `at` is being declared: `const float* row = rows[b];`.
[[nodiscard]] bool is_declared_with_value(const Tokens& body, std::size_t at);

/// The rest of a sum, up to what ends an argument or a statement; empty if it is too long.
[[nodiscard]] Tokens until_end_of_sum(const Tokens& body, std::size_t at);

/// Whether `name = ...` at `at` moves the pointer `name` itself: `p = p + n`.
[[nodiscard]] bool is_moved_by_itself(const Tokens& body, std::size_t at, std::size_t length);

}  // namespace gtune
