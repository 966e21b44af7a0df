#pragma once

#include <string>
#include <utility>

namespace gtune {

/// What a fact about a machine means for measurements.
enum class Severity {
  ok,
  note,  // times are right, but hold for a special state, or something else is missing or slow
  bad    // times scatter, or gtune does not work
};

/// "OK", "NOTE" or "BAD".
[[nodiscard]] std::string severity_text(Severity severity);

/// The severity of a fact and, if it is not ok, what to do.
struct Judgement {
  Severity severity = Severity::ok;
  std::string advice;

  [[nodiscard]] static Judgement ok() { return {}; }
  [[nodiscard]] static Judgement note(std::string advice) {
    return {Severity::note, std::move(advice)};
  }
  [[nodiscard]] static Judgement bad(std::string advice) {
    return {Severity::bad, std::move(advice)};
  }
};

/// A judged fact: one line of `gtune doctor`.
struct HealthCheck {
  std::string key;   // in JSON: "power"
  std::string name;  // in text: "power"
  std::string value;
  Judgement judgement;
};

}  // namespace gtune
