#include "spec/functions.hpp"

#include <array>

namespace gtune {
namespace {

constexpr int any_number = 64;

constexpr std::array<Function, 12> functions = {{
    {"min", Operation::minimum, 2, any_number, true, true},
    {"max", Operation::maximum, 2, any_number, true, true},
    {"abs", Operation::absolute, 1, 1, true, true},
    {"ceil_div", Operation::ceil_div, 2, 2, true, true},
    {"round_up", Operation::round_up, 2, 2, true, true},
    {"log2", Operation::log2, 1, 1, true, true},
    {"is_pow2", Operation::is_pow2, 1, 1, true, false},
    {"pow2", Operation::pow2, 1, 1, true, false},
    {"gcd", Operation::gcd, 2, 2, true, false},
    {"sqrt", Operation::sqrt, 1, 1, false, true},
    {"pow", Operation::pow, 2, 2, false, true},
    {"random", Operation::random, 1, 1, false, false},
}};

}  // namespace

const Function* find_function(std::string_view name) {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : functions) names.emplace_back(function.name);
  return names;
}

}  // namespace gtune
