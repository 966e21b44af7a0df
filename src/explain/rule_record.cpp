#include "explain/rule_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "embedded/rule_records.json.hpp"

namespace gtune {
namespace {

/// Fewer say too little.
constexpr std::int64_t k_fewest = 10;

/// "faster in 8 of 12, on average by 5 %", "..., on average 5 % slower"
std::string outcome_text(std::int64_t faster, std::int64_t all, double saved) {
  const double percent = 100 * std::abs(saved);
  return fmt::format("faster in {} of {}, on average ", faster, all) +
         (saved < 0 ? fmt::format("{:.0f} % slower", percent)
                    : fmt::format("by {:.0f} %", percent));
}

bool is_part(std::int64_t count, std::int64_t all) { return count >= 0 && count <= all; }

}  // namespace

bool is_weak(const RuleRecord& record) {
  constexpr double hardly_more_than_half = 0.6;
  return record.pairs >= k_fewest &&
         (static_cast<double>(record.faster) <
              hardly_more_than_half * static_cast<double>(record.pairs) ||
          record.saved <= 0);
}

std::string record_text(const RuleRecord& record) {
  std::string text;
  if (record.pairs >= k_fewest) {
    // The bound of what bounds a kernel is the roofline, so it says nothing that it held.
    const bool is_bound = is_of_bound(record.rule);
    text = fmt::format("of two configurations, the one {} was {}",
                       is_bound ? "with less work for this unit" : "without this",
                       outcome_text(record.faster, record.pairs, record.saved));
    if (!is_bound) text += fmt::format("; the bound held in {}", record.held);
  }
  if (record.steps >= k_fewest) {
    text += fmt::format("{}suggested changes were {}", text.empty() ? "" : "; ",
                        outcome_text(record.steps_faster, record.steps, record.step_saved));
  }
  return text.empty() ? "" : "on the measured pairs of docs/explain.md: " + text;
}

std::optional<RuleRecord> known_record(std::string_view rule) {
  static const auto records =
      nlohmann::json::parse(embedded::k_rule_records_json).get<std::vector<RuleRecord>>();
  const auto found = std::find_if(records.begin(), records.end(),
                                  [&](const RuleRecord& each) { return each.rule == rule; });
  return found == records.end() ? std::nullopt : std::optional(*found);
}

// Not NLOHMANN_DEFINE_TYPE...: what is read is checked.
void to_json(nlohmann::json& out, const RuleRecord& record) {
  out = {{"rule", record.rule},
         {"pairs", record.pairs},
         {"held", record.held},
         {"faster", record.faster},
         {"mean_bound", record.bound},
         {"mean_saved", record.saved},
         {"steps", record.steps},
         {"steps_faster", record.steps_faster},
         {"mean_step_saved", record.step_saved}};
}

void from_json(const nlohmann::json& in, RuleRecord& record) {
  in.at("rule").get_to(record.rule);
  in.at("pairs").get_to(record.pairs);
  in.at("held").get_to(record.held);
  in.at("faster").get_to(record.faster);
  in.at("mean_bound").get_to(record.bound);
  in.at("mean_saved").get_to(record.saved);
  in.at("steps").get_to(record.steps);
  in.at("steps_faster").get_to(record.steps_faster);
  in.at("mean_step_saved").get_to(record.step_saved);
  const bool is_possible =
      record.pairs >= 0 && record.steps >= 0 && is_part(record.held, record.pairs) &&
      is_part(record.faster, record.pairs) && is_part(record.steps_faster, record.steps);
  if (!is_possible) throw std::invalid_argument("a rule's record has impossible counts");
}

}  // namespace gtune
