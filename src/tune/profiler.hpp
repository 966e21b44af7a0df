#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tune/environment.hpp"
#include "tune/until_given_up.hpp"

namespace gtune {

/// Takes hardware metrics on the lead. If they are unavailable, it reports that once and stops.
/// CUPTI's patching has crashed with some kernels: after the first crash, nothing is patched.
class Profiler {
 public:
  explicit Profiler(const Environment& environment)
      : m_env(environment), m_asking(environment.observer, "hardware metrics") {}

  /// Returns what to launch on the open problem; absent if nothing can be, with the reason.
  using FindRun = std::function<std::optional<Measure>(std::string& reason)>;

  /// Takes metrics of launches, either all patched in or none. If there are none, the reply has the
  /// reason.
  ProfileReply take(const FindRun& find_run, const std::vector<std::string>& metrics);

 private:
  const Environment& m_env;
  UntilGivenUp m_asking;
  std::string m_why_unpatched;  // why nothing is patched any more; empty: it is
};

}  // namespace gtune
