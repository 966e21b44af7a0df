#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>

#include "model/checked_json.hpp"

// JSON that gtune may not have written itself. Trees are copied, compared and written recursively
// and take up to twenty times the memory of their text, so text that nests too deeply or is too
// large is rejected before a tree is built.
namespace gtune {

struct JsonBounds {
  std::size_t bytes = std::size_t{64} << 20;  // of a line, a message or a database cell
  std::size_t values = 10'000'000;
  std::size_t depth = 64;  // gtune's own formats nest at most ten deep
};

/// For a file that is read as one text: a space of 350,000 configurations takes 400 MB.
inline constexpr JsonBounds k_whole_file_bounds{std::size_t{1} << 30, 64'000'000, 64};

/// Throws std::invalid_argument that names the exceeded bound.
void require_bounded_json(std::string_view text, const JsonBounds& bounds = {});

/// Throws std::invalid_argument for a text beyond the bounds or a number that is too large, and
/// nlohmann::json::parse_error for other mistakes.
[[nodiscard]] nlohmann::json parse_foreign_json(std::string_view text,
                                                const JsonBounds& bounds = {});

/// Reads the next line, without its line end; false if there is none. Throws std::invalid_argument
/// if it is longer than `bounds.bytes`.
[[nodiscard]] bool read_bounded_line(std::istream& in, std::string& line,
                                     const JsonBounds& bounds = {});

/// Reads the rest. Throws std::invalid_argument if it is longer than `bounds.bytes`.
[[nodiscard]] std::string read_bounded_text(std::istream& in, const JsonBounds& bounds);

}  // namespace gtune
