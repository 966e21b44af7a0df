#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "model/kernel_identity.hpp"
#include "model/named_values.hpp"
#include "store/database.hpp"
#include "tune/observer.hpp"

namespace gtune {

/// Where a configuration won that a search measures first. Of two that are equally near, the one
/// whose origin is listed first comes first.
enum class PriorOrigin { earlier_runs, other_sources, bundled_results, other_devices };
[[nodiscard]] std::string_view to_string(PriorOrigin origin);

struct PriorWinner {
  Problem problem;
  Config config;
  PriorOrigin origin = PriorOrigin::earlier_runs;
};

/// The winners of the latest other sources and specs of the kernel's name.
[[nodiscard]] std::vector<PriorWinner> winners_of_other_sources(const Database& database,
                                                                const KernelIdentity& kernel);

/// The winners of a database of bundled results. Without them, searches begin with less: if the
/// file cannot be read, there are none, and a note says so.
[[nodiscard]] std::vector<PriorWinner> bundled_winners(const std::filesystem::path& file,
                                                       const KernelIdentity& kernel,
                                                       RunObserver& observer);

}  // namespace gtune
