#include "answer/query_service.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "answer/fallback.hpp"
#include "answer/model_winners.hpp"
#include "answer/size_rules.hpp"
#include "report/few_sizes.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {

std::vector<std::vector<Answer>> find_answers_of(
    const Database& database, const KernelIdentity& identity, const SizeRules& rules,
    const std::vector<Problem>& problems, const std::string& device,
    const std::optional<DeviceFacts>& of_architecture) {
  std::vector<Question> questions;
  for (const Problem& problem : problems) {
    Question question{problem, std::nullopt, of_architecture};
    if (!device.empty()) question.device_name = device;
    questions.push_back(std::move(question));
  }
  return find_answers(database, identity, rules, questions,
                      [&](const std::vector<Winner>& winners) {
                        return find_fallbacks(database, identity, rules.spec(), winners);
                      });
}

namespace {

/// Replaces missing answers, and those guessed from recordings, by those of the bundled results.
void ask_bundled(std::vector<std::vector<Answer>>& found, const std::filesystem::path& bundled,
                 const KernelIdentity& identity, const SizeRules& rules,
                 const std::vector<Problem>& problems, const std::string& device,
                 const std::optional<DeviceFacts>& of_architecture) {
  std::vector<std::size_t> places;
  std::vector<Problem> unanswered;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].empty() && !are_guessed_from_recordings(found[i])) continue;
    places.push_back(i);
    unanswered.push_back(problems[i]);
  }
  if (places.empty()) return;
  const Database database(bundled, OpenMode::immutable);
  std::vector<std::vector<Answer>> more =
      find_answers_of(database, identity, rules, unanswered, device, of_architecture);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (Answer& answer : more[i]) answer.bundled = true;
    if (!more[i].empty()) found[places[i]] = std::move(more[i]);
  }
}

}  // namespace

bool are_guessed_from_recordings(const std::vector<Answer>& answers) {
  return std::all_of(answers.begin(), answers.end(), [](const Answer& answer) {
    return answer.row.device.replayed && answer.tier != Tier::exact &&
           answer.tier != Tier::same_architecture;
  });
}

std::vector<Answer> asked_answers(const Database& database, const KernelIdentity& identity,
                                  const SizeRules& rules, const std::vector<Problem>& problems,
                                  const std::string& device,
                                  const std::optional<DeviceFacts>& of_architecture,
                                  const std::optional<std::filesystem::path>& bundled) {
  std::vector<std::vector<Answer>> found =
      find_answers_of(database, identity, rules, problems, device, of_architecture);
  if (bundled && std::filesystem::absolute(*bundled) != database.path()) {
    ask_bundled(found, *bundled, identity, rules, problems, device, of_architecture);
  }
  std::vector<Answer> answers;
  std::vector<std::string> unanswered;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].empty()) unanswered.push_back(problems[i].text());
    for (Answer& answer : found[i]) answers.push_back(std::move(answer));
  }
  if (answers.empty()) return answers;
  for (const std::string& problem : unanswered) {
    spdlog::info("note: no stored result is valid for {}", problem);
  }
  return answers;
}

namespace {

auto place_of(const Answer& answer) {
  const BestRow& row = answer.row;
  return std::tuple(row.device.name, row.problem.values(), row.device.replayed);
}

}  // namespace

std::vector<Answer> all_answers(const Database& database, const KernelIdentity& identity,
                                const std::string& device) {
  BestFilter filter;
  if (!device.empty()) filter.device_name = device;
  std::vector<Answer> answers;
  for (BestRow& row : database.query_best(identity, filter)) {
    const Problem problem = row.problem;
    const Config config = row.best.measurement.config;
    answers.push_back({Tier::exact, problem, config, std::move(row), std::nullopt});
  }
  std::stable_sort(answers.begin(), answers.end(),
                   [&](const Answer& a, const Answer& b) { return place_of(a) < place_of(b); });
  return answers;
}

std::vector<Answer> answers_of_models(std::vector<Answer> all) {
  const auto rank = [](const Answer& answer) {
    return std::tuple(place_of(answer), model_rank(answer.row));
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Answer& a, const Answer& b) { return rank(a) < rank(b); });
  const auto same_place = [](const Answer& a, const Answer& b) {
    return place_of(a) == place_of(b);
  };
  all.erase(std::unique(all.begin(), all.end(), same_place), all.end());
  return all;
}

std::string tuned_sizes(const Database& database, const KernelIdentity& identity,
                        const KernelSpec& spec) {
  std::vector<Problem> sizes;
  for (TunedProblem& problem : database.tuned_problems(identity)) {
    sizes.push_back(std::move(problem.sizes));
  }
  return sizes.empty() ? "" : "; tuned are " + few_sizes(spec, sizes);
}

std::string nothing_asked_line(const Database& database, const KernelIdentity& identity,
                               const KernelSpec& spec, const std::string& device,
                               const std::string& tuned_by, const std::optional<TimingMode>& mode) {
  const std::string path = database.path().string();
  const std::string timing = mode ? mode->phrase() : "";
  const std::string what = spec.name + (timing.empty() ? "" : " " + timing);
  const std::string command = tuned_by + (mode ? mode->options() : "");
  const std::vector<DeviceFacts> devices = database.tuned_devices(identity);
  const auto is_asked = [&](const DeviceFacts& each) {
    return device.empty() || same_device_name(each.name, device);
  };
  if (!devices.empty() && std::none_of(devices.begin(), devices.end(), is_asked)) {
    std::set<std::string> names;
    for (const DeviceFacts& each : devices) names.insert("'" + each.name + "'");
    return fmt::format("no stored result of {} for '{}' in {}: give --device {}", what, device,
                       path, fmt::join(names, " or "));
  }
  if (!database.winners(identity).empty()) {
    return fmt::format("no stored result of {}{} in {} is valid for these sizes: run {} with them",
                       what, device.empty() ? "" : " for '" + device + "'", path, command);
  }
  if (database.count_other_sources(identity) == 0) {
    return fmt::format("no stored result of {} in {}: run {}", what, path, command);
  }
  return fmt::format(
      "all results of {} in {} are of another version of {} or its spec: run {} again", what, path,
      spec.source.filename().string(), command);
}

}  // namespace gtune
