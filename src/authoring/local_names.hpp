#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "authoring/index_terms.hpp"

namespace gtune {

/// Tokens of an index or a definition. Brackets that are not closed would take quadratic time.
inline constexpr std::size_t most_index_tokens = 200;

/// An exclusive upper bound of a variable or an index: `of` + `others` + `more`.
struct UpperBound {
  IndexTerm of;
  std::int64_t more = 0;
  std::vector<IndexTerm> others = {};
  std::vector<IndexTerm> subtracted = {};  // what makes it less: taps in `n - taps`
  bool is_of_sum = false;                  // of one with the variable: `row + j < n`
};

/// The local variables of a kernel's body: their definitions and limits, each with its position.
class LocalNames {
 public:
  explicit LocalNames(const Tokens& body);

  struct Definition {
    std::size_t at = 0;
    Tokens text;
    bool is_whole = false;  // false: only the beginning, up to an operator that is not read
  };

  [[nodiscard]] bool is_local(const std::string& name) const {
    return m_definitions.contains(name);
  }
  /// The term with the definitions of constants, such as `n2 = n / 2`, in place of their names.
  /// Absent if another local variable is among its factors.
  [[nodiscard]] std::optional<IndexTerm> without_locals(const IndexTerm& term) const;

  /// The terms with the definitions of constants in place of their names, where these are known.
  [[nodiscard]] std::vector<IndexTerm> with_constants(const std::vector<IndexTerm>& terms) const;
  /// The terms with sums of sizes, such as `W = w + 2 * p`, in place of their names.
  [[nodiscard]] std::vector<IndexTerm> with_sums(const std::vector<IndexTerm>& terms) const;

  /// The bound of a variable at a position in the body: from the last comparison before it, or else
  /// from the first one after it, unless the variable is defined anew in between.
  [[nodiscard]] const UpperBound* limit(const std::string& name, std::size_t at) const;
  /// Whether the variable has the same bound wherever it has one.
  [[nodiscard]] bool has_one_limit(const std::string& name) const;
  /// The first bound after a definition.
  [[nodiscard]] const UpperBound* limit_after(const std::string& name, std::size_t at) const;

  [[nodiscard]] const std::map<std::string, std::vector<Definition>>& definitions() const {
    return m_definitions;
  }
  /// Empty if a variable has none, several, or one that is not read to its end.
  [[nodiscard]] Tokens only_definition(const std::string& name) const;

  /// Whether threadIdx is in its definition and blockIdx is not.
  [[nodiscard]] bool is_of_threads(const std::string& name) const;

  /// Whether += or -= changes it.
  [[nodiscard]] bool is_moved(const std::string& name) const { return m_moved.contains(name); }
  /// What += adds to a variable; null if that is no product.
  [[nodiscard]] const IndexTerm* step(const std::string& name) const;

  /// Replaces variables that derive from blockIdx and threadIdx by their definitions. Variables
  /// that have a limit, or that += or -= changes, are replaced only if `also_limited`.
  [[nodiscard]] std::optional<std::vector<IndexTerm>> expand(const Tokens& text, std::size_t at,
                                                             bool also_limited,
                                                             int depth = 0) const;

 private:
  using Terms = std::vector<IndexTerm>;

  struct Limit {
    std::size_t at = 0;
    UpperBound bound;
  };
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  void find_leaving_conditions();
  [[nodiscard]] bool is_in_leaving_condition(std::size_t at) const;
  void read(std::size_t at);
  [[nodiscard]] Tokens with_shift(Tokens text, std::size_t at) const;
  [[nodiscard]] Tokens until_end(std::size_t at) const;
  bool add_limit(const std::string& name, std::size_t at, bool needs_name, std::int64_t more,
                 bool is_of_sum = false);
  void note_change(std::size_t at);
  [[nodiscard]] bool may_vary(const std::string& name) const;
  [[nodiscard]] std::optional<Terms> sizes_in(const Tokens& text, int depth = 0) const;
  void find_indices();
  void find_countdowns();
  void drop_unknown_limits();
  [[nodiscard]] std::size_t definition_before(const std::string& name, std::size_t at) const;
  [[nodiscard]] std::optional<IndexTerm> constant(const std::string& name, int depth) const;
  [[nodiscard]] std::optional<IndexTerm> without_locals(const IndexTerm& term, int depth) const;
  [[nodiscard]] std::optional<std::string> quotient_without_locals(const std::string& quotient,
                                                                   int depth) const;
  /// Whether blockIdx is in the definition, directly or through other names.
  [[nodiscard]] bool names_blocks(const Definition& definition, int depth) const;
  [[nodiscard]] std::optional<Terms> expand_term(const IndexTerm& term, std::size_t at,
                                                 bool also_limited, int depth) const;

  const Tokens& m_body;
  std::vector<Range> m_leaving;  // conditions of `if (...) return;`
  std::map<std::string, std::vector<Definition>> m_definitions;
  std::map<std::string, std::vector<Limit>> m_limits;
  std::map<std::string, std::optional<IndexTerm>> m_moved;  // changed by -= or +=, and by how much
  std::set<std::string> m_changed;                          // in any other way
  std::set<std::string> m_indices;
};

[[nodiscard]] bool is_larger(const IndexTerm& a, const IndexTerm& b);

/// The product with the largest magnitude: n in `n - 1`. A quotient counts as a factor:
/// "(n / 4)" in `n / 4`. `more`: the sum of the constants beside it. Absent if there is none.
[[nodiscard]] std::optional<UpperBound> largest_product(const Tokens& text);

}  // namespace gtune
