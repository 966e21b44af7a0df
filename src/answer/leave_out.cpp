#include "answer/leave_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

#include "answer/answer.hpp"
#include "answer/size_transfer.hpp"
#include "report/values_json.hpp"

namespace gtune {
namespace {

constexpr std::size_t subset_count = 100;

class LeaveOut {
 public:
  LeaveOut(const std::vector<Winner>& winners, const MeasuredTimes& times, const AnswerRules& rules)
      : m_winners(winners), m_times(times), m_rules(rules) {}

  /// `out`: which winners are not there.
  [[nodiscard]] LeftOut ask(std::size_t asked, const std::vector<bool>& out) const {
    const Winner& winner = m_winners[asked];
    LeftOut result{winner, std::nullopt, std::nullopt};
    const Winner* answer = nearest_winner(m_winners, winner.problem, [&](const Winner& other) {
      return !out[static_cast<std::size_t>(&other - m_winners.data())] &&
             same_device(other.device, winner.device) &&
             m_rules.same_kind(other.problem, winner.problem) &&
             m_rules.is_valid(other.config, winner);
    });
    if (answer == nullptr) return result;
    result.answer = *answer;
    if (m_rules.growth) result.answer->config = transferred(*answer, winner, out);
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
    std::vector<ConfigTime> measured;
    for (const std::size_t place : nearest_few(problems, nearest.problem)) {
      const Config& config = known[place]->config;
      if (const auto time = m_times.find(nearest, config)) measured.push_back({config, *time});
    }
    const auto chosen = expected_fastest(measured, [&](const Config& config) {
      return m_rules.growth(config, nearest.problem, to);
    });
    return chosen ? measured[*chosen].config : nearest.config;
  }

  static bool same_device(const DeviceFacts& a, const DeviceFacts& b) {
    return a.name == b.name && a.replayed == b.replayed;
  }

  const std::vector<Winner>& m_winners;
  const MeasuredTimes& m_times;
  const AnswerRules& m_rules;
};

/// Of the sorted and so many more that are larger than all of them; absent where it is one of
/// these.
std::optional<double> percentile_of(const std::vector<double>& sorted, double share,
                                    std::size_t larger = 0) {
  if (sorted.empty()) return std::nullopt;
  const auto last = static_cast<double>(sorted.size() + larger - 1);
  const auto place = static_cast<std::size_t>(share * last + 0.5);
  return place < sorted.size() ? std::optional(sorted[place]) : std::nullopt;
}

std::string percent_text(const std::optional<double>& loss) {
  return loss ? fmt::format("{:.1f} %", 100 * *loss) : std::string("not measured");
}

nlohmann::json number_json(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
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
                         const AnswerRules& rules, std::uint64_t seed) {
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

std::string leave_out_text(const std::string& kernel, const LeaveOutReport& report) {
  std::string out =
      kernel + ": what each tuned problem loses with the answer from the nearest other one\n";
  for (const LeftOut& left : report.each) {
    out += fmt::format("  {}  {}: {}{}\n", left.winner.device.name, left.winner.problem.text(),
                       left.answer ? percent_text(left.loss) : "no other may be used",
                       left.answer ? "  from " + left.answer->problem.text() : "");
  }
  if (report.subsets == 0) return out;
  const LossSummary losses = report.summary();
  out += fmt::format(
      "  {} random subsets of a tenth left out: loss median {}, mean {}, 90th percentile {}, 95th "
      "{}, worst {}; {} measured, {} not",
      report.subsets, percent_text(losses.median), percent_text(losses.mean),
      percent_text(losses.p90), percent_text(losses.p95), percent_text(losses.worst),
      report.subset_losses.size(), report.unmeasured);
  if (report.unmeasured > 0 && losses.median_at_most) {
    out += fmt::format("; whatever these lose, the median is at most {}",
                       percent_text(losses.median_at_most));
  }
  return out + '\n';
}

nlohmann::json leave_out_json(const std::string& kernel, const LeaveOutReport& report) {
  const LossSummary losses = report.summary();
  nlohmann::json each = nlohmann::json::array();
  for (const LeftOut& left : report.each) {
    each.push_back(
        {{"device", left.winner.device.name},
         {"problem", values_json(left.winner.problem)},
         {"answered_by", left.answer ? values_json(left.answer->problem) : nlohmann::json(nullptr)},
         {"loss", number_json(left.loss)}});
  }
  return {{"kernel", kernel},
          {"left_out", std::move(each)},
          {"subsets",
           {{"count", report.subsets},
            {"measured", report.subset_losses.size()},
            {"not_measured", report.unmeasured},
            {"median_loss", number_json(losses.median)},
            {"median_loss_at_most", number_json(losses.median_at_most)},
            {"mean_loss", number_json(losses.mean)},
            {"p90_loss", number_json(losses.p90)},
            {"p95_loss", number_json(losses.p95)},
            {"worst_loss", number_json(losses.worst)}}}};
}

}  // namespace gtune
