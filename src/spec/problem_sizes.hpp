#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/named_values.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The values given for one size, checked against what it may be: "1024,4096", "1:32",
/// "512:4096:512" or "512:4096:+512", "512:8192:*2", or these joined by commas; ranges include
/// their end. Each size once, in the order given.
[[nodiscard]] std::vector<std::int64_t> parse_sizes(const ProblemSize& size, std::string_view text);

/// The same for values that are not sizes, and may be negative. `what` is named in errors.
[[nodiscard]] std::vector<std::int64_t> parse_value_list(std::string_view what,
                                                         std::string_view text);

/// From the minimum to the maximum, and one of the choices where there are any.
[[nodiscard]] bool is_allowed(const ProblemSize& size, std::int64_t value);
/// "0 or 1", or "1 to 1099511627776".
[[nodiscard]] std::string allowed_text(const ProblemSize& size);

/// Whether two problems are of the same kind: agree in every size that has choices.
[[nodiscard]] bool same_choices(const KernelSpec& spec, const Problem& a, const Problem& b);

/// The sizes that have to be given to name a problem: the first, and those that differ from the
/// default that follows from the ones before.
[[nodiscard]] NamedValues sizes_to_give(const KernelSpec& spec, const Problem& problem);

/// Every combination of the given sizes, the first size slowest; sizes that are not given take
/// the default that follows from the others.
[[nodiscard]] std::vector<Problem> expand_problems(
    const KernelSpec& spec, const std::map<std::string, std::vector<std::int64_t>>& given);

}  // namespace gtune
