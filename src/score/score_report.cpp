#include "score/score_report.hpp"

#include <fmt/format.h>

namespace gtune {
namespace {

using nlohmann::json;

std::string count_text(const std::optional<std::size_t>& count, std::size_t allowed) {
  return count ? fmt::format("{}", *count) : fmt::format(">{}", allowed);
}

json count_json(const std::optional<std::size_t>& count) {
  return count ? json(*count) : json(nullptr);
}

double mean_methodology(const std::vector<SpaceScore>& scores, std::size_t strategy) {
  double sum = 0;
  for (const SpaceScore& score : scores) sum += score.strategies[strategy].methodology;
  return sum / static_cast<double>(scores.size());
}

json strategy_json(const StrategyScore& score) {
  json out = {{"strategy", score.strategy},
              {"methodology_score", score.methodology},
              {"cpu_ms_per_evaluation", score.cpu_ms},
              {"reached", json::array()},
              {"curve", json::array()}};
  for (const Reached& reached : score.reached) {
    out["reached"].push_back({{"of_optimum", reached.of_optimum},
                              {"half_of_runs", count_json(reached.half_of_runs)},
                              {"nine_tenths_of_runs", count_json(reached.nine_tenths_of_runs)}});
  }
  for (const CurvePoint& point : score.curve) {
    out["curve"].push_back({point.tenth, point.median, point.nine_tenths});
  }
  return out;
}

}  // namespace

std::string score_text(const SpaceScore& score, const ScoreSettings& settings) {
  std::string out = fmt::format(
      "{}: {} configurations, {} of them fail, optimum {:.4f} ms; {} seeds, {} outstanding\n",
      score.space, score.configurations, score.failing, score.optimum_ms, settings.seeds,
      settings.outstanding);
  out += fmt::format("  {:<24}{:>15}{:>16}\n  {:<24}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}\n",
                     "evaluations until", "95 % of optimum", "99 % of optimum", "for these runs",
                     "50 %", "90 %", "50 %", "90 %", "score", "CPU ms");
  for (const StrategyScore& strategy : score.strategies) {
    out += fmt::format("  {:<24}", strategy.strategy);
    for (const Reached& reached : strategy.reached) {
      out += fmt::format("{:>8}{:>8}", count_text(reached.half_of_runs, settings.evaluations),
                         count_text(reached.nine_tenths_of_runs, settings.evaluations));
    }
    out += fmt::format("{:>9.3f}{:>9.3f}\n", strategy.methodology, strategy.cpu_ms);
  }
  return out;
}

std::string mean_score_text(const std::vector<SpaceScore>& scores) {
  std::string out = fmt::format("mean score over {} spaces\n", scores.size());
  for (std::size_t s = 0; s < scores.front().strategies.size(); ++s) {
    out += fmt::format("  {:<24}{:>9.3f}\n", scores.front().strategies[s].strategy,
                       mean_methodology(scores, s));
  }
  return out;
}

json score_json(const std::vector<SpaceScore>& scores, const ScoreSettings& settings) {
  json out = {{"seeds", settings.seeds},
              {"evaluations", settings.evaluations},
              {"outstanding", settings.outstanding},
              {"spaces", json::array()},
              {"mean_methodology_score", json::object()}};
  for (const SpaceScore& score : scores) {
    json space = {{"space", score.space},
                  {"configurations", score.configurations},
                  {"failing", score.failing},
                  {"optimum_ms", score.optimum_ms},
                  {"strategies", json::array()}};
    for (const StrategyScore& strategy : score.strategies) {
      space["strategies"].push_back(strategy_json(strategy));
    }
    out["spaces"].push_back(std::move(space));
  }
  for (std::size_t s = 0; s < settings.strategies.size(); ++s) {
    out["mean_methodology_score"][settings.strategies[s]] = mean_methodology(scores, s);
  }
  return out;
}

}  // namespace gtune
