#pragma once

#include <optional>
#include <string>

namespace gtune {

/// A hardware metric of one measured kernel.
struct Metric {
  std::string name;             // the user's name, "dram_throughput", or CUPTI's
  std::optional<double> value;  // absent if unavailable
  std::string unit;             // CUPTI's: "percent", "byte"; empty without a value
  std::string reason;           // why there is no value; one line
};

}  // namespace gtune
