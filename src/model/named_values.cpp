#include "model/named_values.hpp"

#include <algorithm>

#include "model/value_word.hpp"

namespace gtune {

void NamedValues::set(std::string_view name, std::int64_t value) {
  for (auto& [key, current] : m_entries) {
    if (key == name) {
      current = value;
      return;
    }
  }
  m_entries.emplace_back(std::string(name), value);
}

std::optional<std::int64_t> NamedValues::find(std::string_view name) const {
  for (const auto& [key, value] : m_entries) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::vector<std::int64_t> NamedValues::values() const {
  std::vector<std::int64_t> values;
  for (const auto& [key, value] : m_entries) values.push_back(value);
  return values;
}

std::string NamedValues::text() const {
  std::string out;
  for (const auto& [key, value] : m_entries) {
    if (!out.empty()) out += ',';
    out += key + '=' + value_text(value);
  }
  return out;
}

bool operator==(const NamedValues& a, const NamedValues& b) {
  if (a.m_entries.size() != b.m_entries.size()) return false;
  return std::all_of(a.m_entries.begin(), a.m_entries.end(),
                     [&](const auto& entry) { return b.find(entry.first) == entry.second; });
}

}  // namespace gtune
