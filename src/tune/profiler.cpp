#include "tune/profiler.hpp"

#include <algorithm>

#include "model/error.hpp"
#include "profile/familiar_metrics.hpp"

namespace gtune {
namespace {

/// CUPTI counts one launch at a time, so there are no metrics of several launches together.
std::string why_not_counted(const Measure& run) {
  const auto timed = std::count_if(run.steps.begin(), run.steps.end(),
                                   [](const StepPlan& step) { return !step.setup; });
  const bool launches = std::any_of(run.steps.begin(), run.steps.end(), [](const StepPlan& step) {
    return !step.setup && std::holds_alternative<KernelLaunch>(step.action);
  });
  if (timed > 0 && !launches) return "counters are of a launch, and this has only copies and fills";
  if (timed <= 1) return "";
  return "counters are of one launch, and this is " + std::to_string(timed) + " steps";
}

ProfileReply ask_lead(const Environment& env, const Measure& run,
                      const std::vector<std::string>& metrics) {
  if (std::string reason = why_not_counted(run); !reason.empty()) {
    ProfileReply reply;
    reply.reason = std::move(reason);
    return reply;
  }
  return env.workers.on_lead([&](RestartingWorker& worker) {
    return worker.ask(Profile{run, metrics});
  });
}

}  // namespace

ProfileReply Profiler::take(const FindRun& find_run, const std::vector<std::string>& metrics) {
  const bool patches = is_patched_in(metrics.front());
  if (patches && !m_why_unpatched.empty()) {
    ProfileReply reply;
    reply.reason = m_why_unpatched;
    return reply;
  }
  ProfileReply reply = m_asking.ask([&] {
    ProfileReply taken;
    const auto run = find_run(taken.reason);
    if (!run) return taken;
    try {
      taken = ask_lead(m_env, *run, metrics);
    } catch (const UserError& error) {
      taken.unavailable = true;
      taken.reason = error.what();
    }
    return taken;
  });
  if (patches && reply.worker_lost) m_why_unpatched = reply.reason;
  return reply;
}

}  // namespace gtune
