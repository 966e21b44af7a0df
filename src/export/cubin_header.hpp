#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "export/header.hpp"
#include "export/instances.hpp"

namespace gtune {

/// A compiled instance of the kernel.
struct EmbeddedCubin {
  VariantUse use;     // one of the uses that it serves
  std::string entry;  // the kernel's mangled name
  std::vector<std::byte> bytes;
};

/// One use of the portfolio for each instance on each architecture.
[[nodiscard]] std::vector<VariantUse> uses_to_compile(const KernelSpec& spec,
                                                      const Portfolio& portfolio);

/// C++17 to be included after the exported header: the cubins, and a function that returns the one
/// for a problem, device and variant. Without includes.
[[nodiscard]] std::string cubin_header_text(const KernelSpec& spec, const Portfolio& portfolio,
                                            const HeaderFacts& facts,
                                            const std::vector<EmbeddedCubin>& cubins);

}  // namespace gtune
