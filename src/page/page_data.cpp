#include "page/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

#include "answer/value_order.hpp"
#include "model/checked_json.hpp"
#include "model/one_line.hpp"
#include "model/value_word.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

constexpr std::string_view k_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr const char* k_absent = "-";  // a parameter that does not exist in a configuration

std::string quoted(const std::string& text) {
  return nlohmann::json(one_line(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? "," : "") + quoted(text);
  return out + "]";
}

std::string number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "null";
  return fmt::format("{:.6g}", *value);
}

std::string number_list(const std::vector<std::optional<double>>& values) {
  std::string out = "[";
  for (const auto& value : values) out += (out.size() > 1 ? "," : "") + number(value);
  return out + "]";
}

/// Places in a list, each below `most`.
std::string place_list(const std::vector<std::size_t>& places, std::size_t most) {
  std::string out;
  if (most <= k_digits.size()) {
    for (const std::size_t place : places) out += k_digits[place];
    return '"' + out + '"';
  }
  for (const std::size_t place : places) out += (out.empty() ? "" : ",") + std::to_string(place);
  return '[' + out + ']';
}

/// Texts, each once, in the order in which they were first asked for.
class TextList {
 public:
  std::size_t place_of(const std::string& text) {
    const auto [found, is_new] = m_places.emplace(text, m_texts.size());
    if (is_new) m_texts.push_back(text);
    return found->second;
  }
  [[nodiscard]] const std::vector<std::string>& texts() const { return m_texts; }

 private:
  std::vector<std::string> m_texts;
  std::map<std::string, std::size_t> m_places;
};

/// Seconds since 1970 of "2025-01-31T09:30:00.123Z"; 0 for other text.
double seconds_of(const std::string& text) {
  std::istringstream in(text);
  std::tm date{};
  double fraction = 0;
  in >> std::get_time(&date, "%Y-%m-%dT%H:%M:%S");
  if (!in) return 0;
  in >> fraction;
  return static_cast<double>(timegm(&date)) + (in ? fraction : 0);
}

/// Seconds of searching until each measurement was made: pauses between runs do not count. On a
/// recording, what the recorded measurements took.
std::vector<std::optional<double>> search_seconds(const ProblemRecord& record) {
  std::vector<std::optional<double>> seconds;
  double passed = 0, last = 0;
  const SearchStep* before = nullptr;
  for (const SearchStep& step : record.steps) {
    const double now = seconds_of(step.created);
    if (record.best.row.device.replayed) {
      passed += step.gpu_ms.value_or(0) / 1e3;
    } else if (before != nullptr && before->run == step.run) {
      passed += std::max(0.0, now - last);
    }
    last = now;
    before = &step;
    seconds.emplace_back(passed);
  }
  return seconds;
}

/// Marks the measurement of each configuration that counts: the best's own, or else the last one
/// with a time, else the last.
std::vector<std::size_t> counting(const std::vector<SearchStep>& steps) {
  std::map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto [place, is_new] = places.emplace(steps[i].config_row, i);
    const SearchStep& before = steps[place->second];
    if (!is_new && !before.is_best && (steps[i].median_ms || !before.median_ms)) place->second = i;
  }
  std::vector<std::size_t> marks(steps.size(), 0);
  for (const auto& [config, place] : places) marks[place] = 1;
  return marks;
}

/// "values": the values of each parameter as texts; "config": their places in each row.
std::string config_columns(const KernelSpec& spec, const std::vector<SearchStep>& steps) {
  std::vector<Config> existing;
  for (const SearchStep& step : steps) existing.push_back(existing_values(spec, step.config));
  std::string names, values, columns;
  for (const Parameter& parameter : spec.params) {
    std::set<std::int64_t> used;
    bool is_absent = false;
    for (const Config& config : existing) {
      const auto value = config.find(parameter.name);
      if (value) used.insert(*value);
      is_absent = is_absent || !value;
    }
    std::vector<std::string> texts;
    std::map<std::int64_t, std::size_t> places;
    for (const std::int64_t value : in_order(&parameter, used)) {
      places[value] = texts.size();
      texts.push_back(value_text(value));
    }
    if (is_absent) texts.emplace_back(k_absent);
    std::vector<std::size_t> column;
    for (const Config& config : existing) {
      const auto value = config.find(parameter.name);
      column.push_back(value ? places[*value] : texts.size() - 1);
    }
    const char* comma = names.empty() ? "" : ",";
    names += comma + quoted(parameter.name);
    values += comma + quoted_list(texts);
    columns += comma + place_list(column, texts.size());
  }
  return fmt::format("\"params\":[{}],\"values\":[{}],\"config\":[{}]", names, values, columns);
}

/// One number of each step.
std::string number_column(const std::vector<SearchStep>& steps,
                          std::optional<double> SearchStep::*member) {
  std::vector<std::optional<double>> values;
  for (const SearchStep& step : steps) values.push_back(step.*member);
  return number_list(values);
}

}  // namespace

std::string problem_data(const KernelSpec& spec, const ProblemRecord& record) {
  const std::vector<SearchStep>& steps = record.steps;
  TextList statuses, reasons, phases;
  std::vector<std::size_t> status, reason, phase;
  for (const SearchStep& step : steps) {
    status.push_back(statuses.place_of(std::string(to_string(step.status))));
    reason.push_back(reasons.place_of(step.reason));
    phase.push_back(phases.place_of(std::string(to_string(step.phase))));
  }
  const BestRow& row = record.best.row;
  const double best_ms = row.best.measurement.timing->median_ms;
  const auto work = [&](std::optional<double> rate) {
    return rate ? std::optional(*rate * best_ms * 1e6) : std::nullopt;
  };
  std::string out = fmt::format("{{\"title\":{},\"best\":{},\"flops\":{},\"bytes\":{},",
                                quoted(problem_text(spec, row.problem) + " on " + row.device.name),
                                number(best_ms), number(work(row.gflops)), number(work(row.gbps)));
  out += config_columns(spec, steps);
  out += fmt::format(",\"statuses\":{},\"reasons\":{},\"phases\":{}", quoted_list(statuses.texts()),
                     quoted_list(reasons.texts()), quoted_list(phases.texts()));
  out += fmt::format(",\"status\":{},\"reason\":{},\"phase\":{},\"counts\":{}",
                     place_list(status, statuses.texts().size()),
                     place_list(reason, reasons.texts().size()),
                     place_list(phase, phases.texts().size()), place_list(counting(steps), 2));
  out += fmt::format(
      ",\"ms\":{},\"low\":{},\"high\":{}", number_column(steps, &SearchStep::median_ms),
      number_column(steps, &SearchStep::ci_low_ms), number_column(steps, &SearchStep::ci_high_ms));
  out += fmt::format(",\"registers\":{},\"spilled\":{},\"shared\":{}",
                     number_column(steps, &SearchStep::registers),
                     number_column(steps, &SearchStep::spilled_bytes),
                     number_column(steps, &SearchStep::shared_bytes));
  return out + ",\"seconds\":" + number_list(search_seconds(record)) + "}";
}

std::string script_text(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace gtune
