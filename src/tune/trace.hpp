#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "model/checked_json.hpp"

namespace gtune {

/// A timeline of the processes and threads of a run. Thread-safe.
class Trace {
 public:
  using Clock = std::chrono::steady_clock;

  struct Span {
    std::string lane;  // "tuner", "compiler 2", "device 0"
    std::string name;  // "compile", "check", "time", "ask", ...
    Clock::time_point begin;
    Clock::time_point end;
    std::string detail;  // usually a configuration
  };

  void add(Span span);
  /// Adds statistics of a problem's search.
  void add_summary(nlohmann::json summary);
  /// The trace in Chrome's trace format, which Perfetto reads as well. Times are in us since the
  /// trace was created.
  [[nodiscard]] std::string json() const;

 private:
  mutable std::mutex m_mutex;
  Clock::time_point m_start = Clock::now();
  std::vector<Span> m_spans;
  nlohmann::json m_summaries = nlohmann::json::array();
};

/// A span of the tuner's own thread that lasts as long as the object. Does nothing without a trace.
class TunerSpan {
 public:
  TunerSpan(Trace* trace, const char* name) : m_trace(trace), m_name(name) {}
  ~TunerSpan() {
    if (m_trace != nullptr) m_trace->add({"tuner", m_name, m_begin, Trace::Clock::now(), ""});
  }
  TunerSpan(const TunerSpan&) = delete;
  TunerSpan& operator=(const TunerSpan&) = delete;

 private:
  Trace* m_trace;
  const char* m_name;
  Trace::Clock::time_point m_begin = Trace::Clock::now();
};

}  // namespace gtune
