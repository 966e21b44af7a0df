#include "export/portfolio_report.hpp"

#include <fmt/format.h>

#include "report/csv_field.hpp"
#include "report/values_json.hpp"

namespace gtune {

std::string portfolio_text(const std::string& kernel, const Portfolio& portfolio) {
  std::string out = fmt::format("{}: {} variants for {} problems\n", kernel,
                                portfolio.variants.size(), portfolio.served.size());
  for (std::size_t i = 0; i < portfolio.variants.size(); ++i) {
    out += fmt::format("  variant {}  {}\n", i, portfolio.variants[i].text());
  }
  for (const Served& served : portfolio.served) {
    out += fmt::format("  {}  {}: variant {}, {}\n", served.winner.device.name,
                       served.winner.problem.text(), served.variant,
                       served.loss ? fmt::format("loss {:.1f} %", 100 * *served.loss)
                                   : std::string("not measured there"));
  }
  for (const Served& fallback : portfolio.fallbacks) {
    out +=
        fmt::format("  {}  where none of these is valid: variant {}, measured on {}\n",
                    fallback.winner.device.name, fallback.variant, fallback.winner.problem.text());
  }
  for (const PortfolioStep& step : portfolio.steps) {
    out += fmt::format("  with {}: mean loss {:.1f} %, worst {:.1f} %, on {} of {} problems\n",
                       step.variants, 100 * step.mean_loss, 100 * step.worst_loss, step.served,
                       portfolio.served.size());
  }
  return out;
}

nlohmann::json portfolio_json(const std::string& kernel, const Portfolio& portfolio) {
  nlohmann::json variants = nlohmann::json::array();
  for (const Config& config : portfolio.variants) variants.push_back(values_json(config));
  nlohmann::json problems = nlohmann::json::array();
  for (const Served& served : portfolio.served) {
    problems.push_back({{"device", served.winner.device.name},
                        {"replayed", served.winner.device.replayed},
                        {"problem", values_json(served.winner.problem)},
                        {"best_ms", served.winner.median_ms},
                        {"variant", served.variant},
                        {"loss", served.loss ? nlohmann::json(*served.loss) : nullptr}});
  }
  nlohmann::json fallbacks = nlohmann::json::array();
  for (const Served& fallback : portfolio.fallbacks) {
    fallbacks.push_back({{"device", fallback.winner.device.name},
                         {"replayed", fallback.winner.device.replayed},
                         {"measured_on", values_json(fallback.winner.problem)},
                         {"variant", fallback.variant}});
  }
  nlohmann::json steps = nlohmann::json::array();
  for (const PortfolioStep& step : portfolio.steps) {
    steps.push_back({{"variants", step.variants},
                     {"problems", step.served},
                     {"mean_loss", step.mean_loss},
                     {"worst_loss", step.worst_loss}});
  }
  return {{"kernel", kernel},
          {"variants", std::move(variants)},
          {"problems", std::move(problems)},
          {"fallbacks", std::move(fallbacks)},
          {"by_number_of_variants", std::move(steps)}};
}

std::string portfolio_csv(const KernelIdentity& kernel, const Portfolio& portfolio) {
  std::string out = "device,replayed";
  for (const std::string& name : kernel.problem_names) out += ',' + csv_field(name);
  out += ",variant";
  for (const std::string& name : kernel.parameter_names) out += ',' + csv_field(name);
  out += ",best_ms,loss\r\n";
  for (const Served& served : portfolio.served) {
    out +=
        fmt::format("{},{:d}", csv_field(served.winner.device.name), served.winner.device.replayed);
    out += csv_values(kernel.problem_names, served.winner.problem);
    out += fmt::format(",{}", served.variant);
    out += csv_values(kernel.parameter_names, portfolio.variants[served.variant]);
    out += fmt::format(",{},{}\r\n", served.winner.median_ms,
                       served.loss ? fmt::format("{}", *served.loss) : std::string());
  }
  return out;
}

}  // namespace gtune
