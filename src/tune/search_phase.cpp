#include "tune/search_phase.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "model/possible_measurement.hpp"
#include "profile/familiar_metrics.hpp"
#include "search/stop_rule.hpp"
#include "search/strategy.hpp"
#include "space/launch_amounts.hpp"
#include "tune/baseline_phase.hpp"
#include "tune/compile_ahead.hpp"
#include "tune/compile_stage.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"
#include "tune/prior_configs.hpp"
#include "tune/profiler.hpp"
#include "tune/shared_measurements.hpp"

namespace gtune {
namespace {

/// Enough compiles to bridge a slow one, few enough for the search to learn in between.
constexpr std::size_t lookahead_beyond_threads = 4;
/// One candidate being measured and one waiting, so that a worker never waits for a round trip.
constexpr std::size_t most_per_worker = 2;

/// The indices of the baselines that are configurations of the tuned kernel.
std::deque<std::size_t> default_configurations(const ProblemState& state) {
  std::deque<std::size_t> indices;
  for (const Baseline& baseline : state.environment.spec.baselines) {
    if (!baseline.is_tuned_kernel) continue;
    const auto index = state.space.index_of(baseline_config(state, baseline));
    if (index && std::find(indices.begin(), indices.end(), *index) == indices.end()) {
      indices.push_back(*index);
    }
  }
  return indices;
}

/// One thread asks, tells and stores; the compilers and the workers wake it. Each iteration does
/// the one thing that would keep a GPU waiting longest.
class SearchPhase {
 public:
  explicit SearchPhase(ProblemState& state)
      : m_state(state),
        m_env(state.environment),
        m_reproducible(m_env.reproducible()),
        m_tried_first(default_configurations(state)),
        m_defaults_left(m_tried_first.begin(), m_tried_first.end()),
        m_first(std::max<std::uint64_t>(first_ones(m_env), m_tried_first.size())),
        m_per_worker(m_reproducible ? 1 : most_per_worker),
        m_keys(shared_keys(m_env.workers, state.key())),
        m_strategy(make_strategy(state.settings.strategy, state.space, state.settings.seed,
                                 launch_amounts(m_env.spec, state.problem, m_env.device()))),
        m_stop(state.space),
        m_stage(m_env, state.problem,
                m_reproducible ? CompileStage::Order::as_submitted : CompileStage::Order::as_ready),
        m_load(m_env.workers.members().size()),
        m_measured(m_env.workers.members().size()),
        m_profiler(state.environment) {
    if (state.settings.fresh) {
      load_seen_wrong();
      return;
    }
    load_stored();
    load_seen_wrong();
    for (const PriorConfig& prior : prior_configs(state)) {
      if (prior.is_same_problem) m_stop.know_winner();
      if (m_defaults_left.contains(prior.index)) continue;
      m_tried_first.push_back(prior.index);
      m_origins[prior.index] = prior.origin;
    }
  }
  ~SearchPhase() { m_env.workers.forget_waiting(); }

  /// Chooses the first configurations; compilers start with them while the workers become ready.
  void choose_first() {
    if (m_env.pool == nullptr) return;
    std::vector<std::size_t> compiled;
    const std::uint64_t most = std::min<std::uint64_t>(lookahead(), most_asked());
    while (m_chosen.size() < most) {
      const std::optional<std::size_t> index = choose();
      if (!index) break;
      m_chosen.push_back(*index);
      if (!m_stored.contains(*index)) compiled.push_back(*index);
    }
    const bool are_all = m_chosen.size() < most || most == most_asked() || !m_stored.empty();
    compile_first(m_state, compiled, are_all);
  }

  void run() {
    m_began = m_state.clock.seconds();
    set_total();
    SearchUse use;
    const WorkerPool::Usage before = m_env.workers.usage();
    search();
    use.gpu_busy = m_env.workers.busy_share(before);
    use.seconds = std::chrono::duration<double>(Trace::Clock::now() - before.since).count();
    use.measured = m_measured;
    use.best_so_far = best_so_far();
    use.spent_s = m_state.clock.seconds() - m_began;
    use.tried = m_state.progress().done;
    use.priors = m_priors;
    if (use.tried < m_state.space.size()) {
      if (has_converged()) use.ended_at_gain = m_stop.expected_gain()->gain;
      use.ended_by_time = out_of_time() && !use.ended_at_gain;
    }
    m_state.set_search_use(std::move(use));
    m_state.set_under_way(0, 0);
  }

