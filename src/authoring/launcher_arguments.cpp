#include "authoring/launcher_arguments.hpp"

#include <algorithm>
#include <optional>

#include "authoring/cpp_types.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_template_tokens = 200;  // of the arguments in `k<...>`
constexpr int deepest_launcher = 3;
constexpr int most_enclosing = 4;  // functions and lambdas around a launch

constexpr int most_calls = 4;  // of a launcher that are looked at

struct FunctionTemplate {
  std::string name;
  std::vector<std::string> parameters;  // of the template
  std::vector<Tokens> declared;         // of the function
};

/// The function whose body begins at `open`; without parameters if it is no template.
FunctionTemplate template_of_body(const Tokens& source, std::size_t open) {
  FunctionTemplate found;
  const std::size_t first = open - std::min(open, longest_template_head);
  std::size_t head = open;
  int depth = 0;
  for (std::size_t at = open; at-- > first;) {
    const std::string& token = source[at];
    if (token == ")") ++depth;
    if (token == "(" && --depth == 0 && found.name.empty() && at > 0) {
      found.name = source[at - 1];
      found.declared = between_commas(source, at + 1, past_brackets(source, at) - 1);
    }
    if (depth == 0 && (token == ";" || token == "{" || token == "}")) break;
    if (token == "template") head = at;  // the first of several: others are template parameters
  }
  if (head != open) found.parameters = template_parameter_names(source, head);
  return found;
}

bool ends_statement(std::string_view token) { return token == ";" || token == "{" || token == "}"; }

/// The type in front of the first of several declarators: `double` of `double *x = f(), *y`. Empty
/// if the statement before `end` is no declaration.
Tokens type_of_statement(const Tokens& source, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && !ends_statement(source[begin - 1])) --begin;
  std::size_t at = begin;
  while (at < end && is_word(source[at])) ++at;
  if (token_at(source, at) == "*") return slice(source, begin, at);
  const bool is_named = token_at(source, at) == "," || token_at(source, at) == "=";
  return is_named && at > begin ? slice(source, begin, at - 1) : Tokens();
}

/// The parenthesis that opens the parameters of the function whose body begins at `open`.
std::size_t begin_of_parameters(const Tokens& source, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at-- > 0;) {
    if (source[at] == ")") ++depth;
    if (source[at] == "(" && --depth <= 0) return at;
  }
  return 0;
}

/// The parameters of the outermost of the functions around `at`; `at` if there is none.
std::size_t begin_of_function(const Tokens& source, const FunctionBodies& bodies, std::size_t at) {
  std::size_t first = at;
  int enclosing = 0;
  for (auto body = bodies.upper_bound(at); body != bodies.end(); ++body) {
    if (body->second > at) continue;
    if (++enclosing > most_enclosing) break;
    first = begin_of_parameters(source, body->second);
  }
  return first;
}

/// The type in the function's last declaration of a variable before `at`, such as `const double*
/// x`; skips the functions within it. Empty if there is none.
Tokens declared_type(const Tokens& source, const FunctionBodies& bodies, std::size_t at,
                     const std::string& name) {
  const std::size_t first = begin_of_function(source, bodies, at);
  while (at > first) {
    --at;
    if (const auto body = bodies.find(at); body != bodies.end()) {
      at = begin_of_parameters(source, body->second);
    }
    const std::string_view next = token_at(source, at + 1);
    const bool ends = next == ";" || next == "=" || next == "," || next == ")" || next == "{";
    if (source[at] != name || !ends) continue;
    std::size_t begin = at;
    while (begin > 0 && (is_word(source[begin - 1]) || source[begin - 1] == "*")) --begin;
    Tokens type = slice(source, begin, at);
    const std::string_view before = begin == 0 ? ";" : token_at(source, begin - 1);
    const bool has_word = std::any_of(type.begin(), type.end(), is_word);
    if (before == "," && !has_word) {
      const Tokens shared = type_of_statement(source, begin);
      type.insert(type.begin(), shared.begin(), shared.end());
    } else if (!has_word || (!ends_statement(before) && before != "(" && before != ",")) {
      continue;
    }
    if (!type.empty() && type.front() != "return" && type.front() != "*") return type;
  }
  return {};
}

/// The parameter of the template in `T* x`, `const T& x`; empty if the type has more to it.
std::string only_parameter(const Tokens& declared, const std::vector<std::string>& parameters) {
  for (const std::string& token : declared) {
    const bool is_parameter = is_word(token) && std::find(parameters.begin(), parameters.end(),
                                                          token) != parameters.end();
    if (is_parameter) return token;
    if (token != "const") return "";
  }
  return "";
}

TemplateArguments arguments_around(const Tokens& source, const FunctionBodies& bodies,
                                   std::size_t at, int depth);

