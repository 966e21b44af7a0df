#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// A CUDA source's text as words, numbers and single characters.
namespace gtune {

using Tokens = std::vector<std::string>;

/// Hears a source's parts in their order. Tokens are ASCII: letters outside it become underscores.
class SourceListener {
 public:
  virtual ~SourceListener() = default;
  virtual void on_token(std::string token) = 0;
  /// `text`: from the # to the end of its last line.
  virtual void on_directive(std::string_view text, std::size_t line) = 0;
};

/// Skips comments, and reduces a string or character literal to its quotation mark.
void read_source(std::string_view text, SourceListener& listener);

/// The tokens of all branches. Skips comments and directives, and reduces a string or character
/// literal to its quotation mark.
[[nodiscard]] Tokens source_tokens(std::string_view text);

/// Whether it is an identifier or a keyword.
[[nodiscard]] bool is_word(std::string_view token);
[[nodiscard]] bool is_number(std::string_view token);

/// The token at `at`; empty past the end.
[[nodiscard]] std::string_view token_at(const Tokens& tokens, std::size_t at);

/// Whether these tokens stand at `at`.
[[nodiscard]] bool stands_at(const Tokens& tokens, std::size_t at,
                             std::initializer_list<std::string_view> expected);

/// Whether `==` or `!=` stands at `at`.
[[nodiscard]] bool is_equality(const Tokens& tokens, std::size_t at);

/// The number of tokens of the variable `name` at `at`: one, or three for "params.x". 0 if the
/// variable is not there, or is a member of another one.
[[nodiscard]] std::size_t length_of_name(const Tokens& tokens, std::size_t at,
                                         const std::string& name);

/// The position after the bracket that closes the one at `at`; the end of the tokens if none of
/// the next `most` tokens does.
[[nodiscard]] std::size_t past_brackets(const Tokens& tokens, std::size_t at,
                                        std::size_t most = std::string::npos);

enum class AngleBrackets { enclose, compare };

/// Splits tokens at commas that are outside brackets. `angles`: whether `<` and `>` are brackets or
/// comparisons.
[[nodiscard]] std::vector<Tokens> between_commas(const Tokens& tokens, std::size_t begin,
                                                 std::size_t end,
                                                 AngleBrackets angles = AngleBrackets::enclose);

[[nodiscard]] Tokens slice(const Tokens& tokens, std::size_t begin, std::size_t end);

void append(Tokens& to, const Tokens& more);

/// The tokens as text, with blanks only where words meet: "unsigned int", "ns::P<1,2>".
[[nodiscard]] std::string joined(const Tokens& tokens);

/// An expression as a person writes it: "(BM * BN) / max(TM, 1)".
[[nodiscard]] std::string spaced(const Tokens& tokens);

/// Tokens of `template <...>`. Longer ones are not read: one that is not closed takes that long.
inline constexpr std::size_t longest_template_head = 2000;

/// What each parameter of a template stands for.
using TemplateArguments = std::map<std::string, Tokens>;

/// `text` with each of these names replaced.
[[nodiscard]] Tokens with_arguments(const Tokens& text, const TemplateArguments& arguments);

/// The names of a template's parameters, "" for those without one. `at`: of its word `template`.
[[nodiscard]] std::vector<std::string> template_parameter_names(const Tokens& tokens,
                                                                std::size_t at);

}  // namespace gtune