 private:
  void search() {
    for (;;) {
      // Always asks for the same number before telling results: the strategy depends on the order.
      while (m_reproducible && ask_one()) continue;
      stop_if_interrupted();
      if (!waits_for_first()) {
        if (out_of_time()) return finish_under_way();
        if (has_converged()) {
          finish_under_way();
          if (has_converged()) return;  // else one of the last was notably faster
          continue;
        }
      }
      if (dispatch_one() || collect_one() || ask_one()) continue;
      if (under_way() == 0) return;
      use_idle_compilers();
      report();
      m_env.wakeup.wait_for(std::chrono::milliseconds(100));
    }
  }

  void load_stored() {
    for (auto& stored : load_reusable(m_env, m_keys, m_state.problem, Phase::search)) {
      // A lost compiler may have caused the error; real errors are in the cache.
      if (stored.measurement.status == Status::compile_error) continue;
      if (is_impossible_answer(stored.measurement)) continue;  // the worker's fault
      const auto index = m_state.space.index_of(stored.measurement.config);
      if (!index) continue;
      if (stored.id != MeasurementId{}) m_ids[*index] = stored.id;
      m_stored.emplace(*index, std::move(stored.measurement));
    }
  }

  /// A configuration that was ever wrong with this toolchain cannot win, not even in a fresh run: a
  /// data race may rarely show.
  void load_seen_wrong() {
    for (const Config& config : load_all_wrong(m_env, m_keys, m_state.problem)) mark_wrong(config);
  }

  void mark_wrong(const Config& config) {
    const auto index = m_state.space.index_of(config);
    if (!index) return;
    const auto [place, is_new] = m_stored.try_emplace(*index);
    if (!is_new && !place->second.ok()) return;  // keeps its status and reason
    Measurement& known = place->second;
    known = {};
    known.config = config;
    known.status = Status::wrong_result;
    known.reason = "seen wrong by an earlier run";
  }

  void set_total() {
    std::uint64_t total = m_state.space.size();
    const auto& budget = m_state.settings.budget;
    if (budget.configurations) total = std::min<std::uint64_t>(total, *budget.configurations);
    m_state.set_total(total);
  }

  /// The budget covers only the search, not compiling the reference or filling buffers.
  [[nodiscard]] bool out_of_time() const {
    const auto& seconds = m_state.settings.budget.seconds;
    return seconds && m_state.clock.seconds() - m_began >= *seconds;
  }

  [[nodiscard]] bool has_converged() const {
    return m_state.settings.budget.may_end_early && m_stop.is_over();
  }

  /// Whether what is under way is enough for the search to end, unless it brings news.
  [[nodiscard]] bool is_about_to_converge() const {
    return m_state.settings.budget.may_end_early && m_stop.is_over_after(under_way());
  }

  /// While the last results are awaited, compilers have nothing else to do.
  void use_idle_compilers() {
    if (is_about_to_converge() && !std::exchange(m_compiles_ahead, true)) compile_ahead(m_state);
  }

  /// One configuration for each compiler, since all compilers start at once.
  static std::uint64_t first_ones(const Environment& env) {
    return env.pool == nullptr || env.reproducible() ? 1 : env.pool->threads();
  }

  /// The first configurations are compiled and measured even if the time is over: otherwise a run
  /// has no result, or a winner that may be slower than a default.
  [[nodiscard]] bool waits_for_first() const {
    return !m_defaults_left.empty() || (!m_state.best_ms() && m_state.progress().done < m_first);
  }

  std::optional<std::size_t> next_index() {
    const TunerSpan span(m_env.trace, "ask");
    if (m_chosen.empty()) return choose();
    const std::size_t index = m_chosen.front();
    m_chosen.pop_front();
    return index;
  }

  /// Defaults first, then earlier winners, then the strategy's choices.
  std::optional<std::size_t> choose() {
    if (m_tried_first.empty()) return m_strategy->ask();
    const std::size_t index = m_tried_first.front();
    m_tried_first.pop_front();
    if (const auto origin = m_origins.find(index); origin != m_origins.end()) {
      ++m_priors[origin->second];
    }
    m_strategy->take(index);
    return index;
  }

  [[nodiscard]] std::size_t under_way() const {
    return m_stage.under_way() + m_ready.size() + m_measuring.size();
  }

  /// How many configurations may be asked for but not yet told.
  [[nodiscard]] std::size_t lookahead() const {
    const CompilePool* pool = m_env.pool;
    const std::size_t compiling = pool == nullptr ? 0 : pool->threads() + lookahead_beyond_threads;
    const std::size_t measuring = m_reproducible ? 0 : m_per_worker * m_env.workers.left();
    return std::max<std::size_t>(1, compiling + measuring);
  }

