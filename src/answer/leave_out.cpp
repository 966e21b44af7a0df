#include "answer/leave_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>

#include "answer/answer.hpp"
#include "answer/size_transfer.hpp"
#include "report/checked_text.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

constexpr std::size_t subset_count = 100;

class LeaveOut {
 public:
  LeaveOut(const std::vector<Winner>& winners, const MeasuredTimes& times, const SizeRules& rules)
      : m_winners(winners), m_times(times), m_rules(rules) {}

  /// `out`: which winners are not there.
  [[nodiscard]] LeftOut ask(std::size_t asked, const std::vector<bool>& out) const {
    const Winner& winner = m_winners[asked];
    LeftOut result{winner, std::nullopt, std::nullopt};
    const Winner* answer = nearest_winner(m_winners, winner.problem, [&](const Winner& other) {
      return !out[static_cast<std::size_t>(&other - m_winners.data())] &&
             same_device(other.device, winner.device) &&
             m_rules.same_kind(other.problem, winner.problem) &&
             m_rules.is_valid({winner.problem, other.config, winner.device});
    });
    if (answer == nullptr) return result;
    result.answer = *answer;
    if (m_rules.know_padding()) result.answer->config = transferred(*answer, winner, out);
    if (result.answer->config == winner.config) {
      result.loss = 0;
    } else if (const auto time = m_times.find(winner, result.answer->config)) {
      result.loss = std::max(0.0, *time / winner.median_ms - 1);
    }
    return result;
  }

 private:
  /// As a query would choose it among what won near the nearest.
  [[nodiscard]] Config transferred(const Winner& nearest, const Winner& to,
                                   const std::vector<bool>& out) const {
    std::vector<const Problem*> problems;
    std::vector<const Winner*> known;
    for (std::size_t i = 0; i < m_winners.size(); ++i) {
      const Winner& each = m_winners[i];
      if (out[i] || each.device_id != nearest.device_id) continue;
      if (!m_rules.same_kind(each.problem, nearest.problem)) continue;
      problems.push_back(&each.problem);
      known.push_back(&each);
    }
    const auto won_at = [&](std::size_t place) { return &known[place]->config; };
    std::vector<ConfigTime> measured;
    for (const Config& config : near_configs(problems, nearest.problem, won_at)) {
      if (const auto time = m_times.find(nearest, config)) measured.push_back({config, *time});
    }
    const auto chosen = m_rules.fastest(measured, nearest.problem, to.problem, to.device);
    return chosen ? measured[*chosen].config : nearest.config;
  }

  static bool same_device(const DeviceFacts& a, const DeviceFacts& b) {
    return a.name == b.name && a.replayed == b.replayed;
  }

  const std::vector<Winner>& m_winners;
  const MeasuredTimes& m_times;
  const SizeRules& m_rules;
};

/// Of the sorted and so many more that are larger than all of them; absent where it is one of
/// these.
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
    const Cell by = left.answer
                        ? Cell(left.answer->problem).said(problem_text(spec, left.answer->problem))
                        : Cell();
    table.row({winner.device.name, Cell(winner.problem).said(problem_text(spec, winner.problem)),
               loss.or_said(left.answer ? "not measured" : "no other may be used"), by});
  }
  return table;
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

LeaveOutReport leave_out(std::vector<Winner> winners, const MeasuredTimes& times,
                         const SizeRules& rules, std::uint64_t seed) {
  // What is drawn shall not depend on the order of a database's rows, which a merge may change.
  std::sort(winners.begin(), winners.end(), [](const Winner& a, const Winner& b) {
    const auto key = [](const Winner& winner) {
      return std::tie(winner.device.name, winner.device.replayed, winner.problem.entries(),
                      winner.device.uuid);
    };
    return key(a) < key(b);
  });
  const LeaveOut asking(winners, times, rules);
  LeaveOutReport report;
  for (std::size_t i = 0; i < winners.size(); ++i) {
    std::vector<bool> out(winners.size(), false);
    out[i] = true;
    report.each.push_back(asking.ask(i, out));
  }
  if (winners.size() < 2) return report;
  report.subsets = subset_count;
  std::mt19937_64 random(seed);
  for (std::size_t round = 0; round < subset_count; ++round) {
    std::vector<bool> out(winners.size(), false);
    // Drawn by hand: std::shuffle differs between standard libraries.
    const std::size_t size = std::max<std::size_t>(1, winners.size() / 10);
    for (std::size_t drawn = 0; drawn < size;) {
      const std::size_t i = random() % winners.size();
      if (out[i]) continue;
      out[i] = true;
      ++drawn;
    }
    for (std::size_t i = 0; i < winners.size(); ++i) {
      if (!out[i]) continue;
      const LeftOut left = asking.ask(i, out);
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
               ": what each tuned problem loses with the answer from the nearest other one");
  out.data("kernel", spec.name).table(problem_rows(spec, report));
  add_subsets(out, report);
  return out;
}

}  // namespace gtune
