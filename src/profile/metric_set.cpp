#include "profile/metric_set.hpp"

#include <utility>

#include "model/error.hpp"

namespace gtune {
namespace {

class Scheduler {
 public:
  Scheduler(const CuptiLibrary& cupti, const std::string& chip,
            const std::vector<std::uint8_t>& availability)
      : m_cupti(cupti), m_chip(chip), m_availability(availability) {}

  /// False if the device cannot measure them together.
  bool schedule(MetricGroup& group) const {
    group.host = std::make_unique<MetricHost>(m_cupti, m_chip, m_availability);
    group.config = group.host->schedule(group.metrics);
    return !group.config.empty();
  }
  /// Removes and returns the metrics of `group` that cannot be measured with those before them.
  [[nodiscard]] MetricGroup split(MetricGroup& group) const {
    MetricGroup kept, rest;
    for (std::size_t i = 0; i < group.names.size(); ++i) {
      MetricGroup trial;
      trial.metrics = kept.metrics;
      trial.metrics.push_back(group.metrics[i]);
      move_entry(group, i, schedule(trial) ? kept : rest);
    }
    group = std::move(kept);
    return rest;
  }

 private:
  static void move_entry(MetricGroup& from, std::size_t index, MetricGroup& to) {
    to.names.push_back(std::move(from.names[index]));
    to.metrics.push_back(std::move(from.metrics[index]));
    to.units.push_back(std::move(from.units[index]));
  }

  const CuptiLibrary& m_cupti;
  const std::string& m_chip;
  const std::vector<std::uint8_t>& m_availability;
};

}  // namespace

MetricSet schedule_metrics(const CuptiLibrary& cupti, const MetricCatalog& catalog,
                           const std::vector<std::string>& names,
                           const std::vector<std::uint8_t>& availability) {
  MetricSet set;
  MetricGroup all;
  for (const std::string& name : names) {
    try {
      const std::string metric = catalog.resolve(name);
      all.units.push_back(catalog.find(metric).value().unit);
      all.metrics.push_back(metric);
      all.names.push_back(name);
    } catch (const UserError& error) {
      set.refused.push_back({name, std::nullopt, "", error.what()});
    }
  }
  const Scheduler scheduler(cupti, catalog.chip(), availability);
  while (!all.names.empty()) {
    MetricGroup rest;
    if (!scheduler.schedule(all)) rest = scheduler.split(all);
    if (all.names.empty()) {  // not even alone: the device lacks the counters
      for (const std::string& name : rest.names) {
        set.refused.push_back({name, std::nullopt, "", "CUPTI refuses it on this device"});
      }
      break;
    }
    scheduler.schedule(all);
    set.groups.push_back(std::exchange(all, std::move(rest)));
  }
  return set;
}

}  // namespace gtune
