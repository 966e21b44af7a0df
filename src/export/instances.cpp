#include "export/instances.hpp"

#include <map>

#include "model/error.hpp"
#include "spec/entry.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {
namespace {

/// The problem, and those problems that the spec allows with one or all sizes a little larger.
std::vector<Problem> with_neighbours(const KernelSpec& spec, const Problem& problem) {
  const NamedValues given = sizes_to_give(spec, problem);
  std::vector<Problem> all = {problem};
  const auto add = [&](const std::string& only, std::int64_t more) {
    std::map<std::string, std::vector<std::int64_t>> sizes;
    for (const ProblemSize& size : spec.sizes) {
      const auto value = given.find(size.name);
      if (!value) continue;
      const bool grows = size.choices.empty() && (only.empty() || only == size.name);
      sizes[size.name] = {*value + (grows ? more : 0)};
    }
    try {
      for (Problem& each : expand_problems(spec, sizes)) all.push_back(std::move(each));
    } catch (const UserError&) {  // a derived size is not allowed
    }
  };
  for (const std::int64_t more : {1, 2, 4}) {
    add("", more);
    for (const auto& [name, value] : given.entries()) add(name, more);
  }
  return all;
}

}  // namespace

std::vector<VariantUse> find_uses(const KernelSpec& spec, const Portfolio& portfolio) {
  std::vector<VariantUse> uses;
  for (const Served& served : portfolio.served) {
    for (const Problem& problem : with_neighbours(spec, served.winner.problem)) {
      for (std::size_t i = 0; i < portfolio.variants.size(); ++i) {
        if (!satisfies(spec, {problem, portfolio.variants[i], served.winner.device})) continue;
        uses.push_back({i, problem, served.winner.device});
      }
    }
  }
  return uses;
}

std::vector<std::string> number_arguments(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const std::string& name : template_arguments(spec.steps)) {
    if (spec.find_param(name) != nullptr || spec.find_let(name) != nullptr ||
        spec.find_size(name) != nullptr) {
      names.push_back(name);
    }
  }
  return names;
}

std::vector<std::int64_t> argument_values(const KernelSpec& spec,
                                          const std::vector<std::string>& names,
                                          const Case& there) {
  std::vector<std::int64_t> values;
  for (const std::string& name : names) {
    const auto own = there.config.find(name);  // not from the entry: a word is no number there
    const std::string number = own ? std::string() : entry_for(spec, "x<" + name + ">", there);
    values.push_back(own ? *own : std::stoll(number.substr(2)));
  }
  return values;
}

std::vector<std::string> argument_expressions(const KernelSpec& spec,
                                              const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    if (spec.find_param(name) != nullptr) {
      all.push_back("chosen." + name);
    } else if (spec.find_size(name) != nullptr) {
      all.push_back("problem." + name);
    } else {
      all.push_back("template_arguments::" + name + "(problem, chosen, device)");
    }
  }
  return all;
}

}  // namespace gtune
