#include "explain/comparison.hpp"

#include <algorithm>
#include <tuple>

#include "explain/metric_reading.hpp"

namespace gtune {
namespace {

struct Fact {
  std::string name;
  std::string unit;
  std::optional<double> value;
};

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

std::vector<Fact> facts_of(const Subject& subject) {
  const StaticFacts& facts = subject.facts;
  std::vector<Fact> out = {{"time", "ms", subject.measured.timing->median_ms}};
  if (facts.speed.gflops) {
    out.push_back({"speed", "GFLOP/s", facts.speed.gflops});
  } else {
    out.push_back({"speed", "GB/s", facts.speed.gbps});
  }
  out.push_back({"share_of_roof", "percent",
                 facts.roof ? std::optional(100 * facts.roof->share) : std::nullopt});
  if (subject.measured.resources) {
    const ResourceUsage& usage = *subject.measured.resources;
    const auto number = [](auto value) { return static_cast<double>(value); };
    out.push_back({"registers", "", number(usage.registers)});
    out.push_back({"spilled", "byte", number(usage.spill_store_bytes + usage.spill_load_bytes)});
    out.push_back(
        {"shared_memory", "byte", number(usage.static_shared_bytes + usage.dynamic_shared_bytes)});
    if (!usage.occupancy_limit.empty()) {
      out.push_back({"theoretical_occupancy", "percent", 100 * usage.theoretical_occupancy});
    }
  }
  if (facts.launch) {
    out.push_back(
        {"threads_per_block", "", static_cast<double>(facts.launch->threads_per_block())});
  }
  out.push_back({"blocks", "", facts.blocks});
  out.push_back({"waves", "", facts.waves});
  out.push_back({"idle_places", "percent", percent(facts.idle_places)});
  return out;
}

class Comparison {
 public:
  void add(const Subject& subject, std::optional<double> ComparedValue::*side) {
    for (const Fact& fact : facts_of(subject))
      add({fact.name, fact.unit, false, {}, {}}, fact.value, side);
    for (const Metric& metric : subject.metrics) {
      add({metric.name, metric.unit, true, {}, {}}, metric.value, side);
    }
  }

  [[nodiscard]] std::vector<ComparedValue> sorted() && {
    const auto key = [](const ComparedValue& each) {
      return std::tuple(each.counted, place_of(each.name), each.name);
    };
    std::sort(m_values.begin(), m_values.end(),
              [&](const ComparedValue& a, const ComparedValue& b) { return key(a) < key(b); });
    return std::move(m_values);
  }

 private:
  void add(ComparedValue blank, std::optional<double> value,
           std::optional<double> ComparedValue::*side) {
    if (!value) return;
    auto found = std::find_if(m_values.begin(), m_values.end(), [&](const ComparedValue& each) {
      return each.name == blank.name && each.unit == blank.unit;
    });
    if (found == m_values.end()) found = m_values.insert(found, std::move(blank));
    (*found).*side = value;
  }

  std::vector<ComparedValue> m_values;
};

}  // namespace

std::optional<double> ComparedValue::ratio() const {
  if (!value || !versus || *versus == 0) return std::nullopt;
  return *value / *versus;
}

std::vector<ComparedValue> compare(const Subject& subject, const Subject* versus) {
  Comparison comparison;
  comparison.add(subject, &ComparedValue::value);
  if (versus != nullptr) comparison.add(*versus, &ComparedValue::versus);
  return std::move(comparison).sorted();
}

}  // namespace gtune
