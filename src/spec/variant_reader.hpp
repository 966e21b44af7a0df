#pragma once

#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// The table [variants]. Files are looked for beside `spec_file`; they are read only when chosen.
[[nodiscard]] std::vector<VariantOption> read_variants(const SpecContext& context,
                                                       const TomlValue& table,
                                                       const std::filesystem::path& spec_file);

}  // namespace gtune
