#include "answer/leave_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "answer/measured_times.hpp"
#include "answer/time_model.hpp"
#include "report/checked_text.hpp"
#include "report/spec_columns.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/problem_text.hpp"
#include "system/side_by_side.hpp"

namespace gtune {
namespace {

constexpr std::size_t subset_count = 100;

class LeaveOut {
 public:
  LeaveOut(const std::vector<Winner>& winners, const std::vector<ConfigSpeed>& speeds,
           const SizeRules& rules)
      : m_winners(winners),
        m_times(speeds),
        m_rules(rules),
        m_groups(group_speeds(rules, speeds)) {}

  /// Asks for each winner that `out` marks as left out. Appends the model's errors on them to
  /// `errors`.
  [[nodiscard]] std::vector<LeftOut> ask(const std::vector<bool>& out,
                                         std::vector<double>* errors = nullptr) const {
    std::vector<Config> won;
    for (std::size_t i = 0; i < m_winners.size(); ++i) {
      if (!out[i]) won.push_back(m_winners[i].config);
    }
    const std::vector<Config> configs = m_rules.launches_of(won);
    std::map<const MeasuredGroup*, TimeModel> models;
    std::vector<LeftOut> left;
    for (std::size_t i = 0; i < m_winners.size(); ++i) {
      if (!out[i]) continue;
      left.push_back({m_winners[i], std::nullopt, std::nullopt});
      const MeasuredGroup* group = group_of(m_winners[i]);
      if (group == nullptr) continue;
      auto model = models.find(group);
      if (model == models.end()) {
        model = models.emplace(group, fit(*group, configs, out)).first;
      }
      answer(left.back(), model->second, configs);
      if (errors != nullptr) add_errors(m_winners[i], model->second, configs, *errors);
    }
    return left;
  }

 private:
  [[nodiscard]] const MeasuredGroup* group_of(const Winner& winner) const {
    const auto found = std::find_if(m_groups.begin(), m_groups.end(),
                                    [&](const MeasuredGroup& each) { return each.has(winner); });
    return found == m_groups.end() ? nullptr : &*found;
  }

  [[nodiscard]] TimeModel fit(const MeasuredGroup& group, const std::vector<Config>& configs,
                              const std::vector<bool>& out) const {
    std::set<std::vector<NamedValues::Entry>> left_out;  // all have the spec's order
    for (std::size_t i = 0; i < m_winners.size(); ++i) {
      if (out[i]) left_out.insert(m_winners[i].problem.entries());
    }
    return group.fit(configs,
                     [&](const Problem& problem) { return left_out.contains(problem.entries()); });
  }

  void answer(LeftOut& left, const TimeModel& model, const std::vector<Config>& configs) const {
    const Winner& winner = left.winner;
    const MeasuredTimes::Place times = m_times.at(winner);
    const auto chosen =
        expected_fastest(m_rules, model, configs, winner.problem, winner.device,
                         [&](std::size_t i) { return times.find(configs[i]).has_value(); });
    if (chosen) {
      left.answer = configs[chosen->place];
      left.loss = std::max(0.0, *times.find(*left.answer) / winner.median_ms - 1);
      return;
    }
    const auto any = expected_fastest(m_rules, model, configs, winner.problem, winner.device);
    if (any) left.answer = configs[any->place];
  }

  void add_errors(const Winner& winner, const TimeModel& model, const std::vector<Config>& configs,
                  std::vector<double>& errors) const {
    const MeasuredTimes::Place times = m_times.at(winner);
    for (std::size_t i = 0; i < configs.size(); ++i) {
      const auto time = times.find(configs[i]);
      if (!time || !model.configs[i]) continue;
      const Case asked{winner.problem, configs[i], winner.device};
      if (!m_rules.is_valid(asked)) continue;
      const auto expected = model_time(m_rules, model, i, asked);
      if (expected) errors.push_back(std::abs(*time / expected->ms - 1));
    }
  }

