#pragma once

#include <optional>
#include <string>
#include <vector>

#include "authoring/element_bound.hpp"
#include "authoring/pointer_moves.hpp"

namespace gtune {

/// How many elements of an array the indices of a kernel's body reach, directly and through
/// pointers that are copied from it or moved.
class ArrayReach {
 public:
  ArrayReach(const Tokens& body, const LocalNames& locals, const ElementBound& bound)
      : m_body(body), m_locals(locals), m_bound(bound), m_moves(body, locals) {}

  struct Reach {
    std::optional<UpperBound> most = {};           // absent if no index is understood
    std::map<std::string, UpperBound> spans = {};  // by argument, see ElementBound
    std::string sum = {};                          // the longest one, see ElementBound
    bool is_complete = true;                       // every index is
    std::int64_t multiple = 1;                     // the largest number in an index that is not
    bool is_known = true;                          // how far each pointer is moved
  };

  /// `bytes`: of one of its elements; 0 if unknown.
  [[nodiscard]] Reach of(const std::string& array, std::size_t bytes) const;

 private:
  /// A pointer into the array, from its definition to the next one.
  struct Pointer {
    std::string name;
    std::size_t begin = 0;
    std::size_t end = 0;
    Tokens offset = {};     // from the array's first element: a sum that ends with `+`, or empty
    std::size_t scale = 1;  // elements of the array in one of its own
    int depth = 0;          // of copies of copies
    bool is_moved = false;  // by a loop: the offset counts the step after the last use as well
  };

  /// A use of a pointer, or of a cast of one.
  struct Use {
    std::size_t at = 0;
    std::size_t length = 0;  // tokens
    Tokens before = {};      // offset and moves
    std::size_t scale = 1;
    bool is_moved = false;  // see Pointer
  };

  void read(const Pointer& pointer, Reach& reach) const;
  void read_use(const Pointer& pointer, const Use& use, Reach& reach) const;
  void add_index(const Tokens& index, const Use& use, bool is_address, Reach& reach) const;
  [[nodiscard]] std::optional<Use> cast_of(const Use& use) const;
  [[nodiscard]] bool is_declared(std::size_t at) const;
  [[nodiscard]] bool is_first_element(std::size_t at, std::size_t length) const;
  [[nodiscard]] bool is_compared(std::size_t at, std::size_t length) const;
  [[nodiscard]] Tokens index_at(std::size_t at) const;
  [[nodiscard]] std::int64_t multiple_in(const Tokens& index) const;

  const Tokens& m_body;
  const LocalNames& m_locals;
  const ElementBound& m_bound;
  PointerMoves m_moves;
  mutable std::size_t m_bytes = 0;  // of the array's element
  mutable int m_copies_left = 0;    // to follow, each of which takes as long as the body
};

}  // namespace gtune
