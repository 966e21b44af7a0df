#pragma once

#include <chrono>

#include "worker/messages.hpp"

namespace gtune {

/// How long to wait for a silent worker before it is killed.
struct WorkerLimits {
  std::chrono::milliseconds start = std::chrono::seconds(120);  // the driver may be slow to wake
  std::chrono::milliseconds open_problem = std::chrono::seconds(300);
  std::chrono::milliseconds profile = std::chrono::seconds(300);
  std::chrono::milliseconds grace = std::chrono::seconds(10);  // beyond what a kernel may take
  /// Remote workers: when to tell the user that none answers.
  std::chrono::milliseconds patience = std::chrono::seconds(5);
  /// Remote workers: how long they wait for a sign of their tuner before they end.
  std::chrono::milliseconds silence = default_silence;

  /// For each request, how long its reply may take.
  [[nodiscard]] std::chrono::milliseconds of(const Hello&) const { return start; }
  [[nodiscard]] std::chrono::milliseconds of(const Prepare&) const { return start; }
  [[nodiscard]] std::chrono::milliseconds of(const OpenProblem&) const { return open_problem; }
  [[nodiscard]] std::chrono::milliseconds of(const Measure& request) const {
    // Check, warm-up and a second check, each a launch, and the sampling between them. Several
    // steps are first tried one by one.
    const double launches = request.time_limit_ms * (request.steps.size() > 1 ? 5 : 4) *
                            (request.time ? request.mode.launches_of_sample() : 1);
    const double samples = request.time ? request.sampling.max_seconds * 4000 : 0;
    return std::chrono::milliseconds(static_cast<std::int64_t>(launches + samples)) + grace;
  }
  [[nodiscard]] std::chrono::milliseconds of(const Profile&) const { return profile; }
  [[nodiscard]] std::chrono::milliseconds of(const MeasureEnergy& request) const {
    // The first launches, those that are queued ahead, and the few seconds of the series.
    constexpr double launches = 10;
    constexpr double series_ms = 5000;
    return std::chrono::milliseconds(
               static_cast<std::int64_t>(launches * request.run.time_limit_ms + series_ms)) +
           grace;
  }
  [[nodiscard]] std::chrono::milliseconds of(const SampleLines&) const { return profile; }
};

}  // namespace gtune