  [[nodiscard]] std::uint64_t most_asked() const {
    return m_state.settings.budget.configurations.value_or(
        std::numeric_limits<std::uint64_t>::max());
  }

  bool ask_one() {
    if (under_way() >= lookahead() || m_asked >= most_asked()) return false;
    if ((out_of_time() || is_about_to_converge()) && m_asked >= m_first) return false;
    const std::optional<std::size_t> index = next_index();
    if (!index) return false;
    ++m_asked;
    if (const auto stored = m_stored.find(*index); stored != m_stored.end()) {
      m_state.reuse(stored->second);
      tell(*index, stored->second);
    } else {
      m_stage.submit(*index, m_state.space.config(*index));
    }
    return true;
  }

  /// The worker with the fewest candidates; absent if all have enough.
  [[nodiscard]] std::optional<std::size_t> free_worker() const {
    std::optional<std::size_t> free;
    for (std::size_t i = 0; i < m_load.size(); ++i) {
      if (!m_env.workers.members()[i].lane || m_load[i] >= m_per_worker) continue;
      if (!free || m_load[i] < m_load[*free]) free = i;
      if (m_load[*free] == 0) break;
    }
    return free;
  }

  std::optional<Candidate> next_ready() {
    if (m_ready.empty()) return m_stage.next(std::chrono::milliseconds(0));
    Candidate candidate = std::move(m_ready.front());
    m_ready.pop_front();
    return candidate;
  }

  /// Sends a compiled candidate to a worker, or records why it needs no measurement.
  bool dispatch_one() {
    const auto worker = free_worker();
    if (!worker) return false;
    auto candidate = next_ready();
    if (!candidate) return false;
    if (m_wanted.erase(candidate->index) > 0) {
      profile(*candidate);
      return true;
    }
    MeasurePlan plan;
    // The best of all workers: devices of one model differ by less than the discard margin.
    if (m_state.settings.discard_early) plan.best_ms = m_state.best_ms();
    Measurement measurement;
    auto request = request_for(m_state, *candidate, plan, measurement);
    if (!request) {
      conclude(candidate->index, measurement, m_env.workers.lead_number());
      return true;
    }
    const std::uint64_t ticket = m_env.workers.submit(*worker, std::move(*request));
    m_measuring.emplace(ticket, Measuring{std::move(*candidate), std::move(measurement), *worker});
    ++m_load[*worker];
    return true;
  }

  /// Handles a finished measurement.
  bool collect_one() {
    auto outcome = m_env.workers.next_outcome();
    if (!outcome) return false;
    auto node = m_measuring.extract(outcome->ticket);
    if (node.empty()) return true;  // from an abandoned search
    Measuring& done = node.mapped();
    --m_load[done.worker];
    if (!outcome->reply) {
      m_ready.push_front(std::move(done.candidate));
      give_back(outcome->worker, outcome->failure);
      return true;
    }
    ++m_measured[done.worker];
    adopt_reply(done.measurement, std::move(*outcome->reply));
    // A recording has the resources of kernels that are not compiled now.
    if (!done.candidate.compiled) (void)keep_after_compile(m_state, done.measurement);
    conclude(done.candidate.index, done.measurement, done.worker);
    return true;
  }

  /// Drops a worker; others will measure its candidates.
  void give_back(std::size_t worker, const std::exception_ptr& failure) {
    m_env.workers.drop(worker, failure);
    take_back();
  }

  /// Takes back the candidates of workers that dropped out.
  void take_back() {
    for (auto it = m_measuring.begin(); it != m_measuring.end();) {
      if (m_env.workers.members()[it->second.worker].lane) {
        ++it;
        continue;
      }
      m_ready.push_back(std::move(it->second.candidate));
      --m_load[it->second.worker];
      it = m_measuring.erase(it);
    }
  }

  /// Waits for the candidates that workers already have.
  void finish_under_way() {
    while (!m_measuring.empty()) {
      stop_if_interrupted();
      if (collect_one()) continue;
      report();
      m_env.wakeup.wait_for(std::chrono::milliseconds(100));
    }
  }

  void conclude(std::size_t index, const Measurement& measurement, std::size_t worker) {
    {
      const TunerSpan span(m_env.trace, "store");
      m_ids[index] = m_state.record(measurement, worker);
    }
    tell(index, measurement);
    report();
  }

  [[nodiscard]] std::vector<double> best_so_far() const {
    std::vector<double> best;
    for (const Measurement& measurement : m_state.searched()) {
      if (!measurement.ok() && best.empty()) continue;
      const double ms = measurement.ok() ? measurement.timing->median_ms : best.back();
      best.push_back(best.empty() ? ms : std::min(best.back(), ms));
    }
    return best;
  }

