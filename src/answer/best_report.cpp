#include "answer/best_report.hpp"

#include <fmt/format.h>

#include "report/csv_field.hpp"
#include "report/throughput.hpp"
#include "report/values_json.hpp"

namespace gtune {
namespace {

std::string answer_text(const std::string& kernel, const Answer& answer) {
  const BestRow& row = answer.row;
  const Measurement& m = row.best.measurement;
  std::string out = fmt::format("{}  {}  {}{}\n", kernel, row.problem.text(), row.device.name,
                                row.device.replayed ? " (replayed from a recording)" : "");
  if (answer.tier != Tier::exact || answer.shipped) {
    out += fmt::format("  answers   {}\n", answered_text(answer));
  }
  if (answer.expected_loss) {
    out += fmt::format(
        "  expect    {:.1f} % more time than its own best: the median of {} tuned "
        "sizes near it, each with the best of another\n",
        100 * answer.expected_loss->median, answer.expected_loss->problems);
  }
  out += fmt::format("  best      {}\n", m.config.text());
  if (answer.best_there) {
    out += fmt::format("  there     {} is the best; more of its work would be padding here\n",
                       answer.best_there->text());
  }
  out += fmt::format("  time      {:.4f} ms (median of {}", m.timing->median_ms,
                     m.timing->samples_ms.size());
  out += fmt::format(", L2 {})\n", row.l2_flushed ? "flushed" : "warm");
  const std::string speed = throughput_of_rates(row.gflops, row.gbps, row.device).text();
  if (!speed.empty()) out += fmt::format("  speed     {}\n", speed);
  out += fmt::format("  checked   {}\n", row.verified ? "right here and on awkward sizes"
                                                      : "right here; not on awkward sizes");
  out +=
      fmt::format("  measured  {}, driver {}, NVRTC {}{}\n", row.best.created, row.toolchain.driver,
                  row.toolchain.nvrtc, row.complete ? "" : ", by a run that did not end");
  return out;
}

nlohmann::json answer_json(const Answer& answer) {
  const BestRow& row = answer.row;
  const Measurement& m = row.best.measurement;
  nlohmann::json out = {
      {"tier", tier_text(answer)},
      {"asked", values_json(answer.asked)},
      {"device", row.device.name},
      {"replayed", row.device.replayed},
      {"problem", values_json(row.problem)},
      {"config", values_json(m.config)},
      {"best_there", answer.best_there ? values_json(*answer.best_there) : nlohmann::json(nullptr)},
      {"median_ms", m.timing->median_ms},
      {"min_ms", m.timing->min_ms},
      {"p95_ms", m.timing->p95_ms},
      {"samples", m.timing->samples_ms.size()},
      {"complete", row.complete},
      {"checked_on_awkward_sizes", row.verified},
      {"l2_flushed", row.l2_flushed},
      {"driver", row.toolchain.driver},
      {"nvrtc", row.toolchain.nvrtc},
      {"created", row.best.created}};
  if (answer.expected_loss) {
    out["expected_loss"] = {{"median", answer.expected_loss->median},
                            {"problems", answer.expected_loss->problems}};
  } else {
    out["expected_loss"] = nullptr;
  }
  out["gflops"] = row.gflops ? nlohmann::json(*row.gflops) : nlohmann::json(nullptr);
  out["gbps"] = row.gbps ? nlohmann::json(*row.gbps) : nlohmann::json(nullptr);
  return out;
}

}  // namespace

std::string best_text(const std::string& kernel, const std::vector<Answer>& answers) {
  std::string out;
  for (const Answer& answer : answers) out += answer_text(kernel, answer);
  return out;
}

nlohmann::json best_json(const std::string& kernel, const std::vector<Answer>& answers) {
  nlohmann::json out = {{"kernel", kernel}, {"best", nlohmann::json::array()}};
  for (const Answer& answer : answers) out["best"].push_back(answer_json(answer));
  return out;
}

std::string best_csv(const KernelIdentity& kernel, const std::vector<Answer>& answers) {
  std::string out = "tier,device,replayed";
  for (const std::string& name : kernel.problem_names) out += ",asked_" + csv_field(name);
  for (const std::string& name : kernel.problem_names) out += ',' + csv_field(name);
  for (const std::string& name : kernel.parameter_names) out += ',' + csv_field(name);
  out += ",median_ms,gflops,gbps,l2_flushed,checked,complete\r\n";
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  const auto add = [&](const std::vector<std::string>& names, const NamedValues& values) {
    for (const std::string& name : names) {
      const auto value = values.find(name);
      out += value ? fmt::format(",{}", *value) : ",";
    }
  };
  for (const Answer& answer : answers) {
    const BestRow& row = answer.row;
    const Measurement& m = row.best.measurement;
    out += fmt::format("{},{},{:d}", csv_field(tier_text(answer)), csv_field(row.device.name),
                       row.device.replayed);
    add(kernel.problem_names, answer.asked);
    add(kernel.problem_names, row.problem);
    add(kernel.parameter_names, m.config);
    out += fmt::format(",{},{},{},{:d},{:d},{:d}\r\n", m.timing->median_ms, number(row.gflops),
                       number(row.gbps), row.l2_flushed, row.verified, row.complete);
  }
  return out;
}

}  // namespace gtune
