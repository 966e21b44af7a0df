#pragma once

#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads the table [variants]. Files are looked up beside `spec_file`, and read only when chosen.
[[nodiscard]] std::vector<VariantOption> read_variants(const SpecContext& context,
                                                       const TomlValue& table,
                                                       const std::filesystem::path& spec_file);

}  // namespace gtune
