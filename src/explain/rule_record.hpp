#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/checked_json.hpp"

namespace gtune {

/// How often a rule's bound held and how its steps fared, among measured configurations. Savings
/// and bounds are means over all pairs, or all steps, as shares of the time.
struct RuleRecord {
  std::string rule;
  std::int64_t pairs = 0;   // that differ in one parameter, which removes the finding
  std::int64_t held = 0;    // pairs that saved no more than the bound
  std::int64_t faster = 0;  // pairs that saved something
  double bound = 0;
  double saved = 0;
  std::int64_t steps = 0;         // that the rule suggested
  std::int64_t steps_faster = 0;  // steps that saved something
  double step_saved = 0;
};

/// Whether the rule's findings say what bounds the kernel, and not a cause that can be removed.
[[nodiscard]] inline bool is_of_bound(std::string_view rule) { return rule.ends_with("_bound"); }

/// Removing what the rule finds made hardly more than half of the pairs faster, or saved no time in
/// the mean.
[[nodiscard]] bool is_weak(const RuleRecord& record);

/// "on the measured pairs of docs/explain.md: of two ..."; empty if there are too few pairs and
/// steps.
[[nodiscard]] std::string record_text(const RuleRecord& record);

/// What is known of a rule from the measurements in docs/explain.md; absent if it was not checked.
[[nodiscard]] std::optional<RuleRecord> known_record(std::string_view rule);

void to_json(nlohmann::json& out, const RuleRecord& record);
/// Throws nlohmann::json::exception, or std::invalid_argument for what cannot have been counted.
void from_json(const nlohmann::json& in, RuleRecord& record);

}  // namespace gtune
