#include "search/population.hpp"

#include <algorithm>

namespace gtune {
namespace {

bool faster_member(const Member& a, const Member& b) { return a.log_cost < b.log_cost; }

}  // namespace

std::size_t Population::best() const {
  const auto found = std::min_element(m_members.begin(), m_members.end(), faster_member);
  return static_cast<std::size_t>(found - m_members.begin());
}

std::size_t Population::worst() const {
  const auto found = std::max_element(m_members.begin(), m_members.end(), faster_member);
  return static_cast<std::size_t>(found - m_members.begin());
}

bool Population::improve(std::size_t slot, std::span<const std::uint16_t> row, double log_cost) {
  if (!(log_cost < m_members[slot].log_cost)) return false;
  m_members[slot] = {{row.begin(), row.end()}, log_cost};
  return true;
}

}  // namespace gtune
