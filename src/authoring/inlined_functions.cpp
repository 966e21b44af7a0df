#include "authoring/inlined_functions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "authoring/variable_outline.hpp"

namespace gtune {
namespace {

constexpr std::size_t longest_result = 60;  // tokens
constexpr std::size_t most_parameter_tokens = 300;
constexpr int most_rounds = 4;  // functions that call functions
constexpr std::size_t most_tokens = 200000;

struct SmallFunction {
  std::vector<std::string> parameters;
  Tokens result;
};

bool asks_for_place(const Tokens& text) {
  return std::ranges::any_of(text, [](const std::string& token) {
    return token == "blockIdx" || token == "threadIdx" || token == "blockDim" || token == "gridDim";
  });
}

/// The names of a function's parameters, without their default values.
std::vector<std::string> parameter_names(const Tokens& source, std::size_t begin, std::size_t end) {
  std::vector<std::string> names;
  for (const Tokens& one : between_commas(source, begin, end)) {
    const auto last = std::ranges::find(one, "=");
    names.push_back(last == one.begin() ? std::string() : *std::prev(last));
  }
  return names;
}

/// The source's functions of nothing but `return ...;`. Overloads and other functions of their
/// names are left out.
std::map<std::string, SmallFunction> small_functions(const Tokens& source) {
  std::map<std::string, SmallFunction> functions;
  std::set<std::string> overloaded;
  for (std::size_t at = 1; at + 1 < source.size(); ++at) {
    if (!is_word(source[at]) || source[at + 1] != "(" || !is_word(source[at - 1])) continue;
    const std::size_t open = past_brackets(source, at + 1, most_parameter_tokens);
    if (token_at(source, open) != "{" || source[at - 1] == "else") continue;
    const std::size_t end = past_brackets(source, open, longest_result);
    const bool is_small = token_at(source, open + 1) == "return" && end - open < longest_result &&
                          token_at(source, end - 2) == ";";
    Tokens result = is_small ? slice(source, open + 2, end - 2) : Tokens();
    const bool is_one = is_small && std::ranges::find(result, ";") == result.end();
    const bool is_new = !functions.contains(source[at]);
    if (!is_new || !is_one) overloaded.insert(source[at]);
    functions.emplace(source[at],
                      SmallFunction{parameter_names(source, at + 2, open - 1), std::move(result)});
  }
  std::erase_if(functions, [&](const auto& one) { return overloaded.contains(one.first); });
  return functions;
}

/// One round: the results of these functions are not looked at again.
Tokens inlined_once(const Tokens& body, const std::map<std::string, SmallFunction>& functions) {
  Tokens written;
  for (std::size_t at = 0; at < body.size() && written.size() < most_tokens; ++at) {
    const auto called = functions.find(body[at]);
    const bool is_call = called != functions.end() && token_at(body, at + 1) == "(" &&
                         (at == 0 || body[at - 1] != ".");
    const std::size_t end = is_call ? past_brackets(body, at + 1) : at;
    const auto passed = is_call ? between_commas(body, at + 2, end - 1) : std::vector<Tokens>();
    if (!is_call || passed.size() != called->second.parameters.size()) {
      written.push_back(body[at]);
      continue;
    }
    TemplateArguments arguments;
    for (std::size_t i = 0; i < passed.size(); ++i) {
      Tokens argument = {"("};
      append(argument, passed[i]);
      argument.emplace_back(")");
      arguments.emplace(called->second.parameters[i], std::move(argument));
    }
    written.emplace_back("(");
    append(written, with_arguments(called->second.result, arguments));
    written.emplace_back(")");
    at = end - 1;
  }
  return written;
}

}  // namespace

Tokens with_inlined_indices(const Tokens& body, const Tokens& source) {
  std::map<std::string, SmallFunction> functions = small_functions(source);
  for (int round = 0; round < most_rounds; ++round) {  // those that call others that ask
    for (auto& [name, function] : functions) {
      if (asks_for_place(function.result)) continue;
      Tokens inlined = inlined_once(function.result, functions);
      const bool asks = asks_for_place(inlined) && inlined.size() < longest_result;
      if (asks) function.result = std::move(inlined);
    }
  }
  std::erase_if(functions, [](const auto& one) { return !asks_for_place(one.second.result); });
  Tokens inlined = functions.empty() ? body : inlined_once(body, functions);
  return inlined.size() < most_tokens ? inlined : body;
}

Tokens called_functions(const Tokens& body, const Tokens& source) {
  const std::map<std::string, Tokens> functions = functions_in(source);
  std::set<std::string> seen;
  Tokens bodies;
  std::vector<const Tokens*> open = {&body};
  while (!open.empty()) {
    const Tokens& next = *open.back();
    open.pop_back();
    for (const std::string& token : next) {
      const auto called = functions.find(token);
      if (called == functions.end() || !seen.insert(token).second) continue;
      append(bodies, called->second);
      open.push_back(&called->second);
    }
  }
  return bodies;
}

}  // namespace gtune
