#pragma once

#include <functional>
#include <vector>

#include "measure/step_sequence.hpp"
#include "model/measurement.hpp"

namespace gtune {

/// Times each step of a sequence by itself, in passes over all of them in their order on one stream
/// with an event between two steps; the repeats of a step together. The whole is timed without
/// these events, so the steps need not add up to it.
class StepTimer {
 public:
  StepTimer(StepSequence& steps, const Stream& stream, double time_limit_ms);

  /// Medians over a few passes. `prepare` queues what comes before a pass.
  [[nodiscard]] std::vector<StepTime> take(const std::function<void()>& prepare);

 private:
  static constexpr int passes = 5;

  StepSequence& m_steps;
  const Stream& m_stream;
  double m_time_limit_ms;
};

}  // namespace gtune
