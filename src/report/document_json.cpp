#include "model/checked_json.hpp"
#include "model/json.hpp"
#include "report/document.hpp"
#include "report/values_json.hpp"

namespace gtune {
namespace {

using nlohmann::json;

json cell_json(const Cell& cell) {
  const auto& value = cell.value();
  if (std::holds_alternative<std::monostate>(value)) return nullptr;
  if (const auto* values = std::get_if<NamedValues>(&value)) return values_json(*values);
  if (const auto* cells = std::get_if<std::vector<Cell>>(&value)) {
    json out = json::array();
    for (const Cell& each : *cells) out.push_back(cell_json(each));
    return out;
  }
  return std::visit(
      [](const auto& scalar) -> json {
        using T = std::decay_t<decltype(scalar)>;
        if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) return scalar;
        return nullptr;
      },
      value);
}

json table_json(const Table& table) {
  json out = json::array();
  for (const Table::Row& row : table.rows()) {
    json object = json::object();
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      const std::string& key = table.columns()[i].key;
      if (!key.empty()) object[key] = cell_json(row.cells[i]);
    }
    out.push_back(std::move(object));
  }
  return out;
}

json document_json(const Document& document);

void add_part(json& out, const Document::Part& part) {
  if (part.is_list) {
    json list = json::array();
    for (const Document& each : part.documents) list.push_back(document_json(each));
    (part.key.empty() ? out : out[part.key]) = std::move(list);
    return;
  }
  json object = document_json(part.documents.front());
  if (part.key.empty()) {
    out.update(object);
  } else {
    out[part.key] = std::move(object);
  }
}

json document_json(const Document& document) {
  json out = json::object();
  for (const Document::Item& item : document.items()) {
    if (const auto* line = std::get_if<Document::Line>(&item)) {
      if (!line->key.empty()) out[line->key] = cell_json(line->cell);
    } else if (const auto* table = std::get_if<Table>(&item)) {
      if (!table->key().empty()) out[table->key()] = table_json(*table);
    } else {
      add_part(out, std::get<Document::Part>(item));
    }
  }
  return out;
}

}  // namespace

std::string json_of(const Document& document, int indent) {
  return json_text(document_json(document), indent) + '\n';
}

}  // namespace gtune
