#include "score/seeded_run.hpp"

#include <ctime>
#include <deque>

#include "search/stop_rule.hpp"
#include "search/strategy.hpp"

namespace gtune {
namespace {

/// CPU time of this thread: other threads and other programs do not count.
double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace

SeededRun run_seeded(const RecordedSpace& recorded, std::string_view strategy, std::uint64_t seed,
                     const RunLimits& limits, const std::function<bool()>& interrupted) {
  SeededRun run;
  const double start = thread_cpu_ms();
  const auto search = make_strategy(strategy, recorded.space, seed, recorded.amounts);
  std::deque<std::size_t> outstanding;
  double elapsed_ms = 0;
  double best = recorded.optimum_ms * 1e30;
  StopRule rule(recorded.space);
  const auto is_done = [&] {
    return best <= recorded.optimum_ms && (run.own_end || !rule.expected_gain());
  };
  while (!is_done() && (run.evaluations < limits.evaluations || elapsed_ms < limits.elapsed_ms)) {
    while (outstanding.size() < limits.outstanding) {
      if (interrupted()) return run;
      const auto index = search->ask();
      if (!index) break;
      outstanding.push_back(*index);
    }
    if (outstanding.empty()) break;
    const std::size_t index = outstanding.front();
    outstanding.pop_front();
    ++run.evaluations;
    elapsed_ms += recorded.evaluation_ms[index];
    const auto& cost = recorded.costs_ms[index];
    if (cost && *cost < best) {
      best = *cost;
      run.improvements.push_back({run.evaluations, elapsed_ms, best});
    }
    search->tell(index, cost);
    rule.tell(cost, search->expected_gain());
    if (!run.own_end && rule.is_over()) run.own_end = {run.evaluations, best};
    if (const auto wanted = search->wants_metrics()) {
      search->tell_metrics(*wanted, recorded.metrics[*wanted]);
    }
  }
  run.cpu_ms = thread_cpu_ms() - start;
  return run;
}

}  // namespace gtune