  void stop_if_interrupted() {
    if (!m_env.interrupted()) return;
    report();  // what the user gets
    throw Interrupted();
  }

  void report() {
    m_state.set_under_way(m_stage.under_way(), m_measuring.size());
    m_state.report("search");
  }

  void tell(std::size_t index, const Measurement& measurement) {
    const TunerSpan span(m_env.trace, "tell");
    m_defaults_left.erase(index);
    const auto cost =
        measurement.ok() ? std::optional(measurement.timing->median_ms) : std::nullopt;
    m_strategy->tell(index, cost);
    m_stop.tell(cost, m_strategy->expected_gain());
    if (const auto wanted = m_strategy->wants_metrics()) find_metrics(*wanted);
  }

  /// Takes metrics from the database, or profiles the configuration after compiling it again,
  /// usually from the cache. Metrics of a measurement of --also have no row to belong to.
  void find_metrics(std::size_t index) {
    std::vector<Metric> known;
    if (const auto id = m_ids.find(index); id != m_ids.end()) {
      known = m_env.database.load_metrics(id->second);
    }
    if (!known.empty() || m_state.settings.profile.scope == ProfileScope::off) {
      return tell_metrics(index, known);
    }
    m_wanted.insert(index);
    m_stage.submit(index, m_state.space.config(index));
  }

  void profile(const Candidate& candidate) {
    Measurement unused;
    ProfileReply reply;
    if (auto run = request_for(m_state, candidate, {}, unused)) {
      run->time_limit_ms = m_state.settings.launch_limit_ms;  // counting is slow
      reply = m_profiler.take([&](std::string&) { return std::move(run); }, quick_metrics());
      take_back();  // the lead may have dropped out
    }
    if (const auto id = m_ids.find(candidate.index); id != m_ids.end()) {
      m_env.database.insert_metrics(id->second, reply.metrics);
    }
    tell_metrics(candidate.index, reply.metrics);
  }

  void tell_metrics(std::size_t index, const std::vector<Metric>& metrics) {
    m_strategy->tell_metrics(index, metrics);
    const bool any = std::any_of(metrics.begin(), metrics.end(),
                                 [](const Metric& metric) { return metric.value.has_value(); });
    if (std::exchange(m_judged_metrics, true) || any) return;
    m_env.observer.on_note(std::string(m_strategy->name()) + " has no hardware metrics to go by");
  }

  /// A candidate at a worker and its measurement so far.
  struct Measuring {
    Candidate candidate;
    Measurement measurement;
    std::size_t worker;
  };

  ProblemState& m_state;
  const Environment& m_env;
  const bool m_reproducible;
  double m_began = 0;                               // by the run's clock
  std::deque<std::size_t> m_tried_first;            // before the strategy's choices
  std::deque<std::size_t> m_chosen;                 // by choose_first(), not asked for yet
  std::unordered_set<std::size_t> m_defaults_left;  // not measured yet
  std::map<std::size_t, PriorOrigin> m_origins;     // of earlier winners among those
  std::map<PriorOrigin, int> m_priors;              // how many of these were tried
  const std::uint64_t m_first;                      // configurations measured regardless of time
  const std::size_t m_per_worker;
  const std::vector<MeasurementKey> m_keys;
  std::unique_ptr<Strategy> m_strategy;
  StopRule m_stop;
  CompileStage m_stage;
  std::deque<Candidate> m_ready;                   // compiled, returned by a worker that was lost
  std::map<std::uint64_t, Measuring> m_measuring;  // by ticket
  std::vector<std::size_t> m_load;                 // candidates at each worker
  std::uint64_t m_asked = 0;
  bool m_compiles_ahead = false;
  std::vector<std::int64_t> m_measured;  // by worker
  std::unordered_map<std::size_t, Measurement> m_stored;
  std::unordered_map<std::size_t, MeasurementId> m_ids;  // of present and earlier measurements
  std::unordered_set<std::size_t> m_wanted;              // those that the strategy wants profiled
  Profiler m_profiler;
  bool m_judged_metrics = false;  // whether the first profile has shown if metrics exist
};

}  // namespace

void run_search(ProblemState& state) {
  SearchPhase phase(state);
  phase.choose_first();
  const Environment& env = state.environment;
  open_problem(env, env.case_on_lead(state.problem, state.space.config(0)), ProblemRole::searched,
               state.settings);
  phase.run();
}

}  // namespace gtune
