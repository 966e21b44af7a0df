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

/// cpp: C++17, constexpr, for host, device and NVRTC; names are in a namespace gtune_KERNEL.
/// c: C99, and C++ as well; names begin with gtune_KERNEL_.
enum class HeaderLanguage { cpp, c };

/// A header without includes that selects from a portfolio as `gtune query` does. Throws UserError
/// where a name of the spec is a keyword of either language.
[[nodiscard]] std::string header_text(const KernelSpec& spec, const Portfolio& portfolio,
                                      const HeaderFacts& facts, HeaderLanguage language);

/// For a file that goes with the C++ header: it does not compile beside the header of another
/// export.
[[nodiscard]] std::string same_export_check(const KernelIdentity& identity,
                                            const Portfolio& portfolio);

}  // namespace gtune
