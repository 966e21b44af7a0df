#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "export/portfolio.hpp"
#include "spec/kernel_spec.hpp"

// The tables of exported headers. A row is the text inside an initialiser's braces, the same in C
// and C++.
namespace gtune {

/// Names of the structures' fields, in the order of the rows' values.
struct HeaderNames {
  std::vector<std::string> sizes;
  std::vector<std::string> params;
  std::vector<std::string> device_facts;
};

struct HeaderTables {
  std::vector<std::string> variants;          // params
  std::map<std::int64_t, std::string> words;  // words among values of params, by their integers
  std::vector<std::string> devices;           // name, device facts
  std::vector<std::string> tuned;             // device, variant, replayed, milliseconds, {sizes}
  std::vector<std::string> models;            // device, {sizes} of a problem of its kind
  std::vector<std::string> times;             // by model, then variant: {parts}, resident
  std::vector<std::string> factors;           // the same: {thousandths}
  std::vector<std::string> contenders;        // all variants; then those of each cell
  std::vector<std::string> cells;             // by model, then node: where its contenders are
};

[[nodiscard]] HeaderNames header_names(const KernelSpec& spec);

[[nodiscard]] HeaderTables header_tables(const KernelSpec& spec, const HeaderNames& names,
                                         const Portfolio& portfolio);

}  // namespace gtune
