#include "store/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "model/checked_json.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"
#include "model/possible_measurement.hpp"
#include "model/value_word.hpp"

namespace gtune {

using nlohmann::json;

namespace {

/// Parses {"BK":8,"BM":128} without building a tree: a query reads thousands of them.
class ValuesReader : public nlohmann::json_sax<json> {
 public:
  explicit ValuesReader(std::vector<NamedValues::Entry>& entries) : m_entries(entries) {}

  bool key(string_t& name) override {
    m_entries.emplace_back(std::move(name), 0);
    return true;
  }
  bool number_integer(number_integer_t value) override { return take(value); }
  bool number_unsigned(number_unsigned_t value) override {
    return std::in_range<std::int64_t>(value) && take(static_cast<std::int64_t>(value));
  }
  bool start_object(std::size_t) override { return ++m_depth == 1; }
  bool end_object() override { return true; }
  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool string(string_t& word) override { return is_value_word(word) && take(value_of_word(word)); }
  bool binary(binary_t&) override { return false; }
  bool start_array(std::size_t) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

 private:
  bool take(std::int64_t value) {
    if (m_entries.empty()) return false;
    m_entries.back().second = value;
    return true;
  }

  std::vector<NamedValues::Entry>& m_entries;
  int m_depth = 0;
};

/// Parses text as values_text writes it, several times as fast as general JSON: a query reads the
/// sizes of all tuned problems. Returns false for any other text.
bool read_own_text(std::string_view text, std::vector<NamedValues::Entry>& entries) {
  if (!text.starts_with('{') || !text.ends_with('}')) return false;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at != end) {
    if (*at != '"') return false;
    const char* const name = ++at;
    while (at != end && *at != '"' && *at != '\\') ++at;
    if (end - at < 2 || at[0] != '"' || at[1] != ':') return false;
    entries.emplace_back(std::string(name, at), 0);
    const auto number = std::from_chars(at + 2, end, entries.back().second);
    if (number.ec != std::errc()) return false;
    at = number.ptr;
    if (at == end) return true;
    if (*at != ',') return false;
    ++at;
    if (at == end) return false;
  }
  return entries.empty();
}

}  // namespace

std::string values_text(const NamedValues& values) {
  json object = json::object();  // sorts
  for (const auto& [name, value] : values.entries()) object[name] = value_json(value);
  return json_text(object);
}

NamedValues values_from(const std::string& text, const std::vector<std::string>& order) {
  std::vector<NamedValues::Entry> entries;
  entries.reserve(order.size());
  if (!read_own_text(text, entries)) {
    entries.clear();
    ValuesReader reader(entries);
    if (!json::sax_parse(text, &reader)) {
      throw std::invalid_argument("no object of names and integers or words: " + text);
    }
  }
  std::vector<NamedValues::Entry> ordered;
  ordered.reserve(entries.size());
  for (const auto& name : order) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found != entries.end()) ordered.emplace_back(name, found->second);
  }
  const bool all = ordered.size() == entries.size();
  NamedValues values(std::move(ordered));
  if (all) return values;
  for (const auto& [name, value] : entries) values.set(name, value);
  return values;
}

std::string names_text(const std::vector<std::string>& names) { return json_text(json(names)); }

std::vector<std::string> names_from(const std::string& text) {
  return parse_foreign_json(text).get<std::vector<std::string>>();
}

std::string ids_text(const std::vector<MeasurementId>& ids) {
  json list = json::array();
  for (const MeasurementId id : ids) list.push_back(static_cast<std::int64_t>(id));
  return json_text(list);
}

std::vector<MeasurementId> ids_from(const std::string& text) {
  std::vector<MeasurementId> ids;
  for (const auto id : parse_foreign_json(text).get<std::vector<std::int64_t>>()) {
    ids.push_back(MeasurementId{id});
  }
  return ids;
}

std::string summary_text(const RunSummary& summary) {
  json by_status = json::object();
  for (const auto& [status, count] : summary.by_status) {
    by_status[std::string(to_string(status))] = count;
  }
  json out = {{"tried", summary.tried},
              {"reused", summary.reused},
              {"by_status", by_status},
              {"elapsed_s", summary.elapsed_s}};
  if (summary.ended_at_gain) out["ended_at_gain"] = *summary.ended_at_gain;
  return json_text(out);
}

RunSummary summary_from(const std::string& text) {
  const json in = parse_foreign_json(text);
  RunSummary summary;
  in.at("tried").get_to(summary.tried);
  in.at("reused").get_to(summary.reused);
  in.at("elapsed_s").get_to(summary.elapsed_s);
  if (in.contains("ended_at_gain")) summary.ended_at_gain = in.at("ended_at_gain").get<double>();
  for (const auto& [status, count] : in.at("by_status").items()) {
    summary.by_status[status_from_string(status)] = count.get<std::int64_t>();
  }
  return summary;
}

std::string line_profile_text(const LineProfile& profile) { return json_text(json(profile)); }

LineProfile line_profile_from(const std::string& text) {
  auto profile = parse_foreign_json(text).get<LineProfile>();  // presentable
  if (const auto why = why_impossible(profile)) {
    throw std::invalid_argument("a line profile: " + *why);
  }
  return profile;
}

std::string facts_text(const DeviceFacts& facts) { return json_text(json(facts)); }

DeviceFacts facts_from(const std::string& text) {
  json facts = DeviceFacts{};
  facts.update(parse_foreign_json(text));
  auto device = facts.get<DeviceFacts>();
  device.name = one_line(std::move(device.name));  // printed, and the file may be foreign
  return device;
}

}  // namespace gtune
