#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "export/portfolio.hpp"
#include "spec/kernel_spec.hpp"

// What exported headers have tables of. A row is the inside of an initialiser's braces, the same in
// C and in C++.
namespace gtune {

/// Names of the fields of structures, in the order of the rows' values.
struct HeaderNames {
  std::vector<std::string> sizes;
  std::vector<std::string> params;
  std::vector<std::string> device_facts;
};

struct HeaderTables {
  std::vector<std::string> variants;          // params
  std::map<std::int64_t, std::string> words;  // that are values of params, by their integers
  std::vector<std::string> devices;           // name, device facts
  std::vector<std::string> tuned;             // device, variant, replayed, milliseconds, {sizes}
  std::vector<std::string> models;            // device, {sizes} of a problem of its kind
  std::vector<std::string> times;             // of each model, of each variant: {parts}, resident
};

[[nodiscard]] HeaderNames header_names(const KernelSpec& spec);

[[nodiscard]] HeaderTables header_tables(const KernelSpec& spec, const HeaderNames& names,
                                         const Portfolio& portfolio);

}  // namespace gtune
