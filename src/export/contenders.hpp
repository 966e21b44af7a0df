#pragma once

#include <cstddef>
#include <vector>

#include "answer/size_rules.hpp"
#include "answer/time_model.hpp"
#include "model/case.hpp"

namespace gtune {

/// By cell of a model's grid (gtune_spot::node[0]), the places of the configurations whose expected
/// times are compared there, ascending.
using Contenders = std::vector<std::vector<std::size_t>>;

/// The configurations that come near the fastest on one of many problems in a cell. `configs`:
/// those of the model. Computing the expected times of all takes a header most of its time to
/// choose, and most are far behind in most cells.
[[nodiscard]] Contenders find_contenders(const SizeRules& rules, const TimeModel& model,
                                         const std::vector<Config>& configs);

}  // namespace gtune
