#include "explain/effects_report.hpp"

#include <fmt/format.h>

#include "model/value_word.hpp"
#include "report/heading.hpp"
#include "report/quantity.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

/// Adds a line of text for each parameter, which marks values that were measured in fewer problems.
/// Of many configurations, also those that only one has: the cause may be another of its values.
void add_parameter_lines(Document& out, const std::vector<ParameterEffect>& parameters,
                         std::size_t problems, std::size_t configurations = 0) {
  constexpr std::size_t many = 10;
  for (const ParameterEffect& each : parameters) {
    std::string said;
    for (const ValueEffect& value : each.values) {
      said += fmt::format("{}{}: {}", said.empty() ? "" : "   ", value_text(value.value),
                          cost_text(value.cost));
      if (value.problems != problems)
        said += fmt::format(" (of {} problem{})", value.problems, value.problems == 1 ? "" : "s");
      if (value.configurations == 1 && configurations >= many) said += " (one configuration)";
    }
    out.line(each.name, said);
  }
}

/// The parameters' effects for JSON.
std::vector<Document> parameter_parts(const std::vector<ParameterEffect>& parameters) {
  std::vector<Document> parts;
  for (const ParameterEffect& each : parameters) {
    Table values({json_column("value"), json_column("cost"), json_column("problems"),
                  json_column("configurations")});
    for (const ValueEffect& value : each.values) {
      values.row({value_cell(value.value), value.cost, value.problems, value.configurations});
    }
    parts.push_back(Document().data("name", each.name).table(values.key("values")));
  }
  return parts;
}

Document problem_part(const KernelSpec& spec, const ProblemEffects& each) {
  Document out(heading(spec, each.problem, each.device, each.replayed, each.best.mode));
  out.data("device", each.device)
      .data("replayed", each.replayed)
      .data("timing", each.best.mode.text())
      .data("problem", each.problem)
      .data("configurations", each.configurations)
      .part(Document().data("config", each.best.config).data("median_ms", each.best.median_ms),
            "best");
  out.note(fmt::format("best of {} configurations: {}, {}", each.configurations,
                       quantity_text(each.best.median_ms, "ms"),
                       config_text(spec, each.best.config)));
  out.note("slowdown of the best configuration with each value:");
  add_parameter_lines(out, each.parameters, 1, each.configurations);
  out.parts(parameter_parts(each.parameters), "parameters");
  out.table(interactions_table(each.interactions));
  return out;
}

}  // namespace

std::string cost_text(double cost) {
  if (cost < 0.0005) return "best";
  return fmt::format("+{:.{}f} %", 100 * cost, cost < 0.0995 ? 1 : 0);
}

Table interactions_table(const std::vector<Interaction>& interactions) {
  Table table(
      {text_column(), json_column("values"), json_column("cost"), json_column("cost_alone")});
  for (const Interaction& each : interactions) {
    table.row({fmt::format("{}={} with {}={}: {}, alone {} at most", each.first,
                           value_text(each.first_value), each.second, value_text(each.second_value),
                           cost_text(each.cost), cost_text(each.alone)),
               NamedValues{{each.first, each.first_value}, {each.second, each.second_value}},
               each.cost, each.alone});
  }
  return table.key("interactions");
}

Document effects_report(const KernelSpec& spec, const std::vector<ProblemEffects>& problems) {
  Document out;
  out.data("kernel", spec.name);
  std::vector<Document> parts;
  for (const ProblemEffects& each : problems) parts.push_back(problem_part(spec, each));
  out.parts(std::move(parts), "problems");
  const std::vector<ParameterEffect> over_all = combine(problems);
  out.parts(parameter_parts(over_all), "over_all");
  if (problems.size() < 2) return out;
  Document said(fmt::format("over these {} problems, geometric mean:", problems.size()));
  add_parameter_lines(said, over_all, problems.size());
  return out.part(std::move(said));
}

}  // namespace gtune
