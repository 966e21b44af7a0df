#include "report/drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace gtune {
namespace {

constexpr std::array<std::string_view, 8> widths = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
constexpr std::array<std::string_view, 8> heights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// Eighths in `share` of `whole`, at least one.
std::size_t eighths(double share, std::size_t whole) {
  const double exact = std::clamp(share, 0.0, 1.0) * static_cast<double>(8 * whole);
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(exact)));
}

}  // namespace

std::string bar(double share, std::size_t width) {
  std::string text;
  for (std::size_t left = eighths(share, width); left > 0; left -= std::min<std::size_t>(8, left)) {
    text += widths[std::min<std::size_t>(8, left) - 1];
  }
  return text;
}

std::string sparkline(const std::vector<double>& shares, std::size_t width) {
  std::string text;
  const std::size_t columns = std::min(width, shares.size());
  for (std::size_t i = 0; i < columns; ++i) {
    text += heights[eighths(shares[(i + 1) * shares.size() / columns - 1], 1) - 1];
  }
  return text;
}

}  // namespace gtune
