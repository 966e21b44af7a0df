#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/database.hpp"

namespace gtune {

/// In SQL, of a name's rows in `kernel`: the one used last first. What came as T4 results is of no
/// known source, and never before one that is.
inline constexpr const char* k_current_first = "source_hash = 'T4', last_used DESC, id DESC";

/// What one source and spec of a kernel has in a database.
struct StoredKernel {
  std::int64_t id = 0;
  std::string name;
  std::string source_hash;
  std::string spec_hash;
  std::string last_used;
  bool current = false;  // used last of its name
  std::int64_t runs = 0;
  std::int64_t interrupted = 0;  // of `runs`: still going, or never ended
  std::int64_t problems = 0;     // with a run
  std::int64_t measurements = 0;
};

struct StoredDevice {
  std::string name;
  std::string uuid;
  bool replayed = false;
  std::int64_t measurements = 0;
};

/// What is in a database, in numbers.
struct Inventory {
  int schema = 0;
  std::vector<StoredKernel> kernels;
  std::vector<StoredDevice> devices;
  std::map<std::string, std::int64_t> by_status;
  std::string first;  // when the first and last measurement were made; empty without any
  std::string last;
};

[[nodiscard]] Inventory take_inventory(Database& database);

/// What pruning removes, or would.
struct Pruned {
  std::vector<StoredKernel> kernels;
  std::int64_t runs = 0;
  std::int64_t measurements = 0;
};

/// Removes every source and spec but the current one of each name (of this name alone, unless it
/// is empty), with their runs and measurements. What is of no known source stays, and so does what
/// a process of this machine is measuring. With `dry_run` only says so.
Pruned prune(Database& database, const std::string& kernel_name, bool dry_run);

}  // namespace gtune
