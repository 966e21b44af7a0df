#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gtune {

/// The candidate that `word` was most likely meant to be; empty where none is near.
[[nodiscard]] std::string nearest_word(std::string_view word,
                                       std::span<const std::string> candidates);

/// "; did you mean 'BM'?", or nothing where no candidate is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);

}  // namespace gtune
