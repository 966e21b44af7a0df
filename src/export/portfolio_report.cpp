#include "export/portfolio_report.hpp"

#include <fmt/format.h>

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

Table fallback_table(const KernelSpec& spec, const Portfolio& portfolio) {
  Table table({column("device", "device"), json_column("replayed"),
               column("measured on", "measured_on"), column("variant", "variant")});
  table.title("fallbacks, where none of these is valid").key("fallbacks");
  for (const Served& each : portfolio.fallbacks) {
    table.row({each.winner.device.name, each.winner.device.replayed,
               problem_cell(spec, each.winner.problem), each.variant});
  }
  return table;
}

Table step_table(const Portfolio& portfolio) {
  Table table({column("variants", "variants"), column("mean loss", "mean_loss"),
               column("worst", "worst_loss"), column("problems", "problems")});
  table.title("loss by number of these variants, over the same problems")
      .key("by_number_of_variants");
  for (const PortfolioStep& step : portfolio.steps) {
    table.row(
        {step.variants, step_cell(step.mean_loss), step_cell(step.worst_loss),
         Cell(step.served).said(fmt::format("{} of {}", step.served, portfolio.served.size()))});
  }
  return table;
}

}  // namespace

Document portfolio_report(const KernelSpec& spec, const Portfolio& portfolio) {
  Document out(fmt::format("{}: {} variants for {} problems", kernel_title(spec),
                           portfolio.variants.size(), portfolio.served.size()));
  out.data("kernel", spec.name);
  std::vector<Cell> variants;
  for (const Config& config : portfolio.variants) {
    out.line(fmt::format("variant {}", variants.size()), config_text(spec, config));
    variants.emplace_back(config);
  }
  return out.data("variants", std::move(variants))
      .table(problem_table(spec, portfolio))
      .table(fallback_table(spec, portfolio))
      .table(step_table(portfolio));
}

}  // namespace gtune
