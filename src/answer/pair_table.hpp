#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/checked_json.hpp"
#include "model/kernel_identity.hpp"
#include "store/records.hpp"

namespace gtune {

/// The best that was measured for each pair of values of two parameters, on one device and
/// problem, whatever the other parameters were.
struct PairTable {
  std::string device;
  bool replayed = false;
  bool l2_flushed = true;
  Problem problem;
  std::string row;     // the parameter whose values go down
  std::string column;  // the one whose values go across
  std::map<std::pair<std::int64_t, std::int64_t>, ConfigSpeed> cells;  // by row, then column
};

/// A table for each device name, problem and state of the L2 cache. Both names are parameters of
/// every configuration.
[[nodiscard]] std::vector<PairTable> pair_tables(const std::vector<ConfigSpeed>& speeds,
                                                 const std::string& row, const std::string& column);

/// In TFLOP/s or GB/s where the work is known, else in milliseconds; "-" where nothing was
/// measured.
[[nodiscard]] std::string pair_text(const std::string& kernel,
                                    const std::vector<PairTable>& tables);
[[nodiscard]] nlohmann::json pair_json(const std::string& kernel,
                                       const std::vector<PairTable>& tables);
/// A line of names, then one for each pair: RFC 4180.
[[nodiscard]] std::string pair_csv(const KernelIdentity& kernel,
                                   const std::vector<PairTable>& tables);

}  // namespace gtune
