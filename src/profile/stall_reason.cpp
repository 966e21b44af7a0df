#include "profile/stall_reason.hpp"

namespace gtune {

std::optional<std::string> stall_reason(std::string_view cupti_name) {
  constexpr std::string_view before = "issue_stalled_";
  const std::size_t at = cupti_name.find(before);
  if (at == cupti_name.npos || cupti_name.ends_with("_not_issued")) return std::nullopt;
  return std::string(cupti_name.substr(at + before.size()));
}

}  // namespace gtune
