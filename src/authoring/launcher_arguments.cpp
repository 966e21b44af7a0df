#include "authoring/launcher_arguments.hpp"

#include <algorithm>

namespace gtune {
namespace {

constexpr std::size_t most_template_tokens = 200;  // of the arguments in `k<...>`
constexpr int deepest_launcher = 4;
constexpr int most_enclosing = 4;  // functions and lambdas around a launch

struct FunctionTemplate {
  std::string name;
  std::vector<std::string> parameters;
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
    if (token == "(" && --depth == 0 && found.name.empty() && at > 0) found.name = source[at - 1];
    if (depth == 0 && (token == ";" || token == "{" || token == "}")) break;
    if (token == "template") head = at;  // the first of several: others are template parameters
  }
  if (head != open) found.parameters = template_parameter_names(source, head);
  return found;
}

TemplateArguments arguments_around(const Tokens& source, const FunctionBodies& bodies,
                                   std::size_t at, int depth);

/// Adds the arguments of the first `launch<double>(` outside the function's own body.
void add_arguments(const Tokens& source, const FunctionBodies& bodies, std::size_t open,
                   std::size_t close, int depth, TemplateArguments& arguments) {
  const FunctionTemplate launcher = template_of_body(source, open);
  if (launcher.parameters.empty() || !is_word(launcher.name)) return;
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (at == open) at = close;
    if (source[at] != launcher.name) continue;
    std::size_t end = at + 1;
    const std::vector<Tokens> written = template_arguments_at(source, end);
    if (written.empty() || token_at(source, end) != "(") continue;
    const TemplateArguments outer = arguments_around(source, bodies, at, depth + 1);
    for (std::size_t i = 0; i < std::min(written.size(), launcher.parameters.size()); ++i) {
      arguments.emplace(launcher.parameters[i], with_arguments(written[i], outer));
    }
    return;
  }
}

TemplateArguments arguments_around(const Tokens& source, const FunctionBodies& bodies,
                                   std::size_t at, int depth) {
  TemplateArguments arguments;
  if (depth == deepest_launcher) return arguments;
  // The innermost function closes first, and its parameters hide those of outer ones.
  int enclosing = 0;
  for (auto body = bodies.upper_bound(at); body != bodies.end(); ++body) {
    const auto& [close, open] = *body;
    if (open > at) continue;
    if (++enclosing > most_enclosing) break;
    add_arguments(source, bodies, open, close, depth, arguments);
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
