#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "model/timing_mode.hpp"

namespace gtune {

/// --timing and --streams.
class TimingOptions {
 public:
  /// For commands that measure.
  void add_to_measuring(CLI::App& command);
  /// For commands that read what was measured.
  void add_to_reading(CLI::App& command);

  [[nodiscard]] TimingMode mode() const;
  /// What a command reads; absent: any mode.
  [[nodiscard]] std::optional<TimingMode> asked() const;

 private:
  void add_to(CLI::App& command, const std::string& timing_help, const std::string& streams_help);

  std::string m_order;  // empty: cold
  int m_streams = 1;
};

}  // namespace gtune
