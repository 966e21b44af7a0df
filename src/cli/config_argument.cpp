#include "cli/config_argument.hpp"

#include <algorithm>
#include <vector>

#include "model/error.hpp"
#include "spec/suggestion.hpp"

namespace gtune {

const Baseline* find_baseline(const KernelSpec& spec, const std::string& name) {
  const auto found = std::find_if(spec.baselines.begin(), spec.baselines.end(),
                                  [&](const Baseline& each) { return each.name == name; });
  return found == spec.baselines.end() ? nullptr : &*found;
}

void require_config_argument(const KernelSpec& spec, const std::string& option,
                             const std::string& words) {
  if (words == "best" || find_baseline(spec, words) != nullptr ||
      words.find('=') != std::string::npos) {
    return;
  }
  std::vector<std::string> known = {"best"};
  for (const Baseline& baseline : spec.baselines) known.push_back(baseline.name);
  throw UserError(ExitCode::usage, option + ' ' + words +
                                       ": expected best, a baseline's name or NAME=VALUE,..." +
                                       did_you_mean(words, known));
}

}  // namespace gtune
