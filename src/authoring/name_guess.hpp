#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the name of a macro, a template parameter or an argument says of its meaning.
namespace gtune {

enum class NameMeaning {
  tuned,     // of a tile, a block, an unrolled loop
  size,      // of the problem
  constant,  // a number that the result depends on
  unclear
};

/// Of what a compile fixes: a macro or a template parameter, which may have a value already.
[[nodiscard]] NameMeaning meaning_of(const std::string& name, std::optional<std::int64_t> value);

/// Threads of a block.
[[nodiscard]] bool looks_like_block(const std::string& name);

/// An integer argument that is no extent of the data: an offset, a seed, a count of iterations.
[[nodiscard]] bool looks_like_setting(const std::string& name);

/// How many problems, or tables of pointers, there are.
[[nodiscard]] bool looks_like_batch(const std::string& name);

/// 0, 1, 2 for x, y, z: of names such as block_size_y, height, nz. Absent: it does not say.
[[nodiscard]] std::optional<std::size_t> axis_of(const std::string& name);

/// "scale_ref", "reference", "naive_sum".
[[nodiscard]] bool looks_like_reference(const std::string& name);

/// What a compile of a size's macro or template parameter begins with.
inline constexpr std::int64_t compiled_size = 64;

/// The value of a macro or a template parameter in a first compile.
[[nodiscard]] std::int64_t first_value(const std::string& name, std::optional<std::int64_t> usual,
                                       bool is_bool);

/// Values to begin with for a parameter of this name.
[[nodiscard]] std::vector<std::int64_t> guessed_values(const std::string& name,
                                                       std::optional<std::int64_t> usual,
                                                       bool is_bool);

}  // namespace gtune
