#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gtune {

/// The text of a kernel's own files, by the names that line profiles have for them.
class SourceTexts {
 public:
  void add(const std::string& name, const std::string& text);

  /// The file's lines; null if it is not one of the kernel's own.
  [[nodiscard]] const std::vector<std::string>* find(const std::string& name) const;
  /// A line without leading space; empty if there is none. `number`: from 1 on.
  [[nodiscard]] std::string line(const std::string& name, int number) const;

 private:
  std::map<std::string, std::vector<std::string>> m_lines;
};

/// A line that fits into a table: at most `most` bytes, then "...".
[[nodiscard]] std::string short_code(const std::string& line, std::size_t most);

}  // namespace gtune
