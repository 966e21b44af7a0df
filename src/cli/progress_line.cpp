#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/one_line.hpp"
#include "model/words.hpp"
#include "report/timing_text.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;

std::string duration_text(double seconds) {
  const long whole = std::lround(std::max(0.0, seconds));
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// Until the configurations or the time run out, whichever is first.
std::optional<double> seconds_left(const Progress& progress, double rate) {
  std::optional<double> left;
  if (progress.total && rate > 0) {
    left = static_cast<double>(*progress.total - std::min(*progress.total, progress.done)) / rate;
  }
  if (progress.budget_seconds) {
    const double of_budget = *progress.budget_seconds - progress.seconds;
    left = left ? std::min(*left, of_budget) : of_budget;
  }
  return left;
}

/// What the search waits for.
std::string awaited_text(const Progress& progress) {
  if (progress.measuring > 0) return counted(progress.measuring, "measurement");
  return progress.compiling > 0 ? counted(progress.compiling, "compile") : "";
}

}  // namespace

std::string progress_text(const Progress& progress, bool stands_still) {
  // Numbers keep their width, so that the line does not jump.
  const std::string total = progress.total ? fmt::format("/{}", *progress.total) : "";
  const std::size_t digits = total.empty() ? 0 : total.size() - 1;
  std::string text = progress.stage;
  const bool counts = progress.done > 0 || progress.total;  // not while metrics are taken
  if (counts) text += fmt::format(" {:{}}{}", progress.done, digits, total);
  const auto measured = static_cast<double>(progress.done - progress.reused);
  const double rate = progress.seconds > 0 ? measured / progress.seconds : 0;
  if (rate > 0) text += fmt::format(", {:3.0f}/s", rate);
  if (const auto left = seconds_left(progress, rate); left && progress.stage == "search") {
    text += fmt::format(", {} left", duration_text(*left));
  }
  if (progress.reused > 0) text += fmt::format(", {} from the database", progress.reused);
  if (progress.best_ms) text += ", best " + time_text(*progress.best_ms);
  const std::string awaited = awaited_text(progress);
  if (stands_still && !awaited.empty()) text += ", waiting for " + awaited;
  if (progress.best_ms) text += ": " + progress.best.text();
  return text;
}

ProgressLine::ProgressLine(Style style) : m_quiet(style == Style::quiet) {}

void ProgressLine::on_progress(const Progress& progress) {
  m_latest = progress;
  if (m_quiet) return;
  const auto now = Clock::now();
  const auto interval = m_line.is_terminal() ? Clock::duration(100ms) : Clock::duration(10s);
  if (progress.stage == m_stage && now - m_last < interval) return;
  if (progress.stage != m_stage || progress.done != m_done) m_done_since = now;
  m_stage = progress.stage;
  m_done = progress.done;
  m_last = now;
  const bool stands_still = now - m_done_since >= 1s;
  const std::string text = one_line(m_part + progress_text(progress, stands_still));
  if (m_line.is_terminal()) {
    m_line.draw(text);
  } else {
    spdlog::info(text);
  }
}

void ProgressLine::on_note(const std::string& line) {
  clear();
  spdlog::info("note: {}", line);
}

void ProgressLine::on_measurement(const Measurement& m) {
  if (!spdlog::should_log(spdlog::level::debug)) return;
  clear();
  std::string line = fmt::format("{} {} {}", to_string(m.phase), to_string(m.status),
                                 m.label.empty() ? m.config.text() : m.label);
  if (m.timing) {
    line +=
        fmt::format(": {:.4f} ms, {} samples{}", m.timing->median_ms, m.timing->samples_ms.size(),
                    m.timing->discarded_early ? ", discarded early" : "");
  }
  if (!m.reason.empty()) line += ": " + m.reason;
  spdlog::debug(line);
}

}  // namespace gtune
