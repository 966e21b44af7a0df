#pragma once

#include <mutex>
#include <string>

#include "model/one_line.hpp"
#include "system/output_tail.hpp"

namespace gtune {

/// Shows lines of a remote process to the user: safe for a terminal, shortened, and no more of them
/// than anybody reads. Thread-safe.
class ShownLines {
 public:
  explicit ShownLines(OutputTail::LineListener show) : m_show(std::move(show)) {}

  void add(const std::string& line) {
    const std::scoped_lock lock(m_mutex);
    if (m_count > most_lines) return;
    ++m_count;
    m_show(m_count > most_lines ? "further lines on standard error are not shown"
                                : one_line(line, most_bytes));
  }

  static constexpr int most_lines = 100;
  static constexpr std::size_t most_bytes = 400;

 private:
  OutputTail::LineListener m_show;
  std::mutex m_mutex;
  int m_count = 0;
};

}  // namespace gtune
