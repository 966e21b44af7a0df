#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// A CUDA source's text as words, numbers and single characters.
namespace gtune {

using Tokens = std::vector<std::string>;

/// Comments and directives are left out; a literal is its quotation mark.
[[nodiscard]] Tokens source_tokens(std::string_view text);

/// An identifier, or a keyword.
[[nodiscard]] bool is_word(std::string_view token);
[[nodiscard]] bool is_number(std::string_view token);

/// Empty past the end.
[[nodiscard]] std::string_view token_at(const Tokens& tokens, std::size_t at);

/// Whether these tokens stand at `at`.
[[nodiscard]] bool stands_at(const Tokens& tokens, std::size_t at,
                             std::initializer_list<std::string_view> expected);

/// How many tokens a variable's name has that stands at `at`: one, or the three of "params.x"; 0
/// where it does not stand there, or is a member of something else.
[[nodiscard]] std::size_t length_of_name(const Tokens& tokens, std::size_t at,
                                         const std::string& name);

/// Past the bracket that closes the one at `at`; the end where none does.
[[nodiscard]] std::size_t past_brackets(const Tokens& tokens, std::size_t at);

/// Ranges of tokens between commas outside of brackets, of which `<` and `>` are a pair.
[[nodiscard]] std::vector<Tokens> between_commas(const Tokens& tokens, std::size_t begin,
                                                 std::size_t end);

[[nodiscard]] Tokens slice(const Tokens& tokens, std::size_t begin, std::size_t end);

}  // namespace gtune
