#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "model/named_values.hpp"

namespace gtune {

/// The configurations that the workers' recordings have. Equal lists are kept once, because many
/// workers usually replay one recording.
class RecordedConfigs {
 public:
  explicit RecordedConfigs(std::size_t workers) : m_lists(workers) {}

  /// Sets a worker's list. Several threads may call it.
  void set(std::size_t worker, std::vector<Config> configs);
  /// Those that all of these workers have, in the order of the first worker's list.
  [[nodiscard]] std::vector<Config> common(const std::vector<std::size_t>& workers) const;
  /// How many lists are kept.
  [[nodiscard]] std::size_t distinct_lists() const { return m_distinct.size(); }

 private:
  using List = std::shared_ptr<const std::vector<Config>>;

  std::mutex m_mutex;
  std::vector<List> m_distinct;
  std::vector<List> m_lists;  // by worker
};

}  // namespace gtune
