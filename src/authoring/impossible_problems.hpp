#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "space/search_space.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// An entry of `also` in [check] that is possible for none of the tried configurations.
struct ImpossibleProblem {
  std::size_t entry = 0;  // index in `also`
  std::string size;       // the one that is out of range or has no value
  std::string why;
  std::string example;  // a configuration
};

/// Tries the entries of `also` for configurations. Winners are checked only on entries that are
/// possible for them.
class ImpossibleProblems {
 public:
  ImpossibleProblems(const KernelSpec& spec, const DeviceFacts& device);

  /// Tries the space's configurations, of many a sample.
  void try_all(const Problem& problem, const SearchSpace& space);
  /// Empty if nothing was tried.
  [[nodiscard]] std::vector<ImpossibleProblem> found() const;

 private:
  const KernelSpec& m_spec;
  const DeviceFacts& m_device;
  std::vector<bool> m_possible;                             // of each entry
  std::vector<std::optional<ImpossibleProblem>> m_reasons;  // the first of each entry
};

}  // namespace gtune
