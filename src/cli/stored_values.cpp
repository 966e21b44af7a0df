#include "cli/stored_values.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "cli/chosen_databases.hpp"
#include "cli/current_identity.hpp"
#include "model/error.hpp"
#include "store/database.hpp"
#include "store/default_path.hpp"
#include "store/inventory.hpp"
#include "system/data_folders.hpp"

namespace gtune {
namespace {

using Given = std::map<std::string, std::string>;

void look_into(const std::filesystem::path& file, OpenMode mode,
               const std::function<void(Database&)>& look) {
  try {
    Database database(file, mode, std::chrono::milliseconds(200));
    look(database);
  } catch (const UserError&) {
    // Nothing to suggest from it.
  }
}

std::vector<std::filesystem::path> also_of(const DatabaseOptions& options) {
  try {
    return options.also_files();
  } catch (const UserError&) {
    return {};
  }
}

void look_into_all(const Given& given, const std::function<void(Database&)>& look) {
  const auto named = given.find("--db");
  look_into(named != given.end() ? std::filesystem::path(named->second) : default_database_path(),
            OpenMode::read_only, look);
  const auto also = given.find("--also");
  DatabaseOptions others;
  if (also != given.end()) others.also = {also->second};
  if (named != given.end()) others.own = named->second;
  for (const auto& file : also_of(others)) look_into(file, OpenMode::untouched, look);
  if (const auto bundled = bundled_database()) look_into(*bundled, OpenMode::immutable, look);
}

/// Whether the problem has the given sizes, except for the size `asked`.
bool fits(const Problem& problem, const Given& given, const std::string& asked) {
  const auto& sizes = problem.entries();
  return std::all_of(sizes.begin(), sizes.end(), [&](const auto& size) {
    const auto value = given.find("--" + size.first);
    return size.first == asked || value == given.end() ||
           value->second == std::to_string(size.second);
  });
}

}  // namespace

std::set<std::int64_t> stored_sizes(const KernelSpec& spec, const Given& given,
                                    const std::string& size) {
  std::set<std::int64_t> values;
  const KernelIdentity identity = current_identity(spec);
  look_into_all(given, [&](Database& database) {
    for (const TunedProblem& tuned : database.tuned_problems(identity)) {
      const auto value = tuned.sizes.find(size);
      if (value && fits(tuned.sizes, given, size)) values.insert(*value);
    }
  });
  return values;
}

std::set<std::string> stored_devices(const KernelSpec* spec, const Given& given) {
  std::set<std::string> names;
  look_into_all(given, [&](Database& database) {
    if (spec != nullptr) {
      for (const DeviceFacts& device : database.tuned_devices(current_identity(*spec))) {
        names.insert(device.name);
      }
    } else {
      for (const StoredDevice& device : take_inventory(database).devices) names.insert(device.name);
    }
  });
  return names;
}

std::set<std::string> stored_kernels(const Given& given) {
  std::set<std::string> names;
  look_into_all(given, [&](Database& database) {
    for (const StoredKernel& kernel : take_inventory(database).kernels) names.insert(kernel.name);
  });
  return names;
}

}  // namespace gtune
