#include "jit/kernel_parameters.hpp"

#include <charconv>

namespace gtune {
namespace {

std::string_view take_word(std::string_view& text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

/// ".u64" has 8 bytes, ".f32" is real.
std::optional<KernelParameter> scalar_of(std::string_view type) {
  if (type.size() < 3 || type[0] != '.') return std::nullopt;
  const auto bits = number(type.substr(2));
  if (!bits || *bits % 8 != 0 || *bits > 128) return std::nullopt;
  if (std::string_view("busf").find(type[1]) == std::string_view::npos) return std::nullopt;
  return KernelParameter{*bits / 8, *bits / 8, false, type[1] == 'f' && *bits >= 32};
}

/// ".param .align 64 .b8 name[128]", ".param .u64 .ptr .global .align 4 name".
std::optional<KernelParameter> parse_declaration(std::string_view text) {
  if (take_word(text) != ".param") return std::nullopt;
  std::string_view word = take_word(text);
  std::optional<std::int64_t> alignment;
  if (word == ".align") {
    alignment = number(take_word(text));
    if (!alignment) return std::nullopt;
    word = take_word(text);
  }
  auto parameter = scalar_of(word);
  if (!parameter) return std::nullopt;
  std::string_view name;
  for (std::string_view next = take_word(text); !next.empty(); next = take_word(text)) name = next;
  if (const auto bracket = name.find('['); bracket != std::string_view::npos) {
    if (!name.ends_with(']')) return std::nullopt;
    const auto count = number(name.substr(bracket + 1, name.size() - bracket - 2));
    if (!count || *count > (std::int64_t{1} << 20)) return std::nullopt;
    parameter = KernelParameter{parameter->bytes * *count, parameter->alignment, true, false};
  }
  if (alignment) parameter->alignment = *alignment;
  return parameter;
}

/// The text in the parentheses after the entry's name.
std::optional<std::string_view> declarations_of(std::string_view ptx,
                                                std::string_view kernel_name) {
  const std::string heading = ".entry " + std::string(kernel_name) + "(";
  const auto at = ptx.find(heading);
  if (at == std::string_view::npos) return std::nullopt;
  ptx.remove_prefix(at + heading.size());
  const auto end = ptx.find(')');
  if (end == std::string_view::npos) return std::nullopt;
  return ptx.substr(0, end);
}

}  // namespace

std::optional<std::vector<KernelParameter>> parse_ptx_parameters(std::string_view ptx,
                                                                 std::string_view kernel_name) {
  const auto declarations = declarations_of(ptx, kernel_name);
  if (!declarations) return std::nullopt;
  std::vector<KernelParameter> parameters;
  std::string_view rest = *declarations;
  if (rest.find_first_not_of(" \t\r\n") == std::string_view::npos) return parameters;
  for (;;) {
    const auto comma = rest.find(',');
    const auto parameter = parse_declaration(rest.substr(0, comma));
    if (!parameter) return std::nullopt;
    parameters.push_back(*parameter);
    if (comma == std::string_view::npos) return parameters;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<std::string> ptx_entries(std::string_view ptx) {
  constexpr std::string_view heading = ".entry ";
  std::vector<std::string> names;
  for (auto at = ptx.find(heading); at != ptx.npos; at = ptx.find(heading, at)) {
    at += heading.size();
    names.emplace_back(ptx.substr(at, ptx.find_first_of("( \n", at) - at));
  }
  return names;
}

}  // namespace gtune
