#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// "blockIdx.y" for the axis 1.
[[nodiscard]] std::string on_axis(const char* name, std::size_t axis);

/// One product in the sum that forms an index. Factors are names: "row", "blockIdx.x",
/// "params.width".
struct IndexTerm {
  std::int64_t number = 1;
  std::vector<std::string> factors;

  [[nodiscard]] bool has(const std::string& factor) const;
  /// "2 * TILE * blockIdx.x"; "1" without factors.
  [[nodiscard]] std::string text() const;
};

/// The number is the largest of 64 bits if the product does not fit.
[[nodiscard]] IndexTerm operator*(const IndexTerm& a, const IndexTerm& b);

/// Each product of one of `a` and one of `b`.
[[nodiscard]] std::vector<IndexTerm> products_of(const std::vector<IndexTerm>& a,
                                                 const std::vector<IndexTerm>& b);

/// `a` divided by `b`; absent if `b` does not divide it.
[[nodiscard]] std::optional<IndexTerm> quotient(IndexTerm a, const IndexTerm& b);

/// Expands a text of names, integers, `+ - *`, parentheses and casts into a sum of products. Absent
/// for any other text.
[[nodiscard]] std::optional<std::vector<IndexTerm>> index_terms(const Tokens& text);

/// The text without the brackets around all of it.
[[nodiscard]] Tokens without_brackets(Tokens text);

struct Quotient {
  Tokens dividend;
  std::string divisor;
};

/// "32" for a shift to the right by "5"; absent if that is no constant.
[[nodiscard]] std::optional<std::string> divisor_of_shift(std::string_view bits);

/// `(i) / 32`, `blockDim.x >> 5`, `n / warpSize`: an operand divided by a word or a number.
[[nodiscard]] std::optional<Quotient> quotient_of(const Tokens& text);

}  // namespace gtune
