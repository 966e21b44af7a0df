#include "tune/energy_phase.hpp"

#include "model/error.hpp"
#include "tune/finalists_and_baselines.hpp"
#include "tune/relaunch.hpp"

namespace gtune {
namespace {

/// A recording does not change; on a GPU, a failed measurement is tried again.
bool is_settled(const std::vector<Metric>& known, bool replayed) {
  for (const Metric& metric : known) {
    if (metric.name == energy_metric) return replayed || metric.value.has_value();
  }
  return false;
}

std::vector<StoredMeasurement> find_unsettled(const ProblemState& state) {
  const Environment& env = state.environment;
  std::vector<StoredMeasurement> found = finalists_and_baselines(state);
  std::erase_if(found, [&](const StoredMeasurement& each) {
    return is_settled(env.database.load_metrics(each.id), env.device().replayed);
  });
  return found;
}

class EnergyPhase {
 public:
  EnergyPhase(ProblemState& state, MetricTakers& takers)
      : m_state(state), m_env(state.environment), m_takers(takers), m_relaunch(state) {}

  void run() {
    for (const StoredMeasurement& each : find_unsettled(m_state)) {
      if (m_env.interrupted()) throw Interrupted();
      m_state.report("energy");
      const MeasureEnergyReply reply = measure(each.measurement);
      m_env.database.insert_metrics(each.id, reply.energy ? energy_metrics(*reply.energy)
                                                          : missing_energy_metrics(reply.reason));
    }
  }

 private:
  MeasureEnergyReply measure(const Measurement& measured) {
    MeasureEnergyReply reply;
    reply.reason = m_why_ended;
    if (!m_why_ended.empty() || !m_takers.opened.open(m_state, reply.reason)) return reply;
    try {
      const auto request = m_relaunch.request_of(measured, reply.reason);
      if (request) reply = m_takers.energy.take(*request);
    } catch (const UserError& error) {  // the result is known without the energy
      reply.reason = m_why_ended = error.what();
      m_env.observer.on_note("no energy: " + m_why_ended);
    }
    return reply;
  }

  ProblemState& m_state;
  const Environment& m_env;
  MetricTakers& m_takers;
  Relaunch m_relaunch;
  std::string m_why_ended;  // after an error that no further request would survive
};

}  // namespace

void run_energy(ProblemState& state, MetricTakers& takers) {
  const RunSettings& settings = state.settings;
  if (settings.objective != Objective::time || settings.profile.energy) {
    EnergyPhase(state, takers).run();
  }
}

}  // namespace gtune
