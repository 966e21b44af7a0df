#include "cli/asked_speeds.hpp"

namespace gtune {

std::vector<ConfigSpeed> asked_speeds(const Database& database, const KernelIdentity& identity,
                                      const KernelSpec& spec, const SizeOptions& sizes,
                                      const std::string& device) {
  BestFilter filter;
  if (!device.empty()) filter.device_name = device;
  if (!sizes.any()) return database.load_speeds(identity, filter);
  std::vector<ConfigSpeed> speeds;
  for (const Problem& problem : sizes.problems(spec)) {
    filter.problem = problem;
    for (ConfigSpeed& speed : database.load_speeds(identity, filter)) {
      speeds.push_back(std::move(speed));
    }
  }
  return speeds;
}

}  // namespace gtune
