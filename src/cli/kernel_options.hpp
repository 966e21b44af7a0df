#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// Problem sizes as the user gave them: one option for each size of the spec.
class SizeOptions {
 public:
  void add_to(CLI::App& command, const KernelSpec& spec);
  /// Every problem that the given sizes span. Throws UserError naming the option.
  [[nodiscard]] std::vector<Problem> problems(const KernelSpec& spec) const;
  /// The sizes that were given, by name. Throws UserError naming the option.
  [[nodiscard]] std::map<std::string, std::vector<std::int64_t>> values(
      const KernelSpec& spec) const;
  /// True if at least one size was given.
  [[nodiscard]] bool any() const;
  /// The problem if the sizes name exactly one. Throws UserError for lists.
  [[nodiscard]] Problem single(const KernelSpec& spec) const;

 private:
  struct Given {
    std::string text;
    CLI::Option* option = nullptr;  // tells an empty text from none
  };
  std::map<std::string, Given> m_given;  // by size; a map, as CLI11 keeps pointers to the texts
};

}  // namespace gtune
