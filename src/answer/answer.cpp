#include "answer/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "answer/known_winners.hpp"
#include "answer/model_winners.hpp"
#include "answer/scaled_time.hpp"

namespace gtune {
namespace {

bool same_sizes(const Problem& a, const Problem& b) {
  return std::all_of(a.entries().begin(), a.entries().end(),
                     [&](const auto& size) { return b.find(size.first) == size.second; });
}

auto rank(const Winner& winner) { return std::tuple(model_rank(winner), winner.device_id); }

/// Answers one question from one kernel's winners.
class Asking {
 public:
  Asking(KnownWinners& known, const SizeRules& rules, const Question& question)
      : m_known(known), m_rules(rules), m_question(question) {}

  /// The best measured on the asked problem itself, on devices of this name.
  [[nodiscard]] std::optional<Answer> exactly(const std::string& name) {
    return exactly([&](const DeviceFacts& device) { return same_device_name(device.name, name); },
                   Tier::exact);
  }

  /// What is expected to be the fastest, from measurements on devices of this name.
  [[nodiscard]] std::optional<Answer> nearly(const std::string& name) {
    return expected([&](const DeviceFacts& device) { return same_device_name(device.name, name); },
                    [](const DeviceFacts& device) { return device; }, Tier::expected);
  }

  /// From the devices of the nearest architecture that gives an answer, which is valid on a device
  /// of the asked architecture.
  [[nodiscard]] std::optional<Answer> on_architecture(const DeviceFacts& wanted) {
    const auto steps_to = [&](const DeviceFacts& device) {
      return std::abs(device.cc() - wanted.cc());
    };
    std::set<int> steps;
    for (const DeviceFacts& device : m_known.devices()) steps.insert(steps_to(device));
    for (const int step : steps) {
      const auto keep = [&](const DeviceFacts& device) { return steps_to(device) == step; };
      if (step == 0) {
        if (auto found = exactly(keep, Tier::same_architecture)) return found;
      }
      const Tier tier = step == 0 ? Tier::same_architecture_expected : Tier::nearest_architecture;
      const auto on = [&](const DeviceFacts& device) { return step == 0 ? device : wanted; };
      if (auto found = expected(keep, on, tier)) return found;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<Answer> on_each_device() {
    std::vector<std::string> names;
    for (const DeviceFacts& device : m_known.devices()) {
      if (std::find(names.begin(), names.end(), device.name) == names.end()) {
        names.push_back(device.name);
      }
    }
    std::vector<Answer> answers;
    for (const std::string& name : names) {
      if (auto found = exactly(name)) answers.push_back(std::move(*found));
    }
    if (!answers.empty()) return answers;
    for (const std::string& name : names) {
      if (auto found = nearly(name)) answers.push_back(std::move(*found));
    }
    return answers;
  }

 private:
  /// The winner on the asked problem itself, on the devices for which `keep` is true.
  template <typename Keep>
  [[nodiscard]] std::optional<Answer> exactly(Keep keep, Tier tier) {
    const Winner* best = nullptr;
    for (const Winner& winner : m_known.winners(m_question.problem)) {
      if (!keep(winner.device) || !same_sizes(winner.problem, m_question.problem)) continue;
      if (best == nullptr || rank(winner) < rank(*best)) best = &winner;
    }
    if (best == nullptr) return std::nullopt;
    const std::optional<BestRow>& row = m_known.row(*best, best->config);
    if (!row) return std::nullopt;
    return Answer{tier, m_question.problem, best->config, *row, std::nullopt};
  }

  /// What is expected to be the fastest, from measurements on the devices for which `keep` is true.
  /// `on`: maps a measured device to the device that must be able to run the configuration.
  template <typename Keep, typename On>
  [[nodiscard]] std::optional<Answer> expected(Keep keep, On on, Tier tier) {
    const auto& devices = m_known.devices();
    if (std::none_of(devices.begin(), devices.end(), keep)) return std::nullopt;
    if (auto found = expected(m_known.tuned(), keep, on, tier)) return found;
    return expected(m_known.fallbacks(), keep, on, Tier::fallback);
  }

  template <typename Keep, typename On>
  [[nodiscard]] std::optional<Answer> expected(const Candidates& candidates, Keep keep, On on,
                                               Tier tier) {
    const Problem& wanted = m_question.problem;
    for (std::size_t group = 0; group < candidates.models.size(); ++group) {
      const TimeModel& model = candidates.models[group];
      if (!keep(model.device) || !m_rules.same_kind(model.kind, wanted)) continue;
      const auto chosen =
          expected_fastest(m_rules, model, candidates.configs, wanted, on(model.device));
      if (!chosen) continue;
      const Config& config = candidates.configs[chosen->place];
      std::optional<BestRow> row = m_known.nearest_row(group, config, wanted);
      if (!row) continue;
      ExpectedTime time{chosen->time.ms, m_known.error(group)};
      // The times of one size do not tell the model how they grow.
      if (!time.error) time.ms = std::max(time.ms, scaled_ms(m_rules.spec(), wanted, *row));
      return Answer{tier, wanted, config, std::move(*row), time};
    }
    return std::nullopt;
  }

  KnownWinners& m_known;
  const SizeRules& m_rules;
  const Question& m_question;
};

}  // namespace

namespace {

struct TierTexts {
  Tier tier;
  const char* stored;  // in JSON and CSV: a contract
  const char* shown;   // to people
};

constexpr TierTexts k_tiers[] = {
    {Tier::exact, "this device and size", "same device and size"},
    {Tier::expected, "this device, expected time", "same device, expected time"},
    {Tier::same_architecture, "same architecture, this size", "same architecture and size"},
    {Tier::same_architecture_expected, "same architecture, expected time",
     "same architecture, expected time"},
    {Tier::nearest_architecture, "nearest architecture, expected time",
     "nearest architecture, expected time"},
    {Tier::fallback, "fallback where no tuned size's best is valid",
     "fallback: no tuned size's best is valid here"},
};

const TierTexts& texts_of(Tier tier) {
  return *std::find_if(std::begin(k_tiers), std::end(k_tiers),
                       [&](const TierTexts& each) { return each.tier == tier; });
}

}  // namespace

std::string tier_text(const Answer& answer) {
  const std::string source = answer.bundled ? "shipped with gtune: " : "";
  return (answer.from.empty() ? source : "from " + answer.from + ": ") +
         texts_of(answer.tier).stored;
}

std::string source_text(const Answer& answer) {
  const std::string own = answer.bundled ? "bundled results" : "your results";
  return fmt::format("{} ({})", answer.from.empty() ? own : answer.from,
                     texts_of(answer.tier).shown);
}

namespace {

std::vector<Answer> find(KnownWinners& known, const SizeRules& rules, const Question& question) {
  Asking asking(known, rules, question);
  if (!question.device_name && !question.of_architecture) return asking.on_each_device();
  std::optional<Answer> found;
  if (question.device_name) found = asking.exactly(*question.device_name);
  if (!found && question.device_name) found = asking.nearly(*question.device_name);
  if (!found && question.of_architecture) found = asking.on_architecture(*question.of_architecture);
  if (!found) return {};
  return {std::move(*found)};
}

}  // namespace

std::vector<std::vector<Answer>> find_answers(const Database& database,
                                              const KernelIdentity& kernel, const SizeRules& rules,
                                              const std::vector<Question>& questions,
                                              const FallbacksOf& fallbacks_of) {
  const Snapshot snapshot = database.snapshot();
  KnownWinners known(database, kernel, rules, fallbacks_of);
  std::vector<std::vector<Answer>> answers;
  for (const Question& question : questions) answers.push_back(find(known, rules, question));
  return answers;
}

}  // namespace gtune
