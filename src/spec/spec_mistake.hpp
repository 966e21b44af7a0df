#pragma once

#include <string>

#include "model/error.hpp"
#include "spec/toml_value.hpp"

namespace gtune {

/// A mistake in a spec and its place.
struct SpecMistake {
  Place place;
  std::string line;  // what is wrong; what was expected

  /// "file:line:column: what is wrong; what was expected"
  [[nodiscard]] std::string in(const std::string& file) const {
    return place.in(file) + ": " + line;
  }
};

/// A mistake as an error of the program.
class SpecError : public UserError {
 public:
  SpecError(const std::string& file, SpecMistake mistake)
      : UserError(ExitCode::usage, mistake.in(file)), m_mistake(std::move(mistake)) {}
  [[nodiscard]] const SpecMistake& mistake() const { return m_mistake; }

 private:
  SpecMistake m_mistake;
};

}  // namespace gtune
