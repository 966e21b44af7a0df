#pragma once

#include <string>

#include "export/header.hpp"

namespace gtune {

/// A C99 header, C++ as well, that selects from a portfolio as `gtune query` does; without
/// includes. Its names begin with gtune_KERNEL_. Throws UserError where a name of the spec is a
/// keyword.
[[nodiscard]] std::string c_header_text(const KernelSpec& spec, const Portfolio& portfolio,
                                        const HeaderFacts& facts);

}  // namespace gtune
