#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "authoring/local_names.hpp"
#include "authoring/loops.hpp"

namespace gtune {

/// A statement or an expression that moves a pointer: `p += n`, `++p`, `*p++`, `p = p + n`.
struct PointerMove {
  Tokens by;
  std::size_t end = 0;  // the first position where it has happened
};

/// The move of the pointer of `length` tokens at `at`.
[[nodiscard]] std::optional<PointerMove> move_at(const Tokens& body, std::size_t at,
                                                 std::size_t length);

/// How far the loops of a body move its pointers.
class PointerMoves {
 public:
  PointerMoves(const Tokens& body, const LocalNames& locals)
      : m_body(body), m_locals(locals), m_loops(loops_in(body)) {}

  /// An upper bound, as a text of the loops' variables: `n * k` for `p += BK * n` in a loop with
  /// `k += BK`.
  struct Distance {
    Tokens text;           // empty for 0, or if another pointer is the bound: `p < end`
    std::size_t from = 0;  // uses from here on may have it ahead
    bool is_known = true;
    bool is_of_loop = false;  // counts each of its steps, also the one after the last use
  };

  /// Of the move at `at`, since the pointer was defined at `from`.
  [[nodiscard]] Distance distance(const std::string& pointer, const PointerMove& move,
                                  std::size_t at, std::size_t from) const;

 private:
  struct Counter {
    Tokens passes;  // times `step`
    IndexTerm step;
    Tokens first;  // its first value; empty for a constant, or if the loop counts down
  };

  [[nodiscard]] std::vector<std::string> candidates(const Loop& loop) const;
  [[nodiscard]] std::optional<Counter> counter_of(const Loop& loop, std::size_t at) const;
  [[nodiscard]] std::optional<Tokens> passes_of(const std::string& name, std::size_t at) const;
  [[nodiscard]] std::optional<IndexTerm> only_step(const std::string& name, const Loop& loop) const;
  [[nodiscard]] Tokens first_value_of(const std::string& name, const Loop& loop) const;
  [[nodiscard]] bool is_limited_by_pointer(const Loop& loop, const std::string& pointer) const;

  const Tokens& m_body;
  const LocalNames& m_locals;
  std::vector<Loop> m_loops;
};

}  // namespace gtune
