#include "tune/also_results.hpp"

#include "tune/environment.hpp"

namespace gtune {

AlsoResults::AlsoResults(const std::vector<std::filesystem::path>& files, const std::string& kernel)
    : m_all(combine({{}, files, kernel})) {}

std::filesystem::path AlsoResults::file_of(MeasurementId measurement) const {
  return m_all.origins.also_file(measurement).value_or(m_all.database.path());
}

std::vector<MeasurementKey> AlsoResults::keys(const Environment& environment,
                                              const std::vector<MeasurementKey>& own,
                                              const Problem& problem) {
  // New rows, if any, are in memory only.
  Database& database = m_all.database;
  const ToolchainId toolchain = database.upsert_toolchain(environment.toolchain);
  const KernelId kernel = database.upsert_kernel(environment.identity);
  const ProblemId of_problem = database.upsert_problem(environment.identity.name, problem);
  std::vector<MeasurementKey> keys;
  for (const MeasurementKey& key : own) {
    const DeviceId device = database.upsert_device(environment.workers.device_of(key.device));
    database.use_toolchain(device, toolchain);
    keys.push_back({device, toolchain, kernel, of_problem, key.mode});
  }
  return keys;
}

}  // namespace gtune
