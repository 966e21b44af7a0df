#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gtune {

/// The candidate that is most similar to `word`; empty if none is similar.
[[nodiscard]] std::string nearest_word(std::string_view word,
                                       std::span<const std::string> candidates);

/// "; did you mean 'BM'?", or empty if no candidate is similar.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);

}  // namespace gtune
