#include "spec/kernel_name.hpp"

#include <algorithm>

#include "spec/lexer.hpp"
#include "spec/reserved_names.hpp"

namespace gtune {

std::string why_no_kernel_name(std::string_view name) {
  const std::string text(name);
  if (!is_identifier(name)) {
    return "the kernel's name '" + text +
           "' is not a C identifier; expected letters, digits and '_', no digit first";
  }
  if (is_reserved_command(name)) {
    return "the kernel is called '" + text + "', like gtune's command; expected another name";
  }
  return "";
}

std::string kernel_name_like(std::string_view name) {
  std::string like(name);
  std::replace_if(
      like.begin(), like.end(), [](char c) { return !is_identifier("_" + std::string(1, c)); },
      '_');
  if (!is_identifier(like)) like = like.empty() ? "kernel" : "kernel_" + like;
  if (is_reserved_command(like)) like += "_kernel";
  return like;
}

}  // namespace gtune
