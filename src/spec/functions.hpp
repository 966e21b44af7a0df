#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/operation.hpp"

namespace gtune {

/// A function that expressions may call.
struct Function {
  std::string_view name;
  Operation operation;
  int least_arguments;
  int most_arguments;
  bool for_integers;
  bool for_reals;  // neither flag: only for elements
};

/// Null if no function has this name.
[[nodiscard]] const Function* find_function(std::string_view name);
[[nodiscard]] std::vector<std::string> function_names();

}  // namespace gtune
