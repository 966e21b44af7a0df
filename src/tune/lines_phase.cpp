#include "tune/lines_phase.hpp"

#include <optional>

#include "model/error.hpp"
#include "tune/finalists_and_baselines.hpp"
#include "tune/own_file_names.hpp"
#include "tune/relaunch.hpp"

namespace gtune {
namespace {

class LinesPhase {
 public:
  LinesPhase(ProblemState& state, MetricTakers& takers)
      : m_state(state), m_env(state.environment), m_takers(takers), m_relaunch(state) {}

  void run() {
    for (const StoredMeasurement& each : finalists_and_baselines(m_state)) {
      if (is_settled(each.id)) continue;
      if (m_env.interrupted()) throw Interrupted();
      m_state.report("lines");
      SampleLinesReply reply = sample(each.measurement);
      m_any = m_any || reply.profile.has_value();
      m_reason = reply.reason;
      m_env.database.insert_line_profile(each.id, {std::move(reply.profile), reply.reason});
    }
    if (!m_any && !m_reason.empty() && m_env.device().replayed) {
      m_env.observer.on_note("no source lines: " + m_reason);
    }
  }

 private:
  /// A recording does not change; on a GPU, a failed sampling is tried again.
  [[nodiscard]] bool is_settled(MeasurementId id) const {
    const auto known = m_env.database.load_line_profile(id);
    return known && (m_env.device().replayed || known->profile);
  }

  SampleLinesReply sample(const Measurement& measured) {
    return m_takers.lines.ask([&] {
      SampleLinesReply reply;
      if (!m_takers.opened.open(m_state, reply.reason)) return reply;
      try {
        const auto request = m_relaunch.request_of(measured, reply.reason);
        if (request) reply = ask_lead(*request);
        if (reply.profile) own_names().shorten(*reply.profile);
      } catch (const UserError& error) {  // the result is known without the lines
        reply.profile.reset();
        reply.unavailable = true;
        reply.reason = error.what();
      }
      return reply;
    });
  }

  SampleLinesReply ask_lead(const Measure& run) {
    return m_env.workers.on_lead(
        [&](RestartingWorker& worker) { return worker.ask(SampleLines{run}); });
  }

  /// Throws UserError, for example without the nvcc that knows where headers are.
  const OwnFileNames& own_names() {
    if (!m_names) m_names.emplace(m_env.spec, m_env.sources, m_state.space.config(0));
    return *m_names;
  }

  ProblemState& m_state;
  const Environment& m_env;
  MetricTakers& m_takers;
  Relaunch m_relaunch;
  bool m_any = false;                   // whether lines were sampled
  std::string m_reason;                 // why the last kernel has none
  std::optional<OwnFileNames> m_names;  // found on first use
};

}  // namespace

void run_lines(ProblemState& state, MetricTakers& takers) {
  if (state.settings.profile.lines) LinesPhase(state, takers).run();
}

}  // namespace gtune
