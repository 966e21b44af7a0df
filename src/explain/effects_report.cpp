#include "explain/effects_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/heading.hpp"
#include "report/values_json.hpp"

namespace gtune {
namespace {

std::string cost_text(double cost) {
  if (cost < 0.0005) return "best";
  return fmt::format("+{:.{}f} %", 100 * cost, cost < 0.0995 ? 1 : 0);
}

/// A line for each parameter. `problems`: a value that was measured in fewer says in how many.
std::string parameter_lines(const std::vector<ParameterEffect>& parameters, std::size_t problems) {
  std::size_t width = 0;
  for (const ParameterEffect& each : parameters) width = std::max(width, each.name.size());
  std::string out;
  for (const ParameterEffect& each : parameters) {
    out += fmt::format("  {:<{}}", each.name, width);
    for (const ValueEffect& value : each.values) {
      const std::string of = value.problems == problems
                                 ? std::string()
                                 : fmt::format(" (of {} problems)", value.problems);
      out += fmt::format("   {}: {}{}", value.value, cost_text(value.cost), of);
    }
    out += '\n';
  }
  return out;
}

nlohmann::json parameters_json(const std::vector<ParameterEffect>& parameters) {
  nlohmann::json out = nlohmann::json::array();
  for (const ParameterEffect& each : parameters) {
    nlohmann::json values = nlohmann::json::array();
    for (const ValueEffect& value : each.values) {
      values.push_back(
          {{"value", value.value}, {"cost", value.cost}, {"problems", value.problems}});
    }
    out.push_back({{"name", each.name}, {"values", std::move(values)}});
  }
  return out;
}

nlohmann::json interactions_json(const std::vector<Interaction>& interactions) {
  nlohmann::json out = nlohmann::json::array();
  for (const Interaction& each : interactions) {
    out.push_back({{"values", {{each.first, each.first_value}, {each.second, each.second_value}}},
                   {"cost", each.cost},
                   {"cost_alone", each.alone}});
  }
  return out;
}

}  // namespace

std::string effects_text(const std::string& kernel, const std::vector<ProblemEffects>& problems) {
  std::string out;
  for (const ProblemEffects& each : problems) {
    out += heading(kernel, each.problem, each.device, each.replayed, each.best.l2_flushed) + '\n';
    out += fmt::format("  best of {} configurations: {:.4f} ms, {}\n", each.configurations,
                       each.best.median_ms, each.best.config.text());
    out += "  what the best with a value is slower by:\n";
    out += parameter_lines(each.parameters, 1);
    for (const Interaction& pair : each.interactions) {
      out +=
          fmt::format("  {}={} with {}={}: {}, alone {} at most\n", pair.first, pair.first_value,
                      pair.second, pair.second_value, cost_text(pair.cost), cost_text(pair.alone));
    }
  }
  if (problems.size() < 2) return out;
  out += fmt::format("over these {} problems, geometric mean:\n", problems.size());
  return out + parameter_lines(combine(problems), problems.size());
}

nlohmann::json effects_json(const std::string& kernel,
                            const std::vector<ProblemEffects>& problems) {
  nlohmann::json each = nlohmann::json::array();
  for (const ProblemEffects& problem : problems) {
    each.push_back(
        {{"device", problem.device},
         {"replayed", problem.replayed},
         {"l2_flushed", problem.best.l2_flushed},
         {"problem", values_json(problem.problem)},
         {"configurations", problem.configurations},
         {"best",
          {{"config", values_json(problem.best.config)}, {"median_ms", problem.best.median_ms}}},
         {"parameters", parameters_json(problem.parameters)},
         {"interactions", interactions_json(problem.interactions)}});
  }
  return {{"kernel", kernel},
          {"problems", std::move(each)},
          {"over_all", parameters_json(combine(problems))}};
}

}  // namespace gtune
