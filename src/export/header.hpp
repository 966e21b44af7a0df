#pragma once

#include <string>
#include <vector>

#include "export/portfolio.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

struct HeaderFacts {
  KernelIdentity identity;
  std::vector<std::string> provenance;  // head lines: what was measured, and with what
};

/// cpp: C++17, constexpr, for host, device and NVRTC; names are in a namespace gtune_KERNEL.
/// c: C99, and C++ as well; names begin with gtune_KERNEL_.
enum class HeaderLanguage { cpp, c };

/// A header without includes that selects from a portfolio as `gtune query` does. Throws UserError
/// if a name of the spec is a keyword of either language.
[[nodiscard]] std::string header_text(const KernelSpec& spec, const Portfolio& portfolio,
                                      const HeaderFacts& facts, HeaderLanguage language);

/// A static_assert for a file that accompanies the C++ header: it fails beside the header of
/// another export.
[[nodiscard]] std::string same_export_check(const KernelIdentity& identity,
                                            const Portfolio& portfolio);

}  // namespace gtune
