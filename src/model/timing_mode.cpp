#include "model/timing_mode.hpp"

#include <array>
#include <charconv>
#include <stdexcept>

#include "model/words.hpp"

namespace gtune {
namespace {

constexpr std::array<std::string_view, 4> order_words = {"cold", "warm", "back-to-back", "graph"};
constexpr std::array<std::string_view, 4> phrases = {"", "with a warm L2 cache",
                                                     "launched back to back", "in CUDA graphs"};

std::size_t index_of(LaunchOrder order) { return static_cast<std::size_t>(order); }

}  // namespace

bool TimingMode::operator<(const TimingMode& other) const {
  const auto rank = [](const TimingMode& mode) {
    if (mode.streams > 1 || !mode.times_single_launches()) return 2;
    return mode.order == LaunchOrder::cold ? 0 : 1;
  };
  const int own = rank(*this);
  const int others = rank(other);
  return own != others ? own < others : own == 2 && text() < other.text();
}

std::string TimingMode::text() const {
  std::string text{to_string(order)};
  if (streams > 1) text += "/" + std::to_string(streams);
  return text;
}

std::string TimingMode::phrase() const {
  std::string phrase{phrases.at(index_of(order))};
  if (streams > 1) {
    phrase += (phrase.empty() ? "on " : " on ") + std::to_string(streams) + " streams";
  }
  return phrase;
}

std::string TimingMode::options() const {
  std::string options;
  if (order != LaunchOrder::cold) options += " --timing " + std::string(to_string(order));
  if (streams > 1) options += " --streams " + std::to_string(streams);
  return options;
}

std::string_view to_string(LaunchOrder order) { return order_words.at(index_of(order)); }

LaunchOrder launch_order_from_string(std::string_view word) {
  return static_cast<LaunchOrder>(index_of_word(order_words, word, "timing mode"));
}

TimingMode timing_mode_from_string(std::string_view text) {
  TimingMode mode;
  const std::size_t slash = text.find('/');
  mode.order = launch_order_from_string(text.substr(0, slash));
  if (slash == std::string_view::npos) return mode;
  const std::string_view number = text.substr(slash + 1);
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), mode.streams);
  // Only the form that text() writes, so that equal modes have equal texts.
  if (parsed.ec != std::errc() || mode.streams < 2 || mode.streams > most_timed_streams ||
      mode.text() != text) {
    throw std::invalid_argument("'" + std::string(text) + "' is no timing mode");
  }
  return mode;
}

}  // namespace gtune
