#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "authoring/local_names.hpp"

namespace gtune {

/// Tells how many elements an index reaches: its largest product, with limits in place of
/// variables, and what is added to that at the same pitch.
class ElementBound {
 public:
  /// `tiles`: the elements per block along each axis, as far as they are known.
  ElementBound(const LocalNames& locals, const std::vector<std::string>& arguments,
               const std::array<std::optional<IndexTerm>, 3>& tiles)
      : m_locals(locals), m_arguments(arguments), m_tiles(tiles) {}

  /// A bound above every value of the index at `at`; absent if it is not understood. `is_end`: the
  /// index may be one past the last that is used; sizes in it are not added.
  [[nodiscard]] std::optional<UpperBound> of_index(Tokens index, std::size_t at, bool is_end) const;

  /// An upper bound that adds up what parts of an array follow each other, such as two tiles: "A *
  /// K + B * K". Empty if the index is not understood, or has one part alone.
  [[nodiscard]] std::string sum_of_index(const Tokens& index, std::size_t at) const;

  /// What the index at `at` has beside multiples of each argument: `n` for the pitch of
  /// `row * pitch + col` if col < n, which is the least that the pitch may be.
  [[nodiscard]] std::map<std::string, UpperBound> spans(const Tokens& index, std::size_t at) const;

  /// Makes a bound large enough for another one as well.
  void extend(UpperBound& bound, const UpperBound& other) const;

  /// Assumes that problem sizes exceed tile sizes, and that extents across all blocks exceed those
  /// within one.
  [[nodiscard]] bool reaches_further(const IndexTerm& a, const IndexTerm& b) const;

 private:
  using Terms = std::vector<IndexTerm>;

  /// A term of an index with its limit.
  struct Part {
    IndexTerm term;
    UpperBound limit;
    bool varies = false;
    std::string variable;  // the only factor that varies; empty if none or several do
    IndexTerm pitch;       // the factors that do not vary
  };

  [[nodiscard]] std::optional<UpperBound> of_terms(const Terms& terms, std::size_t at,
                                                   bool is_end) const;
  [[nodiscard]] Part part_of(const IndexTerm& term, const UpperBound& limit) const;
  [[nodiscard]] bool varies(const std::string& factor) const;
  [[nodiscard]] const Part* largest_of(const std::vector<Part>& parts) const;
  [[nodiscard]] static bool has_sum_of_pitches(const std::vector<Part>& parts, const Part& largest,
                                               const Terms& terms);
  [[nodiscard]] static bool is_within_pitches(const Part& part, const std::vector<Part>& parts,
                                              const Part& largest);
  [[nodiscard]] bool is_added(const Part& part, const Part& largest, std::size_t at) const;
  [[nodiscard]] bool is_size_added(const Part& part, const Part& largest, std::size_t at) const;
  [[nodiscard]] static bool leaves_room(const UpperBound& guard, const IndexTerm& count);
  [[nodiscard]] bool is_of_tile(const IndexTerm& term) const;
  [[nodiscard]] bool moves_in_steps(const std::string& variable, const IndexTerm& step,
                                    std::size_t at) const;
  [[nodiscard]] bool is_within_tile(const IndexTerm& term, const Terms& terms,
                                    std::size_t at) const;
  [[nodiscard]] bool places_tile(const IndexTerm& term, std::size_t at) const;
  [[nodiscard]] IndexTerm with_extents(IndexTerm term) const;
  [[nodiscard]] IndexTerm with_limits(const IndexTerm& term, std::size_t at) const;
  [[nodiscard]] std::optional<UpperBound> limit_of(const IndexTerm& term, std::size_t at) const;

  const LocalNames& m_locals;
  const std::vector<std::string>& m_arguments;
  const std::array<std::optional<IndexTerm>, 3>& m_tiles;
};

/// "n", "n + 1"; fewer than the product is no matter.
[[nodiscard]] std::string text_of(const UpperBound& bound);

/// Whether it is one of the arguments, or a member of one: "params.width".
[[nodiscard]] bool is_among(const std::vector<std::string>& arguments, const std::string& name);

/// The arguments among the factors of a term.
[[nodiscard]] std::vector<std::string> pitch_of(const IndexTerm& term,
                                                const std::vector<std::string>& arguments);

}  // namespace gtune
