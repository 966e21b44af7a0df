#pragma once

#include <map>
#include <optional>
#include <string>

#include "authoring/local_names.hpp"

namespace gtune {

/// A variable that is a digit of the threads' number along x: `threadIdx.x / divisor % radix`.
struct ThreadDigit {
  IndexTerm divisor;                    // may have quotients as factors: "(BN / TN)"
  std::optional<IndexTerm> radix = {};  // absent: the highest digit
};

/// A body in which each digit that is part of an expression has a name: `int d = threadIdx.x / 32;`
/// at the beginning, and d in `row = blockIdx.x * 4 + threadIdx.x / 32`. Casts must have been left
/// out.
[[nodiscard]] Tokens with_named_digits(const Tokens& body);

/// The digit that a text or a variable is, which may be the whole number; absent if it is none.
[[nodiscard]] std::optional<ThreadDigit> thread_digit(const Tokens& text, const LocalNames& locals);

/// The variables that are digits. Those that are the whole number are left out.
[[nodiscard]] std::map<std::string, ThreadDigit> thread_digits(const LocalNames& locals);

/// `a` divided by `b`, as a quotient that is a factor if `b` does not divide it. Absent for a
/// divisor of several factors.
[[nodiscard]] std::optional<IndexTerm> exact_quotient(const IndexTerm& a, const IndexTerm& b);

}  // namespace gtune