TemplateArguments deduced(const Tokens& source, const FunctionBodies& bodies,
                          const PassedVariables& call, const std::vector<Tokens>& declared,
                          const std::vector<std::string>& parameters, int depth) {
  TemplateArguments arguments;
  std::optional<TemplateArguments> outer;
  for (std::size_t i = 0; i < std::min(call.passed.size(), declared.size()); ++i) {
    const std::string parameter = only_parameter(declared[i], parameters);
    const Tokens& variable = call.passed[i];
    const bool is_variable = variable.size() == 1 && is_word(variable.front());
    if (parameter.empty() || !is_variable || arguments.contains(parameter)) continue;
    const Tokens type = declared_type(source, bodies, call.at, variable.front());
    if (!outer) outer = arguments_around(source, bodies, call.at, depth + 1);
    const SpelledType spelled = spelled_type(with_arguments(type, *outer), {});
    const auto stars = std::count(declared[i].begin(), declared[i].end(), "*");
    if (spelled.pointers != stars || !element_of(spelled.name).is_known) continue;
    arguments.emplace(parameter, source_tokens(spelled.name));
  }
  return arguments;
}

/// Adds the arguments of the first call outside the function's own body that shows some.
/// `writes_them`: whether it has to write them, `launch<double>(x)`.
bool add_arguments(const Tokens& source, const FunctionBodies& bodies,
                   const FunctionTemplate& launcher, FunctionBodies::const_reference body,
                   bool writes_them, int depth, TemplateArguments& arguments) {
  int calls = 0;
  for (std::size_t at = 0; at < source.size() && calls < most_calls; ++at) {
    if (at == body.second) at = body.first;
    if (source[at] != launcher.name) continue;
    std::size_t end = at + 1;
    const std::vector<Tokens> written = template_arguments_at(source, end);
    if (written.empty() == writes_them || token_at(source, end) != "(") continue;
    ++calls;
    const PassedVariables call{between_commas(source, end + 1, past_brackets(source, end) - 1), at};
    TemplateArguments found =
        deduced(source, bodies, call, launcher.declared, launcher.parameters, depth);
    const TemplateArguments outer = arguments_around(source, bodies, at, depth + 1);
    for (std::size_t i = 0; i < std::min(written.size(), launcher.parameters.size()); ++i) {
      found.insert_or_assign(launcher.parameters[i], with_arguments(written[i], outer));
    }
    if (found.empty()) continue;
    arguments.merge(found);  // an inner function's parameters hide those of outer ones
    return true;
  }
  return false;
}

TemplateArguments arguments_around(const Tokens& source, const FunctionBodies& bodies,
                                   std::size_t at, int depth) {
  TemplateArguments arguments;
  if (depth == deepest_launcher) return arguments;
  int enclosing = 0;
  for (auto body = bodies.upper_bound(at); body != bodies.end(); ++body) {  // the innermost first
    if (body->second > at) continue;
    if (++enclosing > most_enclosing) break;
    const FunctionTemplate launcher = template_of_body(source, body->second);
    if (launcher.parameters.empty() || !is_word(launcher.name)) continue;
    for (const bool writes_them : {true, false}) {
      if (add_arguments(source, bodies, launcher, *body, writes_them, depth, arguments)) break;
    }
  }
  return arguments;
}

}  // namespace

FunctionBodies function_bodies(const Tokens& source) {
  static const Tokens statements = {"if", "for", "while", "switch"};
  FunctionBodies bodies;
  std::vector<std::pair<std::size_t, bool>> braces;  // and whether a function's body begins there
  std::vector<std::size_t> parentheses;
  std::size_t opened = 0;  // the parenthesis that was closed last
  for (std::size_t at = 1; at < source.size(); ++at) {
    if (source[at] == "(") {
      parentheses.push_back(at);
    } else if (source[at] == ")" && !parentheses.empty()) {
      opened = parentheses.back();
      parentheses.pop_back();
    } else if (source[at] == "{") {
      const bool is_statement = opened > 0 && std::find(statements.begin(), statements.end(),
                                                        source[opened - 1]) != statements.end();
      braces.emplace_back(at, source[at - 1] == ")" && !is_statement);
    } else if (source[at] == "}" && !braces.empty()) {
      if (braces.back().second) bodies.emplace(at, braces.back().first);
      braces.pop_back();
    }
  }
  return bodies;
}

TemplateArguments launcher_arguments(const Tokens& source, const FunctionBodies& bodies,
                                     std::size_t at) {
  return arguments_around(source, bodies, at, 0);
}

TemplateArguments deduced_arguments(const Tokens& source, const FunctionBodies& bodies,
                                    const PassedVariables& call,
                                    const std::vector<Tokens>& declared,
                                    const std::vector<std::string>& parameters) {
  return deduced(source, bodies, call, declared, parameters, 0);
}

std::vector<Tokens> template_arguments_at(const Tokens& source, std::size_t& at) {
  const bool is_launch = stands_at(source, at, {"<", "<", "<"});
  if (token_at(source, at) != "<" || is_launch) return {};
  const std::size_t most = std::min(source.size(), at + most_template_tokens);
  const Tokens arguments = slice(source, at, most);
  const std::size_t end = past_brackets(arguments, 0);
  if (end == arguments.size() && arguments.back() != ">") return {};  // `if (k < n)`
  at += end;
  return between_commas(arguments, 1, end - 1);
}

}  // namespace gtune
