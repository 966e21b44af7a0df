#include "spec/scope.hpp"

namespace gtune {

std::size_t Scope::add_slot(const std::string& name) {
  const std::size_t slot = m_slot_names.size();
  m_slot_names.push_back(name);
  m_meanings.insert_or_assign(name, slot);
  return slot;
}

std::size_t Scope::add_yielding_slot(const std::string& name) {
  const std::size_t slot = m_slot_names.size();
  m_slot_names.push_back(name);
  m_meanings.try_emplace(name, slot);
  return slot;
}

void Scope::add_expression(const std::string& name, Expression expression) {
  m_meanings.insert_or_assign(name, std::move(expression));
}

const Scope::Meaning* Scope::find(std::string_view name) const {
  const auto found = m_meanings.find(name);
  return found == m_meanings.end() ? nullptr : &found->second;
}

void Scope::set_words(const std::string& name, std::vector<std::string> words) {
  m_words.insert_or_assign(name, std::move(words));
}

const std::vector<std::string>& Scope::words_of(std::string_view name) const {
  static const std::vector<std::string> none;
  const auto found = m_words.find(name);
  return found == m_words.end() ? none : found->second;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> names;
  for (const auto& [name, meaning] : m_meanings) names.push_back(name);
  return names;
}

}  // namespace gtune
