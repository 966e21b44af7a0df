#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "cli/transient_line.hpp"
#include "tune/observer.hpp"

namespace gtune {

/// Shows a run's progress on standard error: on a terminal one line that is redrawn, otherwise
/// a line now and then. Notes go above it.
class ProgressLine : public RunObserver {
 public:
  enum class Style { automatic, quiet };

  explicit ProgressLine(Style style);

  void on_progress(const Progress& progress) override;
  void on_note(const std::string& line) override;
  void on_measurement(const Measurement& measurement) override;
  /// Sets what begins each of the following lines: "3/60 M=1024: ".
  void begin_part(std::string part) {
    m_part = std::move(part);
    m_stage.clear();  // even the same stage is news of this part
    m_latest.reset();
  }
  /// The last progress of the present part; absent before the first.
  [[nodiscard]] const std::optional<Progress>& latest() const { return m_latest; }
  /// Erases the line on the terminal.
  void clear() { m_line.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  bool m_quiet;
  TransientLine m_line;
  std::string m_stage;
  std::string m_part;
  std::optional<Progress> m_latest;
  Clock::time_point m_last{};
  std::uint64_t m_done = 0;
  Clock::time_point m_done_since{};
};

/// "search  312/2600,  31/s, 1:14 left, best 2.7312 ms: BM=128,...". `stands_still`: also says what
/// is being waited for, "waiting for 2 measurements".
[[nodiscard]] std::string progress_text(const Progress& progress, bool stands_still = false);

}  // namespace gtune
