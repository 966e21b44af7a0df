#include "export/portfolio_report.hpp"

#include <fmt/format.h>

#include "model/words.hpp"
#include "report/checked_text.hpp"
#include "report/spec_columns.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

Cell problem_cell(const KernelSpec& spec, const Problem& problem) {
  return Cell(problem).said(problem_text(spec, problem));
}

Cell loss_cell(const std::optional<double>& loss) {
  return Cell(Quantity{loss, "share"}).or_said("not measured there");
}

Cell step_cell(const std::optional<double>& loss) {
  return Cell(Quantity{loss, "share"}).or_said("-");
}

Table problem_table(const KernelSpec& spec, const Portfolio& portfolio) {
  const Column best_ms{"best", "best_ms", "best_ms", {}};
  Table table({{"device", "device", "device", {}},
               data_column("replayed"),
               size_columns(spec),
               column("problem", "problem"),
               {"variant", "variant", "variant", {}},
               parameter_columns(spec),
               best_ms,
               {"loss", "loss", "loss", {}}});
  table.title("problems").key("problems");
  for (const Served& each : portfolio.served) {
    const Winner& winner = each.winner;
    table.row({winner.device.name, winner.device.replayed, winner.problem,
               problem_cell(spec, winner.problem), each.variant, portfolio.variants[each.variant],
               Quantity{winner.median_ms, "ms"}, loss_cell(each.loss)});
  }
  return table;
}

Table step_table(const Portfolio& portfolio) {
  Table table({column("instances", "variants"), column("mean loss", "mean_loss"),
               column("worst", "worst_loss"), column("problems", "problems")});
  table.title("loss by number of compiled instances, over the same problems")
      .key("by_number_of_variants");
  for (const PortfolioStep& step : portfolio.steps) {
    table.row(
        {step.instances, step_cell(step.mean_loss), step_cell(step.worst_loss),
         Cell(step.served).said(fmt::format("{} of {}", step.served, portfolio.served.size()))});
  }
  return table;
}

}  // namespace

Document portfolio_report(const KernelSpec& spec, const Portfolio& portfolio) {
  Document out(fmt::format("{}: {} ({}) for {}", kernel_title(spec),
                           counted(portfolio.variants.size(), "variant"),
                           counted(portfolio.instance_count(), "compiled instance"),
                           counted(portfolio.served.size(), "problem")));
  out.data("kernel", spec.name);
  std::vector<Cell> variants, instances, fallbacks;
  for (std::size_t i = 0; i < portfolio.variants.size(); ++i) {
    const Config& config = portfolio.variants[i];
    const bool is_fallback = i >= portfolio.tuned_variants;
    out.line(fmt::format("variant {}", i),
             config_text(spec, config) +
                 (is_fallback ? " (a fallback, where none of the others is valid)" : ""));
    variants.emplace_back(config);
    instances.emplace_back(portfolio.instances[i]);
    if (is_fallback) fallbacks.emplace_back(i);
  }
  return out.data("variants", std::move(variants))
      .data("instances", std::move(instances))
      .data("fallbacks", std::move(fallbacks))
      .table(problem_table(spec, portfolio))
      .table(step_table(portfolio));
}

}  // namespace gtune
