#pragma once

#include <functional>
#include <vector>

#include "measure/step_sequence.hpp"
#include "model/measurement.hpp"

namespace gtune {

/// Times each step of a sequence separately. A pass runs all steps in their order on one stream
/// with events between them; repeats of a step are added up. The whole sequence is timed without
/// these events, so the steps need not add up to its time.
class StepTimer {
 public:
  StepTimer(StepSequence& steps, const Stream& stream, double time_limit_ms);

  /// Returns medians over a few passes. `prepare` queues the work before a pass.
  [[nodiscard]] std::vector<StepTime> take(const std::function<void()>& prepare);

 private:
  static constexpr int passes = 5;

  StepSequence& m_steps;
  const Stream& m_stream;
  double m_time_limit_ms;
};

}  // namespace gtune
