#include "exchange/recorded_space.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

namespace gtune {
namespace {

using nlohmann::json;

/// A value's position in its parameter's list.
using Positions = std::map<json, std::uint16_t>;

Positions positions_of(std::size_t parameter, const std::vector<RecordedRow>& rows) {
  Positions positions;
  for (const RecordedRow& row : rows) positions.emplace(row.values[parameter], 0);
  if (positions.size() > UINT16_MAX) {
    throw std::invalid_argument("a parameter has more than 65535 values");
  }
  std::uint16_t next = 0;
  for (auto& [value, position] : positions) position = next++;
  return positions;
}

std::int64_t number_for(const json& value, std::uint16_t position) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (const auto integer = integer_in<std::int64_t>(value)) return *integer;
  return value.is_number() ? position + 1 : position;
}

Dimension dimension_of(const std::string& name, const Positions& positions) {
  Dimension dimension{name, {}};
  std::set<std::int64_t> seen;
  for (const auto& [value, position] : positions) {
    dimension.values.push_back(number_for(value, position));
    seen.insert(dimension.values.back());
  }
  // Mixed integers and other values can collide; then only their order is kept.
  if (seen.size() < dimension.values.size()) {
    for (std::size_t i = 0; i < dimension.values.size(); ++i) {
      dimension.values[i] = static_cast<std::int64_t>(i) + 1;
    }
  }
  return dimension;
}

bool usable(const std::optional<double>& cost_ms) {
  // Older versions of Kernel Tuner write 1e20 for a failure.
  return cost_ms && std::isfinite(*cost_ms) && *cost_ms > 0 && *cost_ms < 1e20;
}

}  // namespace

RecordedSpace make_recorded_space(std::string name, const std::vector<std::string>& parameters,
                                  const std::vector<RecordedRow>& rows) {
  for (const RecordedRow& row : rows) {
    if (row.values.size() != parameters.size()) {
      throw std::invalid_argument("a configuration has " + std::to_string(row.values.size()) +
                                  " values for " + std::to_string(parameters.size()) +
                                  " parameters");
    }
  }
  std::vector<Positions> positions;
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < parameters.size(); ++d) {
    positions.push_back(positions_of(d, rows));
    dimensions.push_back(dimension_of(parameters[d], positions.back()));
  }
  RecordedSpace recorded;
  recorded.name = std::move(name);
  // Sorted by coordinates: the order in a file must not change a score.
  std::map<std::vector<std::uint16_t>, const RecordedRow*> in_order;
  for (const RecordedRow& row : rows) {
    std::vector<std::uint16_t> place;
    for (std::size_t d = 0; d < parameters.size(); ++d) {
      place.push_back(positions[d].at(row.values[d]));
    }
    in_order.emplace(std::move(place), &row);
  }
  std::vector<std::uint16_t> coordinates;
  for (const auto& [place, row] : in_order) {
    coordinates.insert(coordinates.end(), place.begin(), place.end());
    recorded.costs_ms.push_back(usable(row->cost_ms) ? row->cost_ms : std::nullopt);
    recorded.evaluation_ms.push_back(
        std::isfinite(row->evaluation_ms) ? std::max(row->evaluation_ms, 0.0) : 0);
    recorded.metrics.push_back(row->metrics);
  }
  recorded.optimum_ms = INFINITY;
  for (const auto& cost : recorded.costs_ms) {
    if (cost) recorded.optimum_ms = std::min(recorded.optimum_ms, *cost);
  }
  if (!std::isfinite(recorded.optimum_ms)) {
    throw std::invalid_argument("no configuration has a time");
  }
  recorded.space = SearchSpace(std::move(dimensions), std::move(coordinates));
  return recorded;
}

}  // namespace gtune
