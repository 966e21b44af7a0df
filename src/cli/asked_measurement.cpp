#include "cli/asked_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/config_argument.hpp"
#include "model/error.hpp"
#include "space/narrowing.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

/// `values` if they are complete, else the fastest configuration that has them; absent if none has.
std::optional<Config> complete(const KernelSpec& spec, const std::vector<ConfigSpeed>& speeds,
                               const Config& values) {
  if (values.entries().size() == spec.params.size()) return values;
  const ConfigSpeed* fastest = nullptr;
  for (const ConfigSpeed& each : speeds) {
    const bool has_them = std::all_of(
        values.entries().begin(), values.entries().end(),
        [&](const auto& entry) { return each.config.find(entry.first) == entry.second; });
    if (has_them && (fastest == nullptr || each.median_ms < fastest->median_ms)) fastest = &each;
  }
  return fastest == nullptr ? std::nullopt : std::optional(fastest->config);
}

}  // namespace

AskedMeasurement asked_measurement(const Database& database, const KernelSpec& spec,
                                   const BestRow& best, const std::vector<ConfigSpeed>& speeds,
                                   const std::string& option, const std::string& words) {
  if (words == "best") return {words, best.best};
  require_config_argument(spec, option, words);
  const std::string given = option + ' ' + words;
  std::optional<StoredMeasurement> found;
  std::string name = words;
  if (find_baseline(spec, words) != nullptr) {
    found = database.find_comparable_baseline(best.best.id, words);
  } else {
    name = "config";
    const auto config = complete(spec, speeds, parse_values(spec, given, words));
    if (config) found = database.find_comparable(best.best.id, *config);
  }
  if (!found) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("{}: not measured with the best of {} on {}: it has no stored "
                                "result under the same conditions",
                                given, problem_text(spec, best.problem), best.device.name));
  }
  const Measurement& m = found->measurement;
  if (!m.ok()) {
    throw UserError(ExitCode::nothing_stored, fmt::format("{}: no time was measured: {}: {}", given,
                                                          to_string(m.status), m.reason));
  }
  return {std::move(name), std::move(*found)};
}

}  // namespace gtune
