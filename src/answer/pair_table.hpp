#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/document.hpp"
#include "store/records.hpp"

namespace gtune {

struct KernelSpec;

/// The best measurement for each pair of values of two parameters, over all values of the others,
/// on one device and problem.
struct PairTable {
  std::string device;
  bool replayed = false;
  TimingMode mode = {};
  Problem problem;
  std::string row;     // the parameter whose values go down
  std::string column;  // the parameter whose values go across
  std::map<std::pair<std::int64_t, std::int64_t>, ConfigSpeed> cells;  // by row, then column
};

/// A table for each device name, problem and timing mode. Configurations that lack one of the two
/// parameters, as a database of another program may have, are left out.
[[nodiscard]] std::vector<PairTable> pair_tables(const std::vector<ConfigSpeed>& speeds,
                                                 const std::string& row, const std::string& column);

/// In TFLOP/s or GB/s if the work is known, else in milliseconds; "-" for pairs not measured. In
/// CSV, a row for each pair.
[[nodiscard]] Document pair_report(const KernelSpec& spec, const std::vector<PairTable>& tables);

}  // namespace gtune
