#include "explain/forecasts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "explain/cause_amount.hpp"
#include "explain/findings.hpp"
#include "explain/only_difference.hpp"
#include "explain/rules.hpp"

namespace gtune {
namespace {

/// Two medians of one configuration may differ by this share.
constexpr double k_noise = 0.02;
/// A cause of which this share is left counts as removed.
constexpr double k_removed = 0.5;
/// A unit that works this share of its time before is relieved.
constexpr double k_relieved = 0.8;

double saved_share(double before_ms, double after_ms) { return 1 - after_ms / before_ms; }

/// A configuration and its findings.
struct Examined {
  const Subject* subject;
  std::vector<Finding> findings;

  [[nodiscard]] const Config& config() const { return subject->measured.config; }
  [[nodiscard]] double ms() const { return subject->measured.timing->median_ms; }
  /// The names of the causes but one.
  [[nodiscard]] std::set<std::string> causes_but(const std::string& left_out) const {
    std::set<std::string> causes;
    for (const Finding& each : findings) {
      if (!is_of_bound(each.rule) && each.rule != left_out) causes.insert(each.rule);
    }
    return causes;
  }
};

/// Whether the second configuration has much less of what the finding is about.
bool is_removed(const std::string& rule, const Subject& from, const Subject& to) {
  const auto before = amount_of(rule, from);
  const auto after = amount_of(rule, to);
  return before && after && *after <= (is_of_bound(rule) ? k_relieved : k_removed) * *before;
}

/// The milliseconds that a unit works less in the second one; negative if it works more.
double relief_ms(Unit unit, const Subject& from, const Subject& to) {
  return busy_ms(from, unit).value_or(0) - busy_ms(to, unit).value_or(0);
}

/// Whether another unit works longer in the second configuration, by the time that the rule's own
/// unit works less: then the work was moved, not saved.
bool is_moved(const std::string& rule, const Subject& from, const Subject& to) {
  const auto bounding = bounding_unit(rule);
  if (!bounding) return false;
  const double relief = relief_ms(*bounding, from, to);
  const auto uses = unit_uses(from);
  return std::any_of(uses.begin(), uses.end(), [&](const UnitUse& other) {
    return -relief_ms(other.unit, from, to) >= relief;
  });
}

/// Adds a pair for each finding of the first whose cause the second does not have. A unit is
/// relieved by removing causes, so for the unit that bounds a kernel, other causes may differ.
void compare(const Examined& with, const Examined& without, std::vector<CheckedBound>& bounds) {
  for (const Finding& finding : with.findings) {
    const std::string& rule = finding.rule;
    if (!finding.cost || !is_removed(rule, *with.subject, *without.subject)) continue;
    if (is_moved(rule, *with.subject, *without.subject)) continue;
    if (!is_of_bound(rule) && with.causes_but(rule) != without.causes_but(rule)) continue;
    bounds.push_back({rule, with.config(), without.config(), *finding.cost,
                      saved_share(with.ms(), without.ms())});
  }
}

std::vector<CheckedBound> check_bounds(const std::vector<Examined>& all) {
  std::vector<CheckedBound> bounds;
  for (const Examined& with : all) {
    if (with.findings.empty()) continue;
    for (const Examined& without : all) {
      if (only_difference(with.config(), without.config())) compare(with, without, bounds);
    }
  }
  return bounds;
}

std::vector<CheckedStep> check_steps(const std::vector<Examined>& all, const SpeedIndex& speeds) {
  std::vector<CheckedStep> steps;
  for (const Examined& each : all) {
    for (const Finding& finding : each.findings) {
      for (const Move& move : finding.moves) {
        Config to = each.config();
        to.set(move.parameter, move.to);
        const double ms = speeds.at(to.text())->median_ms;
        steps.push_back({finding.rule, each.config(), std::move(to), saved_share(each.ms(), ms)});
      }
    }
  }
  return steps;
}

}  // namespace

bool CheckedBound::holds() const { return saved <= bound + k_noise; }

CheckedForecasts check_forecasts(const MeasuredProblem& measured) {
  SpeedIndex speeds;
  for (const ConfigSpeed& each : measured.speeds) speeds[each.config.text()] = &each;
  std::vector<Examined> all;
  for (const Subject& subject : measured.counted) {
    const Config& config = subject.measured.config;
    const MoveContext context{
        measured.spec, {measured.problem, config, measured.device}, measured.speeds, &speeds};
    all.push_back({&subject, find_findings(subject, context)});
  }
  return {check_bounds(all), check_steps(all, speeds)};
}

std::vector<RuleRecord> records_of(const CheckedForecasts& checked) {
  std::map<std::string, RuleRecord> records;
  for (const CheckedBound& each : checked.bounds) {
    RuleRecord& record = records[each.rule];
    ++record.pairs;
    record.held += each.holds() ? 1 : 0;
    record.faster += each.saved > 0 ? 1 : 0;
    record.bound += each.bound;
    record.saved += each.saved;
  }
  for (const CheckedStep& each : checked.steps) {
    RuleRecord& record = records[each.rule];
    ++record.steps;
    record.steps_faster += each.saved > 0 ? 1 : 0;
    record.step_saved += each.saved;
  }
  std::vector<RuleRecord> all;
  for (auto& [rule, record] : records) {
    record.rule = rule;
    record.bound /= static_cast<double>(std::max<std::int64_t>(record.pairs, 1));
    record.saved /= static_cast<double>(std::max<std::int64_t>(record.pairs, 1));
    record.step_saved /= static_cast<double>(std::max<std::int64_t>(record.steps, 1));
    all.push_back(std::move(record));
  }
  return all;
}

}  // namespace gtune
