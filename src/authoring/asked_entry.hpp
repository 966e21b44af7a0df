#pragma once

#include <string>
#include <vector>

namespace gtune {

/// The kernel that `gtune init --entry` names: "ns::scale", or "ns::scale<float,128>" with its
/// first template arguments.
struct AskedEntry {
  std::string name;
  std::vector<std::string> arguments;  // as an entry spells them: "unsigned int", "ns::P<1,2>"
};

/// Throws UserError (usage) if the text has template arguments that an entry cannot have.
[[nodiscard]] AskedEntry asked_entry(const std::string& text);

}  // namespace gtune
