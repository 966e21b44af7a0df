#pragma once

#include <cstdint>
#include <filesystem>

#include "report/document.hpp"
#include "store/inventory.hpp"

namespace gtune {

/// What a database holds, in numbers. `bytes`: the size of its file.
[[nodiscard]] Document inventory_report(const Inventory& all, const std::filesystem::path& path,
                                        std::uint64_t bytes);

/// What was removed from a database or, with `dry_run`, would be.
[[nodiscard]] Document pruned_report(const Pruned& pruned, bool dry_run);

}  // namespace gtune
