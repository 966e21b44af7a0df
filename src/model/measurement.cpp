#include "model/measurement.hpp"

#include <array>

#include "model/words.hpp"

namespace gtune {
namespace {

constexpr std::array<std::string_view, 7> status_words = {
    "ok", "compile_error", "launch_error", "wrong_result", "timeout", "crashed", "pruned"};
constexpr std::array<std::string_view, 3> phase_words = {"search", "final", "baseline"};

}  // namespace

std::string_view to_string(Status status) {
  return status_words.at(static_cast<std::size_t>(status));
}

Status status_from_string(std::string_view word) {
  return static_cast<Status>(index_of_word(status_words, word, "status"));
}

std::string_view to_string(Phase phase) { return phase_words.at(static_cast<std::size_t>(phase)); }

Phase phase_from_string(std::string_view word) {
  return static_cast<Phase>(index_of_word(phase_words, word, "phase"));
}

}  // namespace gtune