  const std::vector<Winner>& m_winners;
  MeasuredTimes m_times;
  const SizeRules& m_rules;
  std::vector<MeasuredGroup> m_groups;
};

/// Percentile of `sorted` plus `larger` values known only to exceed it; absent if it is one of
/// these. `share`: 0..1.
std::optional<double> percentile_of(const std::vector<double>& sorted, double share,
                                    std::size_t larger = 0) {
  if (sorted.empty()) return std::nullopt;
  const auto last = static_cast<double>(sorted.size() + larger - 1);
  const auto place = static_cast<std::size_t>(std::lround(share * last));
  return place < sorted.size() ? std::optional(sorted[place]) : std::nullopt;
}

std::string percent_text(const std::optional<double>& loss) {
  return Cell(Quantity{loss, "share"}).or_said("not measured").text();
}

Table problem_rows(const KernelSpec& spec, const LeaveOutReport& report) {
  Table table({column("device", "device"), column("problem", "problem"), column("loss", "loss"),
               column("answered by", "answered_by")});
  table.key("left_out");
  for (const LeftOut& left : report.each) {
    const Winner& winner = left.winner;
    const Cell loss = Quantity{left.loss, "share"};
    const Cell by = left.answer ? Cell(*left.answer).said(config_text(spec, *left.answer)) : Cell();
    table.row({winner.device.name, Cell(winner.problem).said(problem_text(spec, winner.problem)),
               loss.or_said(left.answer ? "not measured" : "no other may be used"), by});
  }
  return table;
}

void add_errors(Document& out, const LeaveOutReport& report) {
  const auto median = percentile_of(report.errors, 0.5), p90 = percentile_of(report.errors, 0.9);
  out.part(
      Document().data("measured", report.errors.size()).data("median", median).data("p90", p90),
      "expected_time_errors");
  if (report.errors.empty()) return;
  Document said("expected times, of each problem without its measurements");
  out.part(said.line("off by",
                     fmt::format("median {}, 90th percentile {}, of {} measured times",
                                 percent_text(median), percent_text(p90), report.errors.size())));
}

void add_subsets(Document& out, const LeaveOutReport& report) {
  const LossSummary losses = report.summary();
  out.part(Document()
               .data("count", report.subsets)
               .data("measured", report.subset_losses.size())
               .data("not_measured", report.unmeasured)
               .data("median_loss", losses.median)
               .data("median_loss_at_most", losses.median_at_most)
               .data("mean_loss", losses.mean)
               .data("p90_loss", losses.p90)
               .data("p95_loss", losses.p95)
               .data("worst_loss", losses.worst),
           "subsets");
  if (report.subsets == 0) return;
  Document said(fmt::format("{} random subsets of a tenth left out", report.subsets));
  said.line("loss", fmt::format("median {}, mean {}, 90th percentile {}, 95th {}, worst {}",
                                percent_text(losses.median), percent_text(losses.mean),
                                percent_text(losses.p90), percent_text(losses.p95),
                                percent_text(losses.worst)));
  std::string counts = fmt::format("{}, {} not", report.subset_losses.size(), report.unmeasured);
  if (report.unmeasured > 0 && losses.median_at_most) {
    counts += fmt::format("; whatever these lose, the median is at most {}",
                          percent_text(losses.median_at_most));
  }
  out.part(said.line("measured", counts));
}

}  // namespace

LossSummary LeaveOutReport::summary() const {
  if (subset_losses.empty()) return {};
  const double sum = std::accumulate(subset_losses.begin(), subset_losses.end(), 0.0);
  return {percentile_of(subset_losses, 0.5),
          sum / static_cast<double>(subset_losses.size()),
          percentile_of(subset_losses, 0.9),
          percentile_of(subset_losses, 0.95),
          subset_losses.back(),
          percentile_of(subset_losses, 0.5, unmeasured)};
}

LeaveOutReport leave_out(std::vector<Winner> winners, const std::vector<ConfigSpeed>& speeds,
                         const SizeRules& rules, std::uint64_t seed) {
  // The draws must not depend on the order of a database's rows, which a merge may change.
  std::sort(winners.begin(), winners.end(), [](const Winner& a, const Winner& b) {
    const auto key = [](const Winner& winner) {
      return std::tie(winner.device.name, winner.device.replayed, winner.problem.entries(),
                      winner.device.uuid);
    };
    return key(a) < key(b);
  });
  const LeaveOut asking(winners, speeds, rules);
  LeaveOutReport report;
  report.each.resize(winners.size());
  std::vector<std::vector<double>> errors(winners.size());
  work_side_by_side(winners.size(), [&](std::size_t i) {
    std::vector<bool> out(winners.size(), false);
    out[i] = true;
    report.each[i] = asking.ask(out, &errors[i]).front();
  });
  for (const std::vector<double>& each : errors) {
    report.errors.insert(report.errors.end(), each.begin(), each.end());
  }
  std::sort(report.errors.begin(), report.errors.end());
  if (winners.size() < 2) return report;
  report.subsets = subset_count;
  std::mt19937_64 random(seed);
  std::vector<std::vector<bool>> subsets(subset_count, std::vector<bool>(winners.size(), false));
  for (std::vector<bool>& out : subsets) {
    // Not std::shuffle, which differs between standard libraries.
    const std::size_t size = std::max<std::size_t>(1, winners.size() / 10);
    for (std::size_t drawn = 0; drawn < size;) {
      const std::size_t i = random() % winners.size();
      if (out[i]) continue;
      out[i] = true;
      ++drawn;
    }
  }
  std::vector<std::vector<LeftOut>> answers(subset_count);
  work_side_by_side(subset_count, [&](std::size_t i) { answers[i] = asking.ask(subsets[i]); });
  for (const std::vector<LeftOut>& each : answers) {
    for (const LeftOut& left : each) {
      if (left.loss) {
        report.subset_losses.push_back(*left.loss);
      } else {
        ++report.unmeasured;
      }
    }
  }
  std::sort(report.subset_losses.begin(), report.subset_losses.end());
  return report;
}

Document leave_out_report(const KernelSpec& spec, const LeaveOutReport& report) {
  Document out(kernel_title(spec) +
               ": what each tuned problem loses with what the others' measurements expect to be "
               "the fastest");
  out.data("kernel", spec.name).table(problem_rows(spec, report));
  add_errors(out, report);
  add_subsets(out, report);
  return out;
}

}  // namespace gtune
