#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "model/named_values.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The macros, and the lets among the template's arguments: what the compiler sees of parameters
/// that it does not see by name.
[[nodiscard]] std::vector<const Expression*> compiled_expressions(const KernelSpec& spec);

/// Which parameters change nothing in the compiled kernel of a configuration, only its launch. That
/// may depend on the configuration: with `STAGES == 0 ? 1 : BM` among the template's arguments, BM
/// is launch-only where STAGES is 0.
class LaunchOnly {
 public:
  /// `spec` must outlive this object. `unnamed`: parameters that are neither arguments of the
  /// template themselves, nor seen by the source or in options.
  LaunchOnly(const KernelSpec& spec, const std::vector<std::string>& unnamed);

  /// May be called on several threads.
  [[nodiscard]] std::vector<const Parameter*> of(const Config& config) const;

 private:
  [[nodiscard]] std::vector<const Parameter*> find(const Config& config) const;
  [[nodiscard]] std::size_t slot_of(const Parameter& param) const;

  const KernelSpec& m_spec;
  std::vector<const Parameter*> m_unnamed;
  std::vector<const Expression*> m_compiled;  // those that depend on an unnamed parameter
  // Answers by configuration: leave-one-out asks for the same ones a thousand times.
  mutable std::mutex m_mutex;
  mutable std::map<std::vector<NamedValues::Entry>, std::vector<const Parameter*>> m_known;
};

}  // namespace gtune
