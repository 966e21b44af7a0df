#include "authoring/spec_places.hpp"

namespace gtune {
namespace {

const TomlValue* value_in(const TomlValue* table, std::string_view key) {
  return table == nullptr ? nullptr : table->find(key);
}

const TomlValue* item_of(const TomlValue* list, std::size_t index) {
  return list == nullptr || index >= list->items.size() ? list : &list->items[index];
}

/// The item of a list with this `name`, or else with this `entry`: a step may have no name.
const TomlValue* item_called(const TomlValue& list, const std::string& name) {
  for (const char* key : {"name", "entry"}) {
    for (const TomlValue& item : list.items) {
      const TomlValue* own = item.find(key);
      if (own != nullptr && own->text == name) return &item;
    }
  }
  return nullptr;
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

std::string SpecPlaces::at(const std::vector<std::string>& keys) const {
  const TomlValue* part = &m_root;
  for (const std::string& key : keys) {
    const TomlValue* next =
        part->kind == TomlValue::Kind::array ? item_called(*part, key) : part->find(key);
    if (next == nullptr) break;
    part = next;
  }
  return of(part);
}

const TomlValue* SpecPlaces::reference_value() const {
  return value_in(m_root.find("check"), "reference");
}

std::string SpecPlaces::reference() const { return of(reference_value()); }

std::string SpecPlaces::reference_part(std::vector<std::string> keys) const {
  if (value_in(reference_value(), "args") != nullptr && !keys.empty() && keys.front() == "args") {
    keys.insert(keys.begin(), {"check", "reference"});
  }
  return at(keys);
}

std::string SpecPlaces::reference_argument(std::size_t index) const {
  const TomlValue* own = value_in(reference_value(), "args");
  return own == nullptr ? argument(index) : of(item_of(own, index));
}

std::string SpecPlaces::compare(std::string_view output) const {
  const TomlValue* outputs = value_in(m_root.find("check"), "outputs");
  return of(value_in(value_in(outputs, output), "compare"));
}

std::string SpecPlaces::awkward_size(std::size_t entry, std::string_view size) const {
  const TomlValue* item = item_of(value_in(m_root.find("check"), "also"), entry);
  const TomlValue* own = value_in(item, size);
  return of(own == nullptr ? item : own);
}

std::string SpecPlaces::baseline(std::size_t index) const {
  return of(item_of(m_root.find("baselines"), index));
}

}  // namespace gtune
