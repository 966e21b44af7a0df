#include "store/json_text.hpp"

#include <nlohmann/json.hpp>

#include "model/json.hpp"

namespace gtune {

using nlohmann::json;

namespace {

/// Bytes that are not UTF-8 must not stop a measurement from being stored.
std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string values_text(const NamedValues& values) {
  json object = json::object();  // sorts
  for (const auto& [name, value] : values.entries()) object[name] = value;
  return text_of(object);
}

NamedValues values_from(const std::string& text, const std::vector<std::string>& order) {
  const json object = json::parse(text);
  NamedValues values;
  for (const auto& name : order) {
    if (object.contains(name)) values.set(name, object.at(name).get<std::int64_t>());
  }
  if (values.entries().size() == object.size()) return values;
  for (const auto& [name, value] : object.items()) values.set(name, value.get<std::int64_t>());
  return values;
}

std::string names_text(const std::vector<std::string>& names) { return text_of(json(names)); }

std::vector<std::string> names_from(const std::string& text) {
  return json::parse(text).get<std::vector<std::string>>();
}

std::string ids_text(const std::vector<MeasurementId>& ids) { return text_of(json(ids)); }

std::vector<MeasurementId> ids_from(const std::string& text) {
  return json::parse(text).get<std::vector<MeasurementId>>();
}

std::string summary_text(const RunSummary& summary) {
  json by_status = json::object();
  for (const auto& [status, count] : summary.by_status) {
    by_status[std::string(to_string(status))] = count;
  }
  return text_of({{"tried", summary.tried},
                  {"reused", summary.reused},
                  {"by_status", by_status},
                  {"elapsed_s", summary.elapsed_s}});
}

RunSummary summary_from(const std::string& text) {
  const json in = json::parse(text);
  RunSummary summary;
  in.at("tried").get_to(summary.tried);
  in.at("reused").get_to(summary.reused);
  in.at("elapsed_s").get_to(summary.elapsed_s);
  for (const auto& [status, count] : in.at("by_status").items()) {
    summary.by_status[status_from_string(status)] = count.get<std::int64_t>();
  }
  return summary;
}

std::string facts_text(const DeviceFacts& facts) { return text_of(json(facts)); }

DeviceFacts facts_from(const std::string& text) {
  json facts = DeviceFacts{};
  facts.update(json::parse(text));
  return facts.get<DeviceFacts>();
}

}  // namespace gtune
