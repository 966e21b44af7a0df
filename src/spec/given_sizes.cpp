#include "spec/given_sizes.hpp"

#include "spec/problem_sizes.hpp"

namespace gtune {

std::string given_sizes(const KernelSpec& spec, const Problem& problem) {
  std::string options;
  const NamedValues given = sizes_to_give(spec, problem);
  for (const auto& [name, value] : given.entries()) {
    options += " --" + name + " " + std::to_string(value);
  }
  return options;
}

}  // namespace gtune
