#include "report/few_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gtune {

std::string few_sizes(const std::vector<Problem>& problems) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i) {
    text += (i == 0 ? "" : "; ") + problems[i].text();
  }
  return problems.size() <= most ? text
                                 : fmt::format("{} and {} more", text, problems.size() - most);
}

}  // namespace gtune
