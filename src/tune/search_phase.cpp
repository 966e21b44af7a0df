#include "tune/search_phase.hpp"

#include <deque>
#include <limits>
#include <unordered_map>

#include "search/strategy.hpp"
#include "tune/compile_stage.hpp"
#include "tune/evaluate.hpp"
#include "tune/prior_winners.hpp"

namespace gtune {
namespace {

/// Enough under way to ride out a slow compile, few enough for the search to learn in between.
constexpr std::size_t lookahead_beyond_threads = 4;

class SearchPhase {
 public:
  explicit SearchPhase(ProblemState& state)
      : m_state(state),
        m_strategy(make_strategy(state.settings.strategy, state.space, state.settings.seed)),
        m_stage(state.environment, state.problem,
                state.settings.in_order ? CompileStage::Order::as_submitted
                                        : CompileStage::Order::as_ready) {
    const CompilePool* pool = state.environment.pool;
    m_lookahead = pool == nullptr ? 1 : pool->threads() + lookahead_beyond_threads;
    if (state.settings.fresh) {
      load_seen_wrong();
      return;
    }
    load_stored();
    load_seen_wrong();
    const std::vector<std::size_t> prior = prior_winners(state);
    m_prior.assign(prior.begin(), prior.end());
  }

  void run() {
    set_total();
    for (;;) {
      ask_ahead();
      if (m_stage.under_way() == 0 || out_of_time()) break;
      if (m_state.environment.interrupted()) throw Interrupted();
      const std::optional<Candidate> candidate = m_stage.next();
      if (!candidate) continue;
      MeasurePlan plan;
      if (m_state.settings.discard_early) plan.best_ms = m_state.best_ms();
      const Measurement measurement = evaluate(m_state, *candidate, plan);
      m_state.record(measurement);
      tell(candidate->index, measurement);
      m_state.report("search");
    }
  }

 private:
  void load_stored() {
    for (auto& stored :
         m_state.environment.database.load_measurements(m_state.key, Phase::search)) {
      // A compiler may have been lost instead of the source wrong; true errors are in the cache.
      if (stored.measurement.status == Status::compile_error) continue;
      const auto index = m_state.space.index_of(stored.measurement.config);
      if (index) m_stored.emplace(*index, std::move(stored.measurement));
    }
  }

  /// What was once seen wrong under this toolchain can win no run, not even a fresh one: a race
  /// may go well most of the time.
  void load_seen_wrong() {
    for (const Config& config : m_state.environment.database.load_wrong(m_state.key)) {
      const auto index = m_state.space.index_of(config);
      if (!index) continue;
      const auto [place, is_new] = m_stored.try_emplace(*index);
      if (!is_new && !place->second.ok()) continue;  // it has its status and reason
      Measurement& known = place->second;
      known = {};
      known.config = config;
      known.status = Status::wrong_result;
      known.reason = "seen wrong by an earlier run";
    }
  }

  void set_total() {
    std::uint64_t total = m_state.space.size();
    const auto& budget = m_state.settings.budget;
    if (budget.configurations) total = std::min<std::uint64_t>(total, *budget.configurations);
    m_state.set_total(total);
  }

  [[nodiscard]] bool out_of_time() const {
    const auto& seconds = m_state.settings.budget.seconds;
    return seconds && m_state.clock.seconds() >= *seconds;
  }

  /// What won on other sizes first; then what the strategy wants.
  std::optional<std::size_t> next_index() {
    if (m_prior.empty()) return m_strategy->ask();
    const std::size_t index = m_prior.front();
    m_prior.pop_front();
    m_strategy->take(index);
    return index;
  }

  void ask_ahead() {
    const std::uint64_t most =
        m_state.settings.budget.configurations.value_or(std::numeric_limits<std::uint64_t>::max());
    while (m_stage.under_way() < m_lookahead && m_asked < most && !out_of_time()) {
      const std::optional<std::size_t> index = next_index();
      if (!index) return;
      ++m_asked;
      if (const auto stored = m_stored.find(*index); stored != m_stored.end()) {
        m_state.reuse(stored->second);
        tell(*index, stored->second);
      } else {
        m_stage.submit(*index, m_state.space.config(*index));
      }
    }
  }

  void tell(std::size_t index, const Measurement& measurement) {
    m_strategy->tell(
        index, measurement.ok() ? std::optional(measurement.timing->median_ms) : std::nullopt);
  }

  ProblemState& m_state;
  std::unique_ptr<Strategy> m_strategy;
  CompileStage m_stage;
  std::size_t m_lookahead = 1;
  std::uint64_t m_asked = 0;
  std::deque<std::size_t> m_prior;
  std::unordered_map<std::size_t, Measurement> m_stored;
};

}  // namespace

void run_search(ProblemState& state) { SearchPhase(state).run(); }

}  // namespace gtune
