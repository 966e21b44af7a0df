#include "authoring/host_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "authoring/cpp_types.hpp"
#include "authoring/launcher_arguments.hpp"
#include "authoring/macro_outline.hpp"
#include "authoring/name_guess.hpp"

namespace gtune {
namespace {

constexpr int deepest_variable = 6;
constexpr std::size_t longest_text = 400;
/// Tokens between a launch function's parenthesis and the kernel's name.
constexpr std::size_t longest_cast = 24;
constexpr const char* cooperative_launch = "cudaLaunchCooperativeKernel";
constexpr const char* extended_launch = "cudaLaunchKernelEx";

/// Whether it is a common name for division that rounds up.
bool is_ceil_div(const std::string& name) {
  static const Tokens names = {"ceil_div", "ceilDiv",  "CEIL_DIV", "CeilDiv",     "cdiv",
                               "div_up",   "divUp",    "DIV_UP",   "DIVUP",       "iDivUp",
                               "DivUp",    "div_ceil", "divCeil",  "CEILDIV",     "ceildiv",
                               "updiv",    "UPDIV",    "idivup",   "round_up_div"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_launch_function(const std::string& name) {
  return name == "cudaLaunchKernel" || name == cooperative_launch || name == extended_launch;
}

class LaunchReader {
 public:
  LaunchReader(const Tokens& source, const OutlinedKernel& kernel,
               const std::map<std::string, std::int64_t>& macros)
      : m_source(source),
        m_kernel(kernel),
        m_macros(macros),
        m_functions(function_bodies(source)) {}

  [[nodiscard]] HostLaunch read() {
    const std::string name = without_namespaces(m_kernel.name);
    const bool takes_shared =
        std::find(m_kernel.body.begin(), m_kernel.body.end(), "extern") != m_kernel.body.end();
    std::optional<HostLaunch> without_shared;
    for (m_at = 0; m_at < m_source.size(); ++m_at) {
      if (m_source[m_at] != name) continue;
      m_launch = {};
      m_names.clear();
      if (!read_at(m_at + 1) && !read_call()) continue;
      const bool has_shared = !m_launch.shared.empty() && m_launch.shared != "0";
      if (has_shared || !takes_shared) return std::move(m_launch);
      if (!without_shared) without_shared = std::move(m_launch);
    }
    return without_shared.value_or(HostLaunch{});
  }

 private:
  /// The position before `at`; skips the bodies of other functions.
  [[nodiscard]] std::size_t before(std::size_t at) const {
    const auto body = m_functions.find(--at);
    return body == m_functions.end() ? at : body->second;
  }

  [[nodiscard]] bool begins_launch(std::size_t at) const {
    return stands_at(m_source, at, {"<", "<", "<"});
  }

  /// Reads `<256, float><<<grid, block>>>(x, n)` at `at`, the token after the kernel's name.
  bool read_at(std::size_t at) {
    const std::vector<Tokens> of_template = template_arguments_at(m_source, at);
    if (!begins_launch(at)) return false;
    const std::size_t begin = at + 3;
    std::size_t end = begin;
    while (end < m_source.size() && !stands_at(m_source, end, {">", ">", ">"})) {
      end = m_source[end] == "(" ? past_brackets(m_source, end) : end + 1;
    }
    if (token_at(m_source, end + 3) != "(") return false;
    name_arguments(of_template,
                   between_commas(m_source, end + 4, past_brackets(m_source, end + 3) - 1));
    const std::vector<Tokens> configuration =
        between_commas(m_source, begin, end, AngleBrackets::compare);
    if (configuration.size() < 2) return false;
    read_configuration(configuration[0], configuration[1],
                       configuration.size() > 2 ? configuration[2] : Tokens());
    return true;
  }

  void read_configuration(const Tokens& grid, const Tokens& block, const Tokens& shared) {
    m_launch.block = read_dimensions(block);
    m_block = block;
    m_launch.grid = read_dimensions(grid);
    m_launch.shared = text_of(shared, 0).value_or("");
  }

  /// Reads `cudaLaunchKernel((void*)k<256>, grid, block, args, shared, stream)` or
  /// `cudaLaunchKernelEx(&config, k<256>, x, n)` around the kernel's name.
  bool read_call() {
    const std::size_t open = enclosing_launch();
    if (open == 0) return false;
    const std::string& function = m_source[open - 1];
    const std::vector<Tokens> parts =
        between_commas(m_source, open + 1, past_brackets(m_source, open) - 1);
    std::size_t at = m_at + 1;
    const std::vector<Tokens> of_template = template_arguments_at(m_source, at);
    if (function == extended_launch) {
      if (parts.size() < 2 || parts[0].empty()) return false;
      const std::string& config = parts[0].back();
      name_arguments(of_template, {parts.begin() + 2, parts.end()});
      read_configuration(member_of(config, "gridDim"), member_of(config, "blockDim"),
                         member_of(config, "dynamicSmemBytes"));
      return true;
    }
    if (parts.size() < 4) return false;
    name_arguments(of_template, addressed(parts[3]));
    read_configuration(parts[1], parts[2], parts.size() > 4 ? parts[4] : Tokens());
    m_launch.is_cooperative = function == cooperative_launch;
    return true;
  }

  /// The parenthesis of the launch function that has the kernel's name among its arguments, perhaps
  /// in casts; 0 if there is none.
  [[nodiscard]] std::size_t enclosing_launch() const {
    int depth = 0;
    for (std::size_t at = m_at; at-- > 1 && m_at - at < longest_cast;) {
      if (m_source[at] == ")") ++depth;
      if (m_source[at] != "(" || --depth >= 0) continue;
      if (is_launch_function(m_source[at - 1])) return at;
      depth = 0;
    }
    return 0;
  }

  /// The value in the last `config.member = value;` before the launch.
  [[nodiscard]] Tokens member_of(const std::string& config, const char* member) const {
    for (std::size_t at = m_at; at-- > 0;) {
      if (stands_at(m_source, at, {config, ".", member, "="})) return value_at(at + 4);
    }
    return {};
  }

  /// The variables in the last `void* args[] = {&x, &n};` before the launch.
  [[nodiscard]] std::vector<Tokens> addressed(const Tokens& array) const {
    if (array.size() != 1) return {};
    for (std::size_t at = m_at; at-- > 0;) {
      if (!stands_at(m_source, at, {array.front(), "["})) continue;
      const std::size_t equals = past_brackets(m_source, at + 1);
      if (!stands_at(m_source, equals, {"=", "{"})) continue;
      std::vector<Tokens> variables =
          between_commas(m_source, equals + 2, past_brackets(m_source, equals + 1) - 1);
      for (Tokens& one : variables) {
        if (!one.empty()) one = {one.back()};  // without a cast and the &
      }
      return variables;
    }
    return {};
  }

  /// Maps the host's names for arguments to the kernel's names for them.
  void name_arguments(const std::vector<Tokens>& of_template, const std::vector<Tokens>& passed) {
    m_launch.arguments.clear();
    for (std::size_t i = 0; i < passed.size() && i < m_kernel.arguments.size(); ++i) {
      m_launch.arguments.push_back(constant_argument(passed[i]));
      if (passed[i].size() == 1) m_names.emplace(passed[i].front(), m_kernel.arguments[i].name);
    }
    const auto& parameters = m_kernel.template_parameters;
    TemplateArguments of_launcher;
    if (!of_template.empty()) of_launcher = launcher_arguments(m_source, m_functions, m_at);
    for (std::size_t i = 0; i < of_template.size(); ++i) {
      const Tokens& written = of_template[i];
      if (i >= parameters.size()) {
        m_launch.pack_texts.push_back(with_arguments(written, of_launcher));
        continue;
      }
      if (written.size() == 1 && is_word(written.front())) {
        m_names.emplace(written.front(), parameters[i].name);
      }
      const Tokens text = with_arguments(written, of_launcher);
      m_launch.template_arguments.push_back(template_argument(parameters[i], text));
      m_launch.template_texts.push_back(text);
    }
    if (of_template.size() < parameters.size()) deduce_types(passed);
  }

  /// Adds the types that the launch does not write but that follow from the variables it passes.
  void deduce_types(const std::vector<Tokens>& passed) {
    std::vector<Tokens> declared;
    for (const OutlinedArgument& argument : m_kernel.arguments) declared.push_back(argument.type);
    const auto& parameters = m_kernel.template_parameters;
    std::vector<std::string> types;
    for (const TemplateParameter& one : parameters) types.push_back(one.is_type ? one.name : "");
    const TemplateArguments found =
        deduced_arguments(m_source, m_functions, {passed, m_at}, declared, types);
    for (std::size_t i = m_launch.template_texts.size(); i < parameters.size(); ++i) {
      const auto known = found.find(types[i]);
      const Tokens text = known == found.end() ? Tokens() : known->second;
      m_launch.template_arguments.push_back(text.empty() ? ""
                                                         : template_argument(parameters[i], text));
      m_launch.template_texts.push_back(text);
    }
  }

  /// A number, "null", or "" for anything else.
  [[nodiscard]] std::string constant_argument(const Tokens& text) const {
    if (text == Tokens{"nullptr"} || text == Tokens{"NULL"}) return "null";
    const bool is_variable = text.size() == 1 && is_word(text.front());
    if (!is_variable) return number_of(text);
    const auto macro = m_macros.find(text.front());
    if (macro != m_macros.end()) return std::to_string(macro->second);
    const auto value = value_of_variable(text.front());
    return value ? number_of(*value) : "";
  }

  /// "0.5" for `0.5f`, "1048576" for `1 << 20`; "" if it is not a constant.
  [[nodiscard]] static std::string number_of(const Tokens& tokens) {
    std::string text;
    for (const std::string& token : tokens) text += token;
    if (text.ends_with('f') || text.ends_with('F')) text.pop_back();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_all = error == std::errc() && end == text.data() + text.size();
    if (is_all && !text.empty() && std::isfinite(number)) return fmt::format("{}", number);
    const auto value = constant_value(tokens);
    return value ? std::to_string(*value) : "";
  }

  /// A type must be a built-in one: other names may be template parameters of the host function.
  [[nodiscard]] std::string template_argument(const TemplateParameter& parameter,
                                              const Tokens& text) const {
    if (parameter.is_type) {
      const std::string name = spelled_type(text, {}).name;
      return element_of(name).is_known ? name : "";
    }
    const bool is_variable = text.size() == 1 && is_word(text.front());
    const auto of_variable = is_variable ? value_of_variable(text.front()) : std::nullopt;
    const auto value = constant_value(of_variable.value_or(text));
    return value ? std::to_string(*value) : "";
  }

  /// `grid`, `256`, `dim3(a, b)`, `{a, b}`
  [[nodiscard]] std::array<std::string, 3> read_dimensions(const Tokens& text) const {
    std::array<std::string, 3> dimensions;
    std::vector<Tokens> parts = parts_of(text);
    if (parts.empty() && text.size() == 1) parts = parts_of_variable(text.front());
    if (parts.empty()) parts = {text};
    for (std::size_t i = 0; i < parts.size() && i < dimensions.size(); ++i) {
      dimensions.at(i) = text_of(parts[i], 0).value_or("");
    }
    return dimensions;
  }

  /// The parts of dim3(...) or {...}; empty for other text.
  [[nodiscard]] static std::vector<Tokens> parts_of(const Tokens& text) {
    const std::size_t at = token_at(text, 0) == "dim3" ? 1 : 0;
    const bool is_list = token_at(text, at) == "{" || (at == 1 && token_at(text, 1) == "(");
    if (!is_list || past_brackets(text, at) != text.size()) return {};
    return between_commas(text, at + 1, text.size() - 1);
  }

  /// The parts of the last `dim3 grid(a, b)` or `dim3 grid = dim3(a, b)` before the launch, with
  /// those that `grid.y = b` sets after it.
  [[nodiscard]] std::vector<Tokens> parts_of_variable(const std::string& name) const {
    std::array<Tokens, 3> set;
    int blocks = 0;  // that have ended before the launch
    for (std::size_t at = m_at; at > 1;) {
      at = before(at);
      if (m_source[at] == "}") ++blocks;
      if (m_source[at] == "{" && blocks > 0) --blocks;
      if (at == 0 || m_source[at] != name) continue;
      const std::string& type = m_source[at - 1];
      const std::string_view next = token_at(m_source, at + 1);
      const bool is_constant = type == "const" && at > 1 && m_source[at - 2] == "dim3";
      const bool is_declared = type == "dim3" || type == "," || is_constant;
      if (next == ".") {
        const std::size_t axis = std::string_view("xyz").find(token_at(m_source, at + 2));
        const bool is_certain = blocks == 0 && type != ")" && type != "else";
        if (axis < set.size() && set.at(axis).empty()) set.at(axis) = value_set(at, is_certain);
      } else if ((next == "(" || next == "{") && is_declared) {
        return with_set(between_commas(m_source, at + 2, past_brackets(m_source, at + 1) - 1), set);
      } else if (next == "=" && token_at(m_source, at + 2) != "=") {
        return with_set(parts_of(value_at(at + 2)), set);
      } else if ((next == ";" || next == ",") && is_declared) {
        return with_set({}, set);
      }
    }
    return {};
  }

  /// What `grid.x = n` at `at` sets; empty if it sets nothing, and no expression if that is not
  /// certain, or if it changes the value in another way.
  [[nodiscard]] Tokens value_set(std::size_t at, bool is_certain) const {
    static const Tokens unknown = {"#"};
    if (is_equality(m_source, at + 3)) return {};
    if (token_at(m_source, at + 3) == "=") return is_certain ? value_at(at + 4) : unknown;
    const std::string_view next = token_at(m_source, at + 3), second = token_at(m_source, at + 4);
    const bool is_sign = next == "+" || next == "-";
    const bool is_prefixed = at > 1 && m_source[at - 1] == m_source[at - 2] &&
                             (m_source[at - 1] == "+" || m_source[at - 1] == "-");
    const bool is_changed = second == "=" && (is_sign || next == "*" || next == "/");
    return is_prefixed || is_changed || (is_sign && second == next) ? unknown : Tokens();
  }

  /// `parts` with those that are set one by one; absent ones are 1.
  [[nodiscard]] static std::vector<Tokens> with_set(std::vector<Tokens> parts,
                                                    const std::array<Tokens, 3>& set) {
    for (std::size_t axis = 0; axis < set.size(); ++axis) {
      if (set.at(axis).empty()) continue;
      if (parts.size() <= axis) parts.resize(axis + 1, Tokens{"1"});
      parts[axis] = set.at(axis);
    }
    return parts;
  }

  /// The value in the last `int name = value;` before the launch.
  [[nodiscard]] std::optional<Tokens> value_of_variable(const std::string& name) const {
    for (std::size_t at = m_at; at > 1;) {
      at = before(at);
      const bool is_set = at > 0 && m_source[at] == name && m_source[at - 1] != "." &&
                          token_at(m_source, at + 1) == "=" && token_at(m_source, at + 2) != "=";
      if (is_set) return value_at(at + 2);
    }
    return std::nullopt;
  }

  [[nodiscard]] Tokens value_at(std::size_t at) const {
    const std::size_t begin = at;
    while (at < m_source.size() && m_source[at] != ";" && m_source[at] != ",") {
      const bool opens = m_source[at] == "(" || m_source[at] == "{";
      at = opens ? past_brackets(m_source, at) : at + 1;
    }
    return slice(m_source, begin, at);
  }

  /// The text as an expression of a spec; absent if a spec cannot express it.
  [[nodiscard]] std::optional<std::string> text_of(const Tokens& tokens, int depth) const {
    if (depth == deepest_variable) return std::nullopt;
    std::string text;
    for (std::size_t at = 0; at < tokens.size();) {
      const auto part = part_at(tokens, at, depth);
      if (!part || text.size() > longest_text) return std::nullopt;
      const bool is_call = tokens[at] == "(" && at > 0 && is_word(tokens[at - 1]);
      const bool is_spaced = !is_call && tokens[at] != ")" && tokens[at] != ",";
      if (is_spaced && !text.empty() && text.back() != '(') text += ' ';
      text += part->text;
      at = part->end;
    }
    return text.empty() ? std::nullopt : std::optional(text);
  }

  struct Part {
    std::string text;
    std::size_t end;
  };

  [[nodiscard]] std::optional<Part> part_at(const Tokens& tokens, std::size_t at, int depth) const {
    const std::string& token = tokens[at];
    if (is_number(token)) {
      const auto value = constant_value({token});
      if (!value || token_at(tokens, at + 1) == ".") return std::nullopt;
      return Part{std::to_string(*value), at + 1};
    }
    if (!is_word(token)) {
      if (token == "<" || token == ">" || token == ":") return comparison_at(tokens, at);
      constexpr std::string_view known = "+-*/%(),?";
      if (token.size() != 1 || known.find(token.front()) == known.npos) return std::nullopt;
      return Part{token, at + 1};
    }
    if (token_at(tokens, at + 1) == "(") return call_at(tokens, at, depth);
    if (token == "std" && stands_at(tokens, at + 1, {":", ":"})) return Part{"", at + 3};
    if (token_at(tokens, at + 1) == ".") return member_at(tokens, at);
    return name_at(token, at, depth);
  }

  /// `<`, `>=`, or the `:` of a condition; absent for a shift, `::` and `->`.
  [[nodiscard]] static std::optional<Part> comparison_at(const Tokens& tokens, std::size_t at) {
    const std::string& token = tokens[at];
    const std::string_view next = token_at(tokens, at + 1);
    const bool is_arrow = token == ">" && at > 0 && tokens[at - 1] == "-";
    if (next == token || is_arrow) return std::nullopt;
    if (token != ":" && next == "=") return Part{token + "=", at + 2};
    return Part{token, at + 1};
  }

  [[nodiscard]] std::optional<Part> call_at(const Tokens& tokens, std::size_t at, int depth) const {
    const std::string& name = tokens[at];
    if (is_ceil_div(name)) return Part{"ceil_div", at + 1};
    if (name == "min" || name == "max") return Part{name, at + 1};
    const std::size_t end = past_brackets(tokens, at + 1);
    const Tokens inner = slice(tokens, at + 2, end - 1);
    if (name == "sizeof") {
      const SpelledType type = spelled_type(inner, {});
      const ElementOf element = element_of(type.name);
      if (type.pointers > 0 || !element.is_known) return std::nullopt;
      return Part{std::to_string(element.value_bytes()), end};
    }
    if (name == "int" || name == "unsigned" || name == "size_t") {
      const auto text = text_of(inner, depth + 1);
      return text ? std::optional(Part{"(" + *text + ")", end}) : std::nullopt;
    }
    return std::nullopt;
  }

  /// `block.x`, if `block` is the launch's block.
  [[nodiscard]] std::optional<Part> member_at(const Tokens& tokens, std::size_t at) const {
    const std::string_view member = token_at(tokens, at + 2);
    const bool is_axis = member == "x" || member == "y" || member == "z";
    if (!is_axis || m_block != Tokens{tokens[at]}) return std::nullopt;
    return Part{"blockDim." + std::string(member), at + 3};
  }

  [[nodiscard]] std::optional<Part> name_at(const std::string& name, std::size_t at,
                                            int depth) const {
    if (m_block == Tokens{name}) return Part{"blockDim.x", at + 1};
    if (const auto own = m_names.find(name); own != m_names.end()) return Part{own->second, at + 1};
    const auto value = value_of_variable(name);
    if (!value) return Part{name, at + 1};
    const auto constant = constant_value(*value);
    if (constant && meaning_of(name, std::nullopt) == NameMeaning::size && !m_block.empty()) {
      m_launch.sizes.emplace(name, *constant);
      return Part{name, at + 1};
    }
    auto text = text_of(*value, depth + 1);
    if (!text) return std::nullopt;
    const bool is_plain = text->find(' ') == std::string::npos;
    return Part{is_plain ? *text : "(" + *text + ")", at + 1};
  }

  const Tokens& m_source;
  const OutlinedKernel& m_kernel;
  const std::map<std::string, std::int64_t>& m_macros;
  FunctionBodies m_functions;
  std::size_t m_at = 0;  // of the launch
  Tokens m_block;
  std::map<std::string, std::string> m_names;  // host name -> kernel name
  mutable HostLaunch m_launch;
};

}  // namespace

HostLaunch host_launch(const Tokens& source, const OutlinedKernel& kernel,
                       const std::map<std::string, std::int64_t>& macros) {
  return LaunchReader(source, kernel, macros).read();
}

}  // namespace gtune
