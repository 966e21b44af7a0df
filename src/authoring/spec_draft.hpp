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

/// How many pointers a table of a first spec has.
inline constexpr std::int64_t tables_of_a_batch = 2;

struct DraftSize {
  std::string name;
  std::string help;
  std::optional<std::int64_t> value;
  bool is_extent = true;  // buffers grow with it
};

struct DraftParameter {
  std::string name;
  std::vector<std::int64_t> values;
  std::string what;
};

/// The names of a first spec, and what stands in them for the source's.
class SpecDraft {
 public:
  SpecDraft(const KernelFacts& facts, const IndexOutline& indices);

  [[nodiscard]] const std::vector<DraftSize>& sizes() const { return m_sizes; }
  [[nodiscard]] const std::vector<DraftParameter>& params() const { return m_params; }
  [[nodiscard]] const std::string& entry() const { return m_entry; }
  /// Of [kernel]: `NAME = "size"`, and definitions for the compiler.
  [[nodiscard]] const std::vector<std::string>& macros() const { return m_macros; }
  [[nodiscard]] const std::vector<std::string>& options() const { return m_options; }

  /// An expression of the source's names as one of the spec's; nothing where a name has no meaning
  /// there, or the text is empty.
  [[nodiscard]] std::optional<std::string> translate(const std::string& text) const;
  /// Whether an expression of the spec names a parameter.
  [[nodiscard]] bool names_parameter(const std::string& text) const;
  /// From now on `word` of the source is `text` in the spec.
  void set_meaning(const std::string& word, const std::string& text);

  /// A parameter of the launch, which the source does not have; its name.
  std::string add_param(const std::string& wanted, std::vector<std::int64_t> values,
                        const std::string& what);
  /// The parameter whose name says that it is the threads along an axis; may be empty.
  [[nodiscard]] std::string block_param(std::size_t axis) const { return m_block.at(axis); }

  /// Of all extents: more than any index over them reaches.
  [[nodiscard]] std::string product() const;
  /// The extent whose name says so; may be empty.
  [[nodiscard]] std::string extent_along(std::size_t axis) const;
  /// Counted from 0; the first where there are not as many.
  [[nodiscard]] std::string extent(std::size_t index) const;
  [[nodiscard]] std::string batch() const;

 private:
  std::string take_name(const std::string& wanted);
  std::string add_size(const std::string& wanted, const std::string& help,
                       std::optional<std::int64_t> value);
  [[nodiscard]] NameMeaning meaning(const std::string& name,
                                    std::optional<std::int64_t> value) const;
  void read_template();
  void read_macro(const SettableMacro& macro);
  /// `is_chosen`: the source shows that it is a choice.
  void add_tuned(const std::string& wanted, const std::string& what,
                 std::vector<std::int64_t> values, bool is_chosen);
  void read_argument(std::size_t index);
  void read_struct(std::size_t index);

  const KernelFacts& m_facts;
  std::set<std::string> m_of_launch;  // names that a block or its tile has
  std::set<std::string> m_bounds;     // names that indices are compared with
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
