#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// The counters of repeats, in the order of their slots, which follow all others.
class StepCounters {
 public:
  explicit StepCounters(std::size_t first_slot) : m_first_slot(first_slot) {}

  void add(const std::string& name) { m_names.push_back(name); }
  [[nodiscard]] std::size_t count() const { return m_names.size(); }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::find(m_names.begin(), m_names.end(), name) != m_names.end();
  }
  [[nodiscard]] std::size_t slot_of(const std::string& name) const {
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    return m_first_slot + static_cast<std::size_t>(found - m_names.begin());
  }
  /// A counter other than `allowed` that the expression names; empty if there is none.
  [[nodiscard]] std::string other_in(const Expression& expression,
                                     const std::string& allowed) const {
    for (const std::size_t slot : expression.slots()) {
      if (slot < m_first_slot) continue;
      const std::string& name = m_names[slot - m_first_slot];
      if (name != allowed) return name;
    }
    return "";
  }

 private:
  std::size_t m_first_slot;
  std::vector<std::string> m_names;
};
/// Adds the counters of the tables [[steps]] to the context's scope.
[[nodiscard]] StepCounters declare_counters(SpecContext& context, const TomlValue& list);

/// Fails unless a step names only its own counter, and only in grids, offsets, counts
/// and streams.
void require_own_counter(const SpecContext& context, const Place& place,
                         const StepCounters& counters, const StepSpec& step);

}  // namespace gtune
