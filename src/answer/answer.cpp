#include "answer/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "answer/known_winners.hpp"
#include "answer/size_transfer.hpp"
#include "model/problem_distance.hpp"

namespace gtune {
namespace {

bool same_sizes(const Problem& a, const Problem& b) {
  return std::all_of(a.entries().begin(), a.entries().end(),
                     [&](const auto& size) { return b.find(size.first) == size.second; });
}

constexpr std::size_t neighbours = 4;  // that an expected loss is taken from

/// The nearest comes first. Problems that differ by less than distances show are not the same.
auto rank(const Winner& winner, const Problem& wanted) {
  return std::tuple(distance(winner.problem, wanted), !same_sizes(winner.problem, wanted),
                    winner.device.replayed, winner.median_ms, winner.device_id);
}

/// One question to one kernel's winners.
class Asking {
 public:
  Asking(KnownWinners& known, const SizeRules& rules, const Question& question)
      : m_known(known), m_rules(rules), m_question(question) {}

  /// Of the devices of this name, of the very problem.
  [[nodiscard]] std::optional<Answer> exactly(const std::string& name) {
    const Problem& wanted = m_question.problem;
    const Winner* best = nearest_winner(m_known.winners(wanted), wanted, [&](const Winner& winner) {
      return same_device_name(winner.device.name, name);
    });
    if (best == nullptr) return std::nullopt;
    return answer(*best, Tier::exact);
  }

  /// The same of another problem.
  [[nodiscard]] std::optional<Answer> nearly(const std::string& name) {
    const auto keep = [&](const DeviceFacts& device) {
      return same_device_name(device.name, name);
    };
    const auto its_own = [](const Winner& winner) { return winner.device; };
    if (const Winner* best = nearest(keep, its_own)) {
      std::optional<Answer> found = transferred(*best, Tier::nearest_size, best->device);
      if (found) found->expected_loss = expected_loss(best->device);
      return found;
    }
    return fallback(keep, its_own);
  }

