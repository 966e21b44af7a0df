#include "measure/step_timer.hpp"

#include <map>

#include "measure/wait.hpp"
#include "model/statistics.hpp"

namespace gtune {

StepTimer::StepTimer(StepSequence& steps, const Stream& stream, double time_limit_ms)
    : m_steps(steps), m_stream(stream), m_time_limit_ms(time_limit_ms) {}

std::vector<StepTime> StepTimer::take(const std::function<void()>& prepare) {
  std::vector<Event> events(m_steps.size() + 1);
  std::vector<std::string> names;                      // in order, each once
  std::map<std::string, std::vector<double>> samples;  // one per pass, the sum over repeats
  for (int pass = 0; pass < passes; ++pass) {
    prepare();
    events.front().record(m_stream);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
      m_steps.queue_step(i);
      events[i + 1].record(m_stream);
    }
    wait_for(events.back(), m_time_limit_ms);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
      std::vector<double>& own = samples[m_steps.name(i)];
      if (own.empty()) names.push_back(m_steps.name(i));
      own.resize(static_cast<std::size_t>(pass) + 1);
      own.back() += elapsed_ms(events[i], events[i + 1]);
    }
  }
  std::vector<StepTime> times;
  for (const std::string& name : names) times.push_back({name, median(samples[name])});
  return times;
}

}  // namespace gtune
