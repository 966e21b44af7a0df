#pragma once

#include <string>
#include <vector>

#include "export/portfolio.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

struct HeaderFacts {
  KernelIdentity identity;
  std::vector<std::string> provenance;  // lines for the head: what was measured, and with what
};

/// A C++17 header that selects from a portfolio as `gtune query` does: constexpr, without
/// includes, for host, device and NVRTC. Throws UserError where a name of the spec is a keyword of
/// C++.
[[nodiscard]] std::string header_text(const KernelSpec& spec, const Portfolio& portfolio,
                                      const HeaderFacts& facts);

}  // namespace gtune