  /// Of the devices whose architecture is the nearest: valid on one of the asked architecture.
  [[nodiscard]] std::optional<Answer> on_architecture(const DeviceFacts& wanted) {
    const auto steps_to = [&](const DeviceFacts& device) {
      return std::abs(device.cc() - wanted.cc());
    };
    std::set<int> steps;
    for (const DeviceFacts& device : m_known.devices()) steps.insert(steps_to(device));
    for (const int step : steps) {
      const auto keep = [&](const DeviceFacts& device) { return steps_to(device) == step; };
      const auto device_of = [&](const Winner& winner) {
        return step == 0 ? winner.device : wanted;
      };
      const Winner* best = nearest(keep, device_of);
      if (best == nullptr) {
        if (auto found = fallback(keep, device_of)) return found;
        continue;
      }
      const Tier tier = step != 0         ? Tier::nearest_architecture
                        : is_exact(*best) ? Tier::same_architecture
                                          : Tier::same_architecture_nearest_size;
      return transferred(*best, tier, device_of(*best));
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
  using Near = std::vector<std::pair<double, const TunedProblem*>>;

  /// Problems of the kind that is asked for.
  [[nodiscard]] const Near& nearest_first() {
    if (m_nearest_first) return *m_nearest_first;
    m_nearest_first.emplace();
    for (const TunedProblem& problem : m_known.problems()) {
      if (!m_rules.same_kind(problem.sizes, m_question.problem)) continue;
      m_nearest_first->emplace_back(distance(problem.sizes, m_question.problem), &problem);
    }
    std::sort(m_nearest_first->begin(), m_nearest_first->end());
    return *m_nearest_first;
  }

  [[nodiscard]] bool is_exact(const Winner& winner) const {
    return same_sizes(winner.problem, m_question.problem);
  }

  /// Of the winners on devices that `keep` is true of, the nearest valid one. `device_of`: where it
  /// has to be valid.
  template <typename Keep, typename DeviceOf>
  [[nodiscard]] const Winner* nearest(Keep keep, DeviceOf device_of) {
    const auto& devices = m_known.devices();
    if (std::none_of(devices.begin(), devices.end(), keep)) return nullptr;
    const Problem& wanted = m_question.problem;
    const Winner* best = nullptr;
    for (const auto& [apart, problem] : nearest_first()) {
      if (best != nullptr && apart > distance(best->problem, wanted)) break;
      const Winner* found =
          nearest_winner(m_known.winners(problem->id), wanted, [&](const Winner& winner) {
            if (!keep(winner.device)) return false;
            const bool measured = is_exact(winner) && device_of(winner).uuid == winner.device.uuid;
            return measured || m_rules.is_valid({wanted, winner.config, device_of(winner)});
          });
      if (found == nullptr) continue;
      if (best == nullptr || rank(*found, wanted) < rank(*best, wanted)) best = found;
    }
    return best;
  }

  /// The same of the fallbacks.
  template <typename Keep, typename DeviceOf>
  [[nodiscard]] std::optional<Answer> fallback(Keep keep, DeviceOf device_of) {
    const auto& devices = m_known.devices();
    if (nearest_first().empty() || std::none_of(devices.begin(), devices.end(), keep)) {
      return std::nullopt;
    }
    const Winner* best =
        nearest_winner(m_known.fallbacks(), m_question.problem, [&](const Winner& winner) {
          return keep(winner.device) && m_rules.same_kind(winner.problem, m_question.problem) &&
                 m_rules.is_valid({m_question.problem, winner.config, device_of(winner)});
        });
    if (best == nullptr) return std::nullopt;
    return answer(*best, Tier::fallback);
  }

  /// Each of the tuned problems nearest to the asked one with the best of the nearest other.
  [[nodiscard]] std::optional<ExpectedLoss> expected_loss(const DeviceFacts& device) {
    std::vector<const Winner*> near;
    const Near& problems = nearest_first();
    for (std::size_t i = 0; i < std::min(neighbours, problems.size()); ++i) {
      for (const Winner& winner : m_known.winners(problems[i].second->id)) {
        if (winner.device.uuid == device.uuid && winner.device.replayed == device.replayed) {
          near.push_back(&winner);
        }
      }
    }
    std::vector<double> losses;
    for (const Winner* winner : near) {
      const Winner* other = nullptr;
      for (const Winner* each : near) {
        if (each == winner) continue;
        if (other == nullptr || rank(*each, winner->problem) < rank(*other, winner->problem)) {
          other = each;
        }
      }
      if (other == nullptr) continue;
      if (const auto loss = m_known.loss(*winner, *other)) losses.push_back(*loss);
    }
    if (losses.empty()) return std::nullopt;
    const auto middle = losses.begin() + static_cast<std::ptrdiff_t>(losses.size() / 2);
    std::nth_element(losses.begin(), middle, losses.end());
    return ExpectedLoss{*middle, losses.size()};
  }

  /// The best of a problem of other sizes, or what is expected to be faster here by its padded
  /// work. `on`: the device that has to be able to run it.
  [[nodiscard]] std::optional<Answer> transferred(const Winner& nearest, Tier tier,
                                                  const DeviceFacts& on) {
    if (is_exact(nearest) || !m_rules.know_padding()) return answer(nearest, tier);
    std::vector<const TunedProblem*> of_kind;
    for (const auto& [apart, problem] : nearest_first()) of_kind.push_back(problem);
    const std::vector<ConfigTime>& measured = m_known.near_times(nearest, of_kind);
    const auto chosen = m_rules.fastest(measured, nearest.problem, m_question.problem, on);
    if (!chosen || measured[*chosen].config == nearest.config) return answer(nearest, tier);
    std::optional<Answer> found = answer(nearest, tier, measured[*chosen].config);
    if (found) found->best_there = nearest.config;
    return found;
  }

  [[nodiscard]] std::optional<Answer> answer(const Winner& winner, Tier tier) {
    return answer(winner, tier, winner.config);
  }

  [[nodiscard]] std::optional<Answer> answer(const Winner& where, Tier tier, const Config& config) {
    const std::optional<BestRow>& row = m_known.row(where, config);
    if (!row) return std::nullopt;
    return Answer{tier, m_question.problem, *row, std::nullopt};
  }

  KnownWinners& m_known;
  const SizeRules& m_rules;
  const Question& m_question;
  std::optional<Near> m_nearest_first;
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
    {Tier::nearest_size, "this device, nearest size", "same device, nearest size"},
    {Tier::same_architecture, "same architecture, this size", "same architecture and size"},
    {Tier::same_architecture_nearest_size, "same architecture, nearest size",
     "same architecture, nearest size"},
    {Tier::nearest_architecture, "nearest architecture, nearest size",
     "nearest architecture, nearest size"},
    {Tier::fallback, "fallback where no tuned size's best is valid",
     "fallback: no tuned size's best is valid here"},
};

const TierTexts& texts_of(Tier tier) {
  return *std::find_if(std::begin(k_tiers), std::end(k_tiers),
                       [&](const TierTexts& each) { return each.tier == tier; });
}

}  // namespace

std::string tier_text(const Answer& answer) {
  return std::string(answer.bundled ? "shipped with gtune: " : "") + texts_of(answer.tier).stored;
}

std::string source_text(const Answer& answer) {
  return fmt::format("{} results ({})", answer.bundled ? "bundled" : "your",
                     texts_of(answer.tier).shown);
}

const Winner* nearest_winner(const std::vector<Winner>& winners, const Problem& wanted,
                             const std::function<bool(const Winner&)>& may_answer) {
  const Winner* best = nullptr;
  for (const Winner& winner : winners) {
    if (best != nullptr && !(rank(winner, wanted) < rank(*best, wanted))) continue;
    if (may_answer(winner)) best = &winner;
  }
  return best;
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
  KnownWinners known(database, kernel, fallbacks_of);
  std::vector<std::vector<Answer>> answers;
  for (const Question& question : questions) answers.push_back(find(known, rules, question));
  return answers;
}

}  // namespace gtune
