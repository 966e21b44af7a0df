#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>

#include "model/checked_json.hpp"

// JSON that gtune did not write itself, or cannot know that it did. A tree is copied, compared and
// written recursively, and takes up to twenty times as much memory as its text: what is nested too
// deep or too large is refused before a tree is made of it.
namespace gtune {

struct JsonBounds {
  std::size_t bytes = std::size_t{64} << 20;  // of a line, a message, a cell of a database
  std::size_t values = 10'000'000;
  std::size_t depth = 64;  // nothing that gtune reads nests deeper than ten
};

/// For a file that is read as one text: a space of 350,000 configurations has 400 MB.
inline constexpr JsonBounds k_whole_file_bounds{std::size_t{1} << 30, 64'000'000, 64};

/// Throws std::invalid_argument that says which bound the text exceeds.
void require_bounded_json(std::string_view text, const JsonBounds& bounds = {});

/// Throws std::invalid_argument as well, or nlohmann::json::parse_error.
[[nodiscard]] nlohmann::json parse_foreign_json(std::string_view text,
                                                const JsonBounds& bounds = {});

/// The next line, without its end; false where there is none. Throws std::invalid_argument where it
/// is longer than what is parsed.
[[nodiscard]] bool read_bounded_line(std::istream& in, std::string& line,
                                     const JsonBounds& bounds = {});

/// All that is left. Throws std::invalid_argument where it is more than is parsed.
[[nodiscard]] std::string read_bounded_text(std::istream& in, const JsonBounds& bounds);

}  // namespace gtune
