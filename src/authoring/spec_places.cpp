#include "authoring/spec_places.hpp"

namespace gtune {
namespace {

const TomlValue* value_in(const TomlValue* table, std::string_view key) {
  return table == nullptr ? nullptr : table->find(key);
}

const TomlValue* item_of(const TomlValue* list, std::size_t index) {
  return list == nullptr || index >= list->items.size() ? list : &list->items[index];
}

}  // namespace

SpecPlaces::SpecPlaces(const KernelSpec& spec)
    : m_file(spec.file.string()), m_root(parse_toml(spec.text, m_file)) {}

std::string SpecPlaces::of(const TomlValue* value) const {
  return (value == nullptr ? Place{} : value->place).in(m_file);
}

std::string SpecPlaces::entry(std::size_t step) const {
  const TomlValue* steps = m_root.find("steps");
  if (steps == nullptr) return of(value_in(m_root.find("kernel"), "entry"));
  return of(value_in(item_of(steps, step), "entry"));
}

std::string SpecPlaces::arguments() const { return argument(0); }

std::string SpecPlaces::argument(std::size_t index) const {
  return of(item_of(m_root.find("args"), index));
}

std::string SpecPlaces::parameter(std::string_view name) const {
  return of(value_in(m_root.find("params"), name));
}

std::string SpecPlaces::constraints() const {
  const TomlValue* own = m_root.find("constraints");
  if (own == nullptr) own = m_root.find("launch");
  return of(own == nullptr ? m_root.find("steps") : own);
}

const TomlValue* SpecPlaces::reference_value() const {
  return value_in(m_root.find("check"), "reference");
}

std::string SpecPlaces::reference() const { return of(reference_value()); }

std::string SpecPlaces::reference_argument(std::size_t index) const {
  const TomlValue* own = value_in(reference_value(), "args");
  return own == nullptr ? reference() : of(item_of(own, index));
}

std::string SpecPlaces::compare(std::string_view output) const {
  const TomlValue* outputs = value_in(m_root.find("check"), "outputs");
  return of(value_in(value_in(outputs, output), "compare"));
}

std::string SpecPlaces::baseline(std::size_t index) const {
  return of(item_of(m_root.find("baselines"), index));
}

}  // namespace gtune
