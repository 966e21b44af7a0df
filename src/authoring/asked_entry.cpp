#include "authoring/asked_entry.hpp"

#include "authoring/source_tokens.hpp"
#include "jit/source_directives.hpp"
#include "model/error.hpp"
#include "spec/entry.hpp"

namespace gtune {

AskedEntry asked_entry(const std::string& text) {
  const std::size_t open = text.find('<');
  if (open == std::string::npos) return {text, {}};
  AskedEntry asked{trimmed(text.substr(0, open)), {}};
  const std::string list = trimmed(text.substr(open));
  const Tokens tokens = source_tokens(list);
  const bool is_closed = is_entry(asked.name + list) && past_brackets(tokens, 0) == tokens.size();
  for (const Tokens& one : between_commas(tokens, 1, tokens.size() - 1)) {
    asked.arguments.push_back(joined(one));
  }
  if (is_closed && !asked.arguments.empty()) return asked;
  throw UserError(ExitCode::usage,
                  "--entry '" + text + "': expected NAME or NAME<ARGUMENTS>, as in 'scale<float>'");
}

}  // namespace gtune
