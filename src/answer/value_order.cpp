#include "answer/value_order.hpp"

#include <algorithm>

#include "model/value_word.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

std::int64_t rank_of(const Parameter* parameter, std::int64_t value) {
  if (parameter == nullptr || !word_of_value(value)) return value;
  const auto& listed = parameter->values;
  return first_word_value + (std::find(listed.begin(), listed.end(), value) - listed.begin());
}

std::vector<std::int64_t> in_order(const Parameter* parameter,
                                   const std::set<std::int64_t>& values) {
  std::vector<std::int64_t> ordered(values.begin(), values.end());
  std::stable_sort(ordered.begin(), ordered.end(), [&](std::int64_t a, std::int64_t b) {
    return rank_of(parameter, a) < rank_of(parameter, b);
  });
  return ordered;
}

}  // namespace gtune
