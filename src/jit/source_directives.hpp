#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Finds the directives of a C++ source by the language's translation phases: lines are spliced,
// then comments and literals are recognized, then each line is read.
namespace gtune {

/// Rules that depend on the language standard or the compiler.
struct Reading {
  bool trigraphs = false;        // `??=` is `#`: up to C++14
  bool raw_strings = true;       // since C++11
  bool digit_separators = true;  // since C++14
};

/// All readings that may give this text different meanings. A line counts as a directive if any
/// reading makes it one.
[[nodiscard]] std::vector<Reading> readings_of(std::string_view text);

/// A directive `#name rest`. Comments are replaced by blanks.
struct Directive {
  std::size_t line = 0;  // in the file, from 1
  std::string name;
  std::string rest;
};

/// All directives, including those in skipped groups. Header names keep their text unchanged.
[[nodiscard]] std::vector<Directive> read_directives(std::string_view text, Reading reading);

/// The number of leading lines up to the last unconditional `#include` before any code, with the
/// comments and blank lines after it; 0 if there is no such include, or if readings differ.
[[nodiscard]] std::size_t count_header_lines(std::string_view text);

/// The first lines with their line ends; fewer if the text is shorter.
[[nodiscard]] std::string_view first_lines(std::string_view text, std::size_t count);

/// All identifiers, including those of directives and skipped groups. Comments and literals do not
/// count, except for literals of `_Pragma`.
[[nodiscard]] std::set<std::string> read_identifiers(std::string_view text, Reading reading);

/// The header that an `#include` or a `__has_include` names.
struct HeaderName {
  std::string name;
  bool quoted = false;
};

enum class HeaderNameKind { none, literal, computed };

struct ParsedHeaderName {
  HeaderNameKind kind = HeaderNameKind::none;
  HeaderName header;  // only if literal
};

/// The header name at the beginning of `text`, after blanks.
[[nodiscard]] ParsedHeaderName parse_header_name(std::string_view text);

/// Names that test whether a header exists: `__has_include`, its variants, and macros that pass
/// their parameter on to one of them.
using QuestionWords = std::set<std::string, std::less<>>;

[[nodiscard]] const QuestionWords& question_words();

struct HeaderQuestion {
  std::string word;
  /// The text after the parenthesis. Empty if there is none, as in `#define HAS __has_include`:
  /// such an alias may test for any header. `defined(__has_include)` is not a question.
  std::string text;
};

[[nodiscard]] std::vector<HeaderQuestion> questions_in(const Directive& directive,
                                                       const QuestionWords& words);

/// The macro that a `#define` defines, if it has one parameter and passes it on to the question.
[[nodiscard]] std::optional<std::string> macro_that_passes_on(const Directive& define,
                                                              const HeaderQuestion& question);

[[nodiscard]] bool is_blank(char c);
[[nodiscard]] bool is_identifier_part(char c);
/// The text without blanks at its ends.
[[nodiscard]] std::string trimmed(std::string_view text);
/// Takes the leading letters, digits and underscores of `text`, even of a number.
std::string take_identifier(std::string_view& text);

}  // namespace gtune
