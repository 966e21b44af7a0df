#pragma once

#include <string>
#include <vector>

#include "page/problem_record.hpp"
#include "page/vocabulary_part.hpp"
#include "store/inventory.hpp"

namespace gtune {

/// A kernel of the database whose results cannot be shown, and why.
struct UnshownKernel {
  std::string name;
  std::string why;
};

/// What a page shows.
struct PageContents {
  std::vector<KernelRecord> kernels;
  std::vector<MetricMeaning> metrics;  // whatever may be counted
  std::vector<UnshownKernel> unshown;
  std::string database;      // where it was read from, in words
  bool is_overview = false;  // of all kernels of a database
};

/// A report as one HTML file that needs nothing else: it makes no requests, and its policy allows
/// only its own script and styles. What it says without scripts is the answer, the main numbers,
/// small charts and tables; its script draws all configurations and makes tables sortable. Same
/// contents, same bytes.
[[nodiscard]] std::string report_page(const PageContents& contents);

}  // namespace gtune
