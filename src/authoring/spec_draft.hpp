#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "authoring/first_spec.hpp"
#include "authoring/index_outline.hpp"
#include "authoring/name_guess.hpp"

namespace gtune {

/// The number of pointers in a first spec's pointer table.
inline constexpr std::int64_t tables_of_a_batch = 2;

struct DraftSize {
  std::string name;
  std::string help;
  std::optional<std::int64_t> value;
  bool is_extent = true;                   // whether buffers grow with it
  bool is_fixed = false;                   // the source defines it, so it has no other value
  std::vector<std::int64_t> choices = {};  // empty: any value
  std::string structure = {};              // the argument of which it is a member
  std::string spans = {};  // a pitch: what it must be at least, in the names of the source
};

struct DraftParameter {
  std::string name;
  std::vector<std::int64_t> values;
  std::string what;
  std::vector<std::string> words = {};  // values that are not integers
};

/// The sizes and parameters of a first spec, and the translation of the source's names to them.
class SpecDraft {
 public:
  SpecDraft(const KernelFacts& facts, const IndexOutline& indices);

  [[nodiscard]] const std::vector<DraftSize>& sizes() const { return m_sizes; }
  [[nodiscard]] const std::vector<DraftParameter>& params() const { return m_params; }
  [[nodiscard]] const std::string& entry() const { return m_entry; }
  /// Keys of [kernel]: macros as `NAME = "size"`, options as `-DNAME=1.0f`.
  [[nodiscard]] const std::vector<std::string>& macros() const { return m_macros; }
  [[nodiscard]] const std::vector<std::string>& options() const { return m_options; }

  /// Translates an expression of the source's names to the spec's names. Absent if a name has no
  /// meaning in the spec, or the text is empty.
  [[nodiscard]] std::optional<std::string> translate(const std::string& text) const;
  /// Sorts each pitch after the sizes that it spans, which may be pitches too: a matrix's stride
  /// may be a multiple of its row's. The launch must be known.
  void order_pitches();
  /// The default of a pitch as an expression of other sizes; absent if none is known. The launch
  /// must be known.
  [[nodiscard]] std::optional<std::string> default_of_pitch(const DraftSize& size) const;
  /// Whether an expression of the spec names a parameter.
  [[nodiscard]] bool names_parameter(const std::string& text) const;
  /// From now on the source's `word` translates to `text`.
  void set_meaning(const std::string& word, const std::string& text);

  /// Adds a parameter that the source does not have, such as a block size. Returns its name, which
  /// is no word of the source: a parameter is a macro.
  std::string add_param(std::string wanted, std::vector<std::int64_t> values,
                        const std::string& what);
  /// Removes a parameter's values above `most`; if none remains, `most` becomes its only value.
  /// Unknown names are ignored.
  void limit_values(const std::string& param, std::int64_t most);
  /// Gives a parameter other values if its own are no more than a guess from its name. Unknown
  /// names are ignored.
  void replace_guess(const std::string& param, const std::vector<std::int64_t>& values);
  /// Adds a size that the kernel has no name for: the number of rows, one per block. Returns its
  /// name.
  std::string add_rows(const std::string& wanted = "rows") {
    return add_size(wanted, "blocks of the grid", std::nullopt);
  }
  /// The parameter whose name means threads along an axis; may be empty.
  [[nodiscard]] std::string block_param(std::size_t axis) const { return m_block.at(axis); }

  /// The product of all extents, which bounds any index into them. With `structure`, of those that
  /// are members of this argument, if it has any.
  [[nodiscard]] std::string product(const std::string& structure = "") const;
  /// The extent whose name implies this axis; may be empty.
  [[nodiscard]] std::string extent_along(std::size_t axis) const;
  /// The extent at `index`, counted from 0; the first size if there are fewer.
  [[nodiscard]] std::string extent(std::size_t index) const;
  /// An extent that the kernel's code does not name: only the grid can depend on it. None of
  /// `others`; may be empty.
  [[nodiscard]] std::string extent_of_grid(const std::set<std::string>& others) const;
  /// The size whose name means a batch; may be empty.
  [[nodiscard]] std::string batch() const;

 private:
  std::string take_name(const std::string& wanted);
  std::string add_size(const std::string& wanted, const std::string& help,
                       std::optional<std::int64_t> value);
  [[nodiscard]] NameMeaning meaning(const std::string& name,
                                    std::optional<std::int64_t> value) const;
  std::string add_own_param(const std::string& wanted, std::vector<std::int64_t> values,
                            const std::string& what);
  void read_template();
  [[nodiscard]] std::string template_argument(std::size_t index);
  std::string keep_argument(std::size_t index);
  /// Returns the template argument for the entry.
  std::string read_template_value(std::size_t index);
  /// A size with these values that selects what is computed.
  std::string add_choice(const std::string& name, std::vector<std::int64_t> values,
                         std::int64_t usual);
  void read_fixed_sizes();
  void read_macro(const SettableMacro& macro);
  /// `is_chosen`: the source shows the choices, so the meaning is not a guess.
  void add_tuned(const std::string& wanted, const std::string& what,
                 std::vector<std::int64_t> values, bool is_chosen);
  void read_argument(std::size_t index);
  void read_struct(std::size_t index);
  void note_pitch(const std::string& spelled);

  const KernelFacts& m_facts;
  std::set<std::string> m_of_launch;                  // names that determine a block or its tile
  std::set<std::string> m_bounds;                     // names that limit indices
  const std::map<std::string, std::string>& m_spans;  // see IndexOutline
  std::set<std::string> m_counts;                     // names that count the elements of arguments
  std::set<std::string> m_taken;
  std::vector<DraftSize> m_sizes;
  std::vector<DraftParameter> m_params;
  std::string m_entry;
  std::vector<std::string> m_macros;
  std::vector<std::string> m_options;
  std::map<std::string, std::string> m_meanings;
  std::array<std::string, 3> m_block;
};

}  // namespace gtune
