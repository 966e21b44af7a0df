#include "spec/element_expression.hpp"

namespace gtune {
namespace {

constexpr const char* index_name = "i";

}  // namespace

Expression read_element_expression(const SpecContext& context, const TomlValue& value,
                                   const std::string& what) {
  Scope names = context.scope;
  if (names.find(index_name) != nullptr) {
    context.fail(value.place, what +
                                  " uses the element's index 'i', which is also a name of this "
                                  "spec; rename that one");
  }
  names.add_slot(index_name);
  Expression expression = context.expression(value, what, names, ExpressionKind::element);
  for (const std::size_t slot : expression.slots()) {
    if (!context.is_param(slot)) continue;
    context.fail(value.place, what + " depends on parameter '" + context.scope.slot_name(slot) +
                                  "'; expected only 'i', problem sizes and device facts");
  }
  if (expression.nodes().size() > most_element_steps) {
    context.fail(value.place, what + " has " + std::to_string(expression.nodes().size()) +
                                  " steps; expected " + std::to_string(most_element_steps) +
                                  " at most");
  }
  return expression;
}

}  // namespace gtune
