#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/named_values.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Parses and checks the values for one size: "1024,4096", "1:32", "512:4096:512" or
/// "512:4096:+512", "512:8192:*2", or these joined by commas. Ranges include their end. Returns
/// each value once, in the order given. Throws UserError (usage).
[[nodiscard]] std::vector<std::int64_t> parse_sizes(const ProblemSize& size, std::string_view text);

/// The same for values that are not sizes and may be negative. `what` names them in errors.
[[nodiscard]] std::vector<std::int64_t> parse_value_list(std::string_view what,
                                                         std::string_view text);

/// Whether the value is between minimum and maximum, and among the choices if there are any.
[[nodiscard]] bool is_allowed(const ProblemSize& size, std::int64_t value);
/// "0 or 1", or "1 to 1099511627776".
[[nodiscard]] std::string allowed_text(const ProblemSize& size);

/// Whether two problems are of the same kind: they agree in every size that has choices.
[[nodiscard]] bool same_choices(const KernelSpec& spec, const Problem& a, const Problem& b);

/// The sizes that identify a problem: the first one, and those that differ from their defaults
/// given the sizes before them.
[[nodiscard]] NamedValues sizes_to_give(const KernelSpec& spec, const Problem& problem);

/// Every combination of the given sizes; the first size varies slowest. Other sizes take their
/// defaults, which may depend on the sizes before them.
[[nodiscard]] std::vector<Problem> expand_problems(
    const KernelSpec& spec, const std::map<std::string, std::vector<std::int64_t>>& given);

}  // namespace gtune
