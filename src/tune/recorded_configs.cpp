#include "tune/recorded_configs.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace gtune {

void RecordedConfigs::set(std::size_t worker, std::vector<Config> configs) {
  const std::scoped_lock lock(m_mutex);
  for (const List& list : m_distinct) {
    if (*list != configs) continue;
    m_lists[worker] = list;
    return;
  }
  m_distinct.push_back(std::make_shared<const std::vector<Config>>(std::move(configs)));
  m_lists[worker] = m_distinct.back();
}

std::vector<Config> RecordedConfigs::common(const std::vector<std::size_t>& workers) const {
  const List& first = m_lists[workers.front()];
  std::set<List> others;
  for (const std::size_t worker : workers) others.insert(m_lists[worker]);
  others.erase(first);
  std::vector<Config> common = *first;
  for (const List& other : others) {
    std::set<std::string> known;
    for (const Config& config : *other) known.insert(config.text());
    std::erase_if(common, [&](const Config& config) { return !known.contains(config.text()); });
  }
  return common;
}

}  // namespace gtune
