#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/database.hpp"

namespace gtune {

/// ORDER BY terms for a name's rows in `kernel`: the one used last comes first. Imported T4
/// results have no known source and come after all that have one.
inline constexpr const char* k_current_first = "source_hash = 'T4', last_used DESC, id DESC";

/// What a database holds of one source and spec of a kernel.
struct StoredKernel {
  std::int64_t id = 0;
  std::string name;
  std::string source_hash;
  std::string spec_hash;
  std::string last_used;
  bool current = false;  // the last used of its name
  std::int64_t runs = 0;
  std::int64_t interrupted = 0;  // of `runs`: still going, or never ended
  std::int64_t problems = 0;     // that have a run
  std::int64_t measurements = 0;
};

struct StoredDevice {
  std::string name;
  std::string uuid;
  bool replayed = false;
  std::int64_t measurements = 0;
};

/// The contents of a database, in numbers.
struct Inventory {
  int schema = 0;
  std::vector<StoredKernel> kernels;
  std::vector<StoredDevice> devices;
  std::map<std::string, std::int64_t> by_status;
  std::string first;  // times of the first and last measurement; empty without any
  std::string last;
};

[[nodiscard]] Inventory take_inventory(Database& database);

/// What pruning removed or, in a dry run, would remove.
struct Pruned {
  std::vector<StoredKernel> kernels;
  std::int64_t runs = 0;
  std::int64_t measurements = 0;
};

/// Removes every source and spec except the current one of each name (only of `kernel_name`, unless
/// that is empty), with their runs and measurements. Keeps imported T4 results and what a process
/// on this machine may be measuring. With `dry_run`, removes nothing.
Pruned prune(Database& database, const std::string& kernel_name, bool dry_run);

}  // namespace gtune
