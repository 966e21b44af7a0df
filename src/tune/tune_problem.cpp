#include "tune/tune_problem.hpp"

#include "spec/evaluate.hpp"
#include "tune/baseline_phase.hpp"
#include "tune/compile_ahead.hpp"
#include "tune/energy_race.hpp"
#include "tune/final_phase.hpp"
#include "tune/open_problem.hpp"
#include "tune/search_phase.hpp"
#include "tune/shared_measurements.hpp"
#include "tune/winner_check.hpp"

namespace gtune {
namespace {

RunInfo run_info(const Environment& env, const RunSettings& settings, const MeasurementKey& key,
                 const Problem& problem, const RunIdentity& identity) {
  RunInfo info;
  info.key = key;
  info.flops = work_flops(env.spec, problem);
  info.bytes = work_bytes(env.spec, problem);
  info.objective = settings.objective;
  info.strategy = settings.strategy;
  info.budget = settings.budget.text();
  info.seed = settings.seed;
  info.command_line = settings.command_line;
  info.space_signature = identity.space_signature;
  info.whole_space = identity.whole_space;
  return info;
}

// Enough to pass a family of configurations that all fail on the same awkward size.
constexpr int most_finals = 10;

/// The finalists that pass, in order, and whether the first was checked on awkward sizes.
struct FinalResult {
  std::vector<Finalist> ranked;
  bool verified = false;
};

/// Checks the ranked finalists in turn until one passes. The first remaining one is the winner.
FinalResult check_winner(ProblemState& state, std::vector<Finalist> ranked) {
  while (!ranked.empty()) {
    state.report("check");
    const AwkwardResult result = check_awkward(state, ranked.front().measurement.config);
    if (!result.failure) return {std::move(ranked), result.performed};
    const Measurement& wrong = ranked.front().measurement;
    state.environment.observer.on_note(wrong.config.text() + " is wrong " + *result.failure +
                                       "; the next best is taken");
    state.disqualify(wrong, Status::wrong_result, *result.failure);
    ranked.erase(ranked.begin());
  }
  return {};
}

/// The finalists, the best by the run's objective first.
std::vector<Finalist> ranked_finalists(ProblemState& state) {
  std::vector<Finalist> by_time = run_finals(state);
  if (state.settings.objective == Objective::time || by_time.empty()) return by_time;
  return EnergyRace(state, std::move(by_time)).run();
}

/// Runs finals, each with the best remaining configurations, until one has a winner.
FinalResult find_winner(ProblemState& state) {
  FinalResult found = check_winner(state, ranked_finalists(state));
  for (int held = 1; found.ranked.empty() && state.best_ms() && held < most_finals; ++held) {
    const Environment& env = state.environment;
    open_problem(env, env.case_on_lead(state.problem, state.space.config(0)), ProblemRole::measured,
                 state.settings);
    found = check_winner(state, ranked_finalists(state));
  }
  return found;
}

/// Runs baselines and finals on the lead alone, since differences between devices must not decide.
/// If the lead drops out, starts again on the next device.
FinalResult decide(ProblemState& state) {
  for (;;) {
    state.follow_lead();
    try {
      compile_ahead(state);
      run_baselines(state);
      return find_winner(state);
    } catch (const LeadLost&) {  // reported when it dropped out
    }
  }
}

nlohmann::json summary_of(const ProblemState& state) {
  const SearchUse& use = state.search_use();
  return {{"problem", state.problem.text()},
          {"seconds", use.seconds},
          {"gpu_busy", use.gpu_busy},
          {"measured", use.measured}};
}

RunResult run_result(const ProblemState& state, const FinalResult& found) {
  RunResult result;
  result.summary.tried = static_cast<std::int64_t>(state.progress().done);
  result.summary.reused = static_cast<std::int64_t>(state.progress().reused);
  result.summary.by_status = state.progress().by_status;
  result.summary.elapsed_s = state.clock.seconds();
  result.summary.ended_at_gain = state.search_use().ended_at_gain;
  result.verified = found.verified;
  if (found.ranked.empty()) return result;
  result.winner = found.ranked.front().id;
  for (std::size_t i = 1; i < found.ranked.size(); ++i) {
    if (found.ranked[i].ties_with_best) result.ties.push_back(found.ranked[i].id);
  }
  return result;
}

}  // namespace

std::optional<EndedRun> find_answering(const Environment& env, const RunSettings& settings,
                                       const std::vector<MeasurementKey>& keys,
                                       const Problem& problem, const RunIdentity& identity) {
  if (settings.fresh) return std::nullopt;
  auto run = find_ended(env, keys, problem, identity.space_signature);
  const bool wants_metrics =
      !settings.profile.metrics.empty() || settings.profile.energy || settings.profile.lines;
  if (run && run->database != &env.database && wants_metrics) {
    return std::nullopt;
  }
  return run;
}

ProblemOutcome tune_problem(const Environment& env, const RunSettings& settings,
                            const Problem& problem, const SearchSpace& space,
                            const RunIdentity& identity) {
  ProblemOutcome outcome;
  const MeasurementKey key =
      env.key(env.database.upsert_problem(env.identity.name, problem), settings.mode);
  outcome.keys = shared_keys(env.workers, key);
  outcome.ended_before = find_answering(env, settings, outcome.keys, problem, identity);
  if (outcome.ended_before) {
    const EndedRun& before = *outcome.ended_before;
    outcome.run = before.id;
    outcome.found = true;
    if (const auto result = before.database->load_result(before.id)) {
      outcome.search_use.ended_at_gain = result->summary.ended_at_gain;
    }
    return outcome;
  }
  require_energy(env, settings.objective);
  outcome.run = env.database.begin_run(run_info(env, settings, key, problem, identity));
  const int lost_before = env.workers.workers_lost();
  ProblemState state(env, settings, problem, space, key, outcome.run);
  run_search(state);
  if (env.trace != nullptr) env.trace->add_summary(summary_of(state));
  const FinalResult found = decide(state);
  env.database.finish_run(outcome.run, run_result(state, found));
  outcome.found = !found.ranked.empty();
  outcome.keys = shared_keys(env.workers, state.key());  // the lead may have changed
  outcome.unchecked = outcome.found ? 0 : state.in_race();
  outcome.configurations = space.size();
  outcome.search_use = state.search_use();
  outcome.workers_lost = env.workers.workers_lost() - lost_before;
  return outcome;
}

}  // namespace gtune
