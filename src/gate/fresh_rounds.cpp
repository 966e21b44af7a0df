#include "gate/fresh_rounds.hpp"

#include "model/error.hpp"
#include "space/narrowing.hpp"
#include "spec/problem_sizes.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// More samples than in a search, since a round is to vary less than rounds do among themselves.
constexpr SamplingOptions round_sampling{10, 30, 100, 0.25, 0.002};

SessionOptions for_comparison(SessionOptions options, const ScratchFolder& folder) {
  options.database = folder.path() / "gate.db";
  options.measure_limits = false;
  return options;
}

Problem complete_problem(const KernelSpec& spec, const Problem& problem) {
  std::map<std::string, std::vector<std::int64_t>> given;
  for (const auto& [name, value] : problem.entries()) given[name] = {value};
  for (const ProblemSize& size : spec.sizes) {
    const auto value = problem.find(size.name);
    if (!value || is_allowed(size, *value)) continue;
    throw RoundFailed("size " + size.name + " is " + std::to_string(*value) + "; the spec allows " +
                      allowed_text(size));
  }
  return expand_problems(spec, given).front();
}

/// Runs a step whose failure is that of the configuration. A device that is gone is not.
template <typename Step>
auto or_failed(Step step) {
  try {
    return step();
  } catch (const UserError& error) {
    if (error.code() == ExitCode::no_device) throw;
    throw RoundFailed(error.what());
  }
}

void end_worker(const Environment& env) {
  env.workers.on_lead([](RestartingWorker& worker) { worker.end(); });
}

std::string failure_text(const Measurement& measurement) {
  std::string text(to_string(measurement.status));
  if (!measurement.reason.empty()) text += ": " + measurement.reason;
  return text;
}

}  // namespace

GateSession::GateSession(SessionOptions options, const KernelSpec& spec, RunObserver& observer,
                         std::function<bool()> interrupted)
    : m_session(for_comparison(std::move(options), m_folder), spec, observer,
                std::move(interrupted)) {
  end_worker(environment());
}

FreshRounds::FreshRounds(const GateSession& session, const RoundSettings& settings,
                         const Problem& problem, const Config& config)
    : m_environment(session.environment()) {
  m_settings.mode = settings.mode;
  m_settings.launch_limit_ms = settings.launch_limit_ms;
  or_failed([&] {
    const Problem complete = complete_problem(m_environment.spec, problem);
    m_config = parse_config(m_environment.spec, config.text(), "configuration");
    require_valid(m_environment.spec, {complete, m_config, m_environment.device()},
                  "configuration");
    compile(complete);
  });
}

void FreshRounds::compile(const Problem& problem) {
  const Environment& env = m_environment;
  m_space = SearchSpace::from_configs({&m_config, 1});
  m_state.emplace(env, m_settings, problem, m_space, MeasurementKey{}, RunId{});
  Candidate candidate{0, m_config, std::nullopt};
  const Case measured = env.case_on_lead(m_state->problem, m_config);
  if (env.pool != nullptr) {
    candidate.compiled =
        compile_now(*env.pool, env.interrupted, env.request(env.spec.steps, measured));
  }
  MeasurePlan plan;
  plan.sampling = round_sampling;
  Measurement measurement;
  m_request = request_for(*m_state, candidate, plan, measurement);
  if (!m_request) throw RoundFailed(failure_text(measurement));
}

MeasureReply FreshRounds::measure() {
  const Environment& env = m_environment;
  if (!m_opened) {
    open_problem(env, env.case_on_lead(m_state->problem, m_config), ProblemRole::measured,
                 m_settings);
    m_opened = true;
  }
  return env.workers.on_lead([&](RestartingWorker& worker) {
    MeasureReply reply = worker.ask(*m_request);  // in a new process, on the same problem
    worker.end();
    return reply;
  });
}

double FreshRounds::next_ms() {
  if (m_environment.interrupted()) throw Interrupted();
  MeasureReply reply = or_failed([&] { return measure(); });
  const bool performed = reply.performed;
  Measurement measurement;
  measurement.config = m_config;
  adopt_reply(measurement, std::move(reply));
  m_state->clock.spend_ms(0, measurement.gpu_ms);
  if (!performed) throw RoundFailed(measurement.reason);
  static_cast<void>(keep_after_compile(*m_state, measurement));
  if (!measurement.ok() || !measurement.timing) throw RoundFailed(failure_text(measurement));
  return measurement.timing->median_ms;
}

}  // namespace gtune
