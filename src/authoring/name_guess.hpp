#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Guesses the meaning of a macro, a template parameter or an argument from its name.
namespace gtune {

enum class NameMeaning {
  tuned,     // a tile, a block, an unroll factor
  size,      // of the problem
  constant,  // a number that affects the result
  unclear
};

/// The meaning of a macro or a template parameter. `value`: its value in the source, if any.
[[nodiscard]] NameMeaning meaning_of(const std::string& name, std::optional<std::int64_t> value);

/// Whether the name means threads per block.
[[nodiscard]] bool looks_like_block(const std::string& name);

/// Whether an integer argument is an offset, a seed or a count of steps rather than a data extent.
[[nodiscard]] bool looks_like_setting(const std::string& name);

/// Whether a template's switch with this name changes how fast a kernel is rather than its result:
/// "USE_SHARED", "vectorized", "PREFETCH".
[[nodiscard]] bool looks_like_optimization(const std::string& name);

/// Whether the name means a small number that keeps a divisor from being 0.
[[nodiscard]] bool looks_like_epsilon(const std::string& name);

/// Whether the name means the elements from one of several arrays to the next.
[[nodiscard]] bool looks_like_stride(const std::string& name);

/// Whether the name means the elements from one row, matrix or array to the next: "lda", "pitch",
/// "strideA".
[[nodiscard]] bool looks_like_pitch(const std::string& name);

/// Whether the name means a number of problems or of pointers in a table.
[[nodiscard]] bool looks_like_batch(const std::string& name);

/// Whether the name of a type means integers: "Index", "IdxType", "offset_t", "IntT".
[[nodiscard]] bool looks_like_integers(const std::string& name);

/// The axis that a name such as block_size_y, height or nz implies: 0, 1, 2 for x, y, z. Absent if
/// it implies none.
[[nodiscard]] std::optional<std::size_t> axis_of(const std::string& name);

/// True for "scale_ref", "reference", "naive_sum".
[[nodiscard]] bool looks_like_reference(const std::string& name);
/// True for "naive_sum", which may be less exact than a kernel that is called a reference.
[[nodiscard]] bool is_called_naive(const std::string& name);

/// The default value of a size that is a macro or a template parameter.
inline constexpr std::int64_t compiled_size = 64;

/// The value of a macro or a template parameter in a first compile.
[[nodiscard]] std::int64_t first_value(const std::string& name, std::optional<std::int64_t> usual,
                                       bool is_bool);

/// First values to try for a tuning parameter. `usual`: its value in the source, if any.
[[nodiscard]] std::vector<std::int64_t> guessed_values(const std::string& name,
                                                       std::optional<std::int64_t> usual,
                                                       bool is_bool);

}  // namespace gtune
