#include "report/answer.hpp"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "model/problem_distance.hpp"

namespace gtune {
namespace {

using Candidates = std::vector<StoredProblem>;

bool same_sizes(const Problem& a, const Problem& b) {
  return std::all_of(a.entries().begin(), a.entries().end(),
                     [&](const auto& size) { return b.find(size.first) == size.second; });
}

bool same_device(const DeviceFacts& a, const DeviceFacts& b) {
  return a.uuid == b.uuid && a.replayed == b.replayed;
}

/// The candidates that `keep` is true of, the nearest first; a GPU before a recording of one.
template <typename Keep>
Candidates nearest_first(const Candidates& all, const Problem& problem, Keep keep) {
  std::vector<std::pair<double, const StoredProblem*>> order;
  for (const StoredProblem& each : all) {
    if (keep(each)) order.emplace_back(distance(each.problem, problem), &each);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return a.second->device.replayed < b.second->device.replayed;
  });
  Candidates sorted;
  for (const auto& [octaves, each] : order) sorted.push_back(*each);
  return sorted;
}

/// The best of the first candidate that has one that is valid: a run may have found nothing. Where
/// none is valid, the nearest of all.
std::optional<Answer> first_answer(const Database& database, const KernelIdentity& kernel,
                                   const Candidates& candidates, const Question& question,
                                   Tier tier) {
  std::optional<Answer> nearest;
  for (const StoredProblem& each : candidates) {
    for (BestRow& row : database.query_best(kernel, {each.problem, each.device.name})) {
      if (!same_device(row.device, each.device)) continue;
      const bool exact = tier == Tier::nearest_size && same_sizes(each.problem, question.problem);
      const bool valid =
          exact || !question.is_valid || question.is_valid(row.best.measurement.config, row.device);
      Answer answer{exact ? Tier::exact : tier, std::move(row)};
      if (valid) return answer;
      if (!nearest) nearest = std::move(answer);
    }
  }
  return nearest;
}

/// An answer for each device; where some know the very size, theirs alone.
std::vector<Answer> on_each_device(const Database& database, const KernelIdentity& kernel,
                                   const Candidates& all, const Question& question) {
  std::vector<DeviceFacts> devices;
  for (const StoredProblem& each : all) {
    const bool known = std::any_of(devices.begin(), devices.end(), [&](const DeviceFacts& device) {
      return same_device(device, each.device);
    });
    if (!known) devices.push_back(each.device);
  }
  std::vector<Answer> answers;
  for (const DeviceFacts& device : devices) {
    const auto own = nearest_first(all, question.problem, [&](const StoredProblem& each) {
      return same_device(each.device, device);
    });
    if (auto answer = first_answer(database, kernel, own, question, Tier::nearest_size)) {
      answers.push_back(std::move(*answer));
    }
  }
  const auto is_exact = [](const Answer& answer) { return answer.tier == Tier::exact; };
  if (std::any_of(answers.begin(), answers.end(), is_exact)) {
    std::erase_if(answers, [&](const Answer& answer) { return !is_exact(answer); });
  }
  return answers;
}

std::optional<Answer> by_architecture(const Database& database, const KernelIdentity& kernel,
                                      const Candidates& all, const Question& question) {
  const auto steps_away = [&](const StoredProblem& each) {
    return std::abs(each.device.cc() - *question.compute_capability);
  };
  int nearest = std::numeric_limits<int>::max();
  for (const StoredProblem& each : all) nearest = std::min(nearest, steps_away(each));
  const auto candidates = nearest_first(all, question.problem, [&](const StoredProblem& each) {
    return steps_away(each) == nearest;
  });
  return first_answer(database, kernel, candidates, question,
                      nearest == 0 ? Tier::same_architecture : Tier::nearest_architecture);
}

}  // namespace

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::exact:
      return "this device and size";
    case Tier::nearest_size:
      return "this device, nearest size";
    case Tier::same_architecture:
      return "same architecture, nearest size";
    case Tier::nearest_architecture:
      break;
  }
  return "nearest architecture, nearest size";
}

std::vector<Answer> find_answers(const Database& database, const KernelIdentity& kernel,
                                 const Question& question) {
  const Candidates all = database.stored_problems(kernel);
  if (question.device_name) {
    const auto own = nearest_first(all, question.problem, [&](const StoredProblem& each) {
      return strcasecmp(each.device.name.c_str(), question.device_name->c_str()) == 0;
    });
    if (auto answer = first_answer(database, kernel, own, question, Tier::nearest_size)) {
      return {std::move(*answer)};
    }
  } else if (!question.compute_capability) {
    return on_each_device(database, kernel, all, question);
  }
  if (!question.compute_capability) return {};
  auto answer = by_architecture(database, kernel, all, question);
  if (!answer) return {};
  return {std::move(*answer)};
}

}  // namespace gtune
