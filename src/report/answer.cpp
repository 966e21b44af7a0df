#include "report/answer.hpp"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "model/problem_distance.hpp"

namespace gtune {
namespace {

bool same_sizes(const Problem& a, const Problem& b) {
  return std::all_of(a.entries().begin(), a.entries().end(),
                     [&](const auto& size) { return b.find(size.first) == size.second; });
}

/// One kernel's winners, read once for many questions.
class Known {
 public:
  Known(const Database& database, const KernelIdentity& kernel)
      : m_database(database),
        m_kernel(kernel),
        m_winners(database.winners(kernel)),
        m_rows(m_winners.size()) {}

  [[nodiscard]] const std::vector<Winner>& winners() const { return m_winners; }

  /// All that is stored of one of them.
  [[nodiscard]] const std::optional<BestRow>& row(const Winner& winner) {
    std::optional<BestRow>& found = m_rows[static_cast<std::size_t>(&winner - m_winners.data())];
    if (found) return found;
    for (BestRow& row : m_database.query_best(m_kernel, {winner.problem, winner.device.name})) {
      if (row.device.uuid == winner.device.uuid && row.device.replayed == winner.device.replayed) {
        found = std::move(row);
      }
    }
    return found;
  }

 private:
  const Database& m_database;
  const KernelIdentity& m_kernel;
  std::vector<Winner> m_winners;
  std::vector<std::optional<BestRow>> m_rows;
};

/// One question to one kernel's winners.
class Asking {
 public:
  Asking(Known& known, const Question& question)
      : m_known(known), m_question(question), m_winners(known.winners()) {}

  /// Of the devices of this name.
  [[nodiscard]] std::optional<Answer> on_device(const std::string& name) const {
    const Winner* best =
        nearest([&](const Winner& winner) { return same_device_name(winner.device.name, name); },
                [](const Winner& winner) { return winner.device; });
    if (best == nullptr) return std::nullopt;
    return answer(*best, is_exact(*best) ? Tier::exact : Tier::nearest_size);
  }

  /// Of the devices whose architecture is the nearest: valid on one of the asked architecture.
  [[nodiscard]] std::optional<Answer> on_architecture(const DeviceFacts& wanted) const {
    std::vector<int> steps;
    for (const Winner& winner : m_winners)
      steps.push_back(std::abs(winner.device.cc() - wanted.cc()));
    std::sort(steps.begin(), steps.end());
    for (const int step : steps) {
      const Winner* best = nearest(
          [&](const Winner& winner) { return std::abs(winner.device.cc() - wanted.cc()) == step; },
          [&](const Winner& winner) { return step == 0 ? winner.device : wanted; });
      if (best == nullptr) continue;
      if (step != 0) return answer(*best, Tier::nearest_architecture);
      return answer(
          *best, is_exact(*best) ? Tier::same_architecture : Tier::same_architecture_nearest_size);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<Answer> on_each_device() const {
    std::vector<std::string> names;
    for (const Winner& winner : m_winners) {
      if (std::find(names.begin(), names.end(), winner.device.name) == names.end()) {
        names.push_back(winner.device.name);
      }
    }
    std::vector<Answer> answers;
    for (const std::string& name : names) {
      if (auto found = on_device(name)) answers.push_back(std::move(*found));
    }
    const auto exact = [](const Answer& found) { return found.tier == Tier::exact; };
    if (std::any_of(answers.begin(), answers.end(), exact)) {
      std::erase_if(answers, [&](const Answer& found) { return !exact(found); });
    }
    return answers;
  }

 private:
  [[nodiscard]] bool is_exact(const Winner& winner) const {
    return same_sizes(winner.problem, m_question.problem);
  }

  /// Of the winners that `keep` is true of, the nearest valid one. `device_of`: where it has to be
  /// valid.
  template <typename Keep, typename DeviceOf>
  [[nodiscard]] const Winner* nearest(Keep keep, DeviceOf device_of) const {
    return nearest_winner(m_winners, m_question.problem, [&](const Winner& winner) {
      if (!keep(winner)) return false;
      const bool measured = is_exact(winner) && device_of(winner).uuid == winner.device.uuid;
      return measured || m_question.is_valid(winner, device_of(winner));
    });
  }

  [[nodiscard]] std::optional<Answer> answer(const Winner& winner, Tier tier) const {
    const std::optional<BestRow>& row = m_known.row(winner);
    if (!row) return std::nullopt;
    return Answer{tier, m_question.problem, *row};
  }

  Known& m_known;
  const Question& m_question;
  const std::vector<Winner>& m_winners;
};

}  // namespace

bool same_device_name(const std::string& a, const std::string& b) {
  return strcasecmp(a.c_str(), b.c_str()) == 0;
}

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::exact:
      return "this device and size";
    case Tier::nearest_size:
      return "this device, nearest size";
    case Tier::same_architecture:
      return "same architecture, this size";
    case Tier::same_architecture_nearest_size:
      return "same architecture, nearest size";
    case Tier::nearest_architecture:
      break;
  }
  return "nearest architecture, nearest size";
}

const Winner* nearest_winner(const std::vector<Winner>& winners, const Problem& wanted,
                             const std::function<bool(const Winner&)>& may_answer) {
  const auto rank = [&](const Winner& winner) {
    return std::tuple(distance(winner.problem, wanted), winner.device.replayed, winner.median_ms);
  };
  const Winner* best = nullptr;
  for (const Winner& winner : winners) {
    if (best != nullptr && !(rank(winner) < rank(*best))) continue;
    if (may_answer(winner)) best = &winner;
  }
  return best;
}

namespace {

std::vector<Answer> find(Known& known, const Question& question) {
  const Asking asking(known, question);
  if (!question.device_name && !question.of_architecture) return asking.on_each_device();
  std::optional<Answer> found;
  if (question.device_name) found = asking.on_device(*question.device_name);
  if (!found && question.of_architecture) found = asking.on_architecture(*question.of_architecture);
  if (!found) return {};
  return {std::move(*found)};
}

}  // namespace

std::vector<std::vector<Answer>> find_answers(const Database& database,
                                              const KernelIdentity& kernel,
                                              const std::vector<Question>& questions) {
  Known known(database, kernel);
  std::vector<std::vector<Answer>> answers;
  for (const Question& question : questions) answers.push_back(find(known, question));
  return answers;
}

}  // namespace gtune
