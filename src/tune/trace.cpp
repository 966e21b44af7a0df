#include "tune/trace.hpp"

#include <map>

#include "model/json.hpp"

namespace gtune {
namespace {

double us_between(Trace::Clock::time_point begin, Trace::Clock::time_point end) {
  return std::chrono::duration<double, std::micro>(end - begin).count();
}

}  // namespace

void Trace::add(Span span) {
  const std::scoped_lock lock(m_mutex);
  m_spans.push_back(std::move(span));
}

void Trace::add_summary(nlohmann::json summary) {
  const std::scoped_lock lock(m_mutex);
  m_summaries.push_back(std::move(summary));
}

std::string Trace::json() const {
  const std::scoped_lock lock(m_mutex);
  std::map<std::string, int> lanes{{"tuner", 0}};
  nlohmann::json events = nlohmann::json::array();
  for (const Span& span : m_spans) {
    const int lane = lanes.try_emplace(span.lane, static_cast<int>(lanes.size())).first->second;
    nlohmann::json event = {{"ph", "X"},
                            {"pid", 0},
                            {"tid", lane},
                            {"name", span.name},
                            {"ts", us_between(m_start, span.begin)},
                            {"dur", us_between(span.begin, span.end)}};
    if (!span.detail.empty()) event["args"] = {{"of", span.detail}};
    events.push_back(std::move(event));
  }
  for (const auto& [name, lane] : lanes) {
    events.push_back({{"ph", "M"},
                      {"pid", 0},
                      {"tid", lane},
                      {"name", "thread_name"},
                      {"args", {{"name", name}}}});
  }
  const nlohmann::json all = {{"traceEvents", std::move(events)},
                              {"displayTimeUnit", "ms"},
                              {"otherData", {{"searches", m_summaries}}}};
  return json_text(all) + '\n';
}

}  // namespace gtune
