#pragma once

#include <vector>

#include "report/document.hpp"
#include "spec/spec_catalog.hpp"

namespace gtune {

/// Kernels that can be tuned; those whose spec cannot be read are left out.
[[nodiscard]] Document kernel_list_report(const std::vector<CatalogEntry>& entries);

}  // namespace gtune
