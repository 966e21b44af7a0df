#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/named_values.hpp"

// A kernel's entry: "sgemm", or a C++ name expression "ns::sgemm<BM,BN>".
namespace gtune {

[[nodiscard]] bool is_entry(std::string_view text);

/// The identifiers between '<' and '>': parameters, lets, sizes, and types like "float".
[[nodiscard]] std::vector<std::string> template_arguments(std::string_view entry);

/// Replaces names by their values: "sgemm<128,64>" for "sgemm<BM,BN>".
[[nodiscard]] std::string instantiate_entry(std::string_view entry, const NamedValues& values);

}  // namespace gtune
