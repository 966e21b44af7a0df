#pragma once

#include <string>

namespace gtune {

/// A line on standard error that is drawn over and goes away at the end, if that is a terminal.
class TransientLine {
 public:
  TransientLine();
  ~TransientLine() { clear(); }
  TransientLine(const TransientLine&) = delete;
  TransientLine& operator=(const TransientLine&) = delete;

  [[nodiscard]] bool is_terminal() const { return m_is_terminal; }
  /// Replaces what is drawn. Without a terminal, does nothing.
  void draw(const std::string& text);
  void clear();

 private:
  bool m_is_terminal;
  bool m_is_drawn = false;
};

}  // namespace gtune
