#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Directives of a C++ source, found as the translation phases of the language find them: splices
// are undone, then comments and literals told apart, before a line is looked at.
namespace gtune {

/// What depends on the language standard, or on the compiler.
struct Reading {
  bool trigraphs = false;        // `??=` is `#`: up to C++14
  bool raw_strings = true;       // since C++11
  bool digit_separators = true;  // since C++14
};

/// Every reading that gives this text another meaning. A directive counts if it is one in any.
[[nodiscard]] std::vector<Reading> readings_of(std::string_view text);

/// `#name rest`; comments are blanks.
struct Directive {
  std::size_t line = 0;  // in the file, from 1
  std::string name;
  std::string rest;
};

/// All directives, those in groups that a condition skips as well. Header names keep their text,
/// whatever is in it.
[[nodiscard]] std::vector<Directive> read_directives(std::string_view text, Reading reading);

/// How many lines the text begins with before code, or a directive behind the last `#include` there
/// that depends on no condition; 0 where there is no such include, or readings differ in it.
[[nodiscard]] std::size_t count_header_lines(std::string_view text);

/// With their line ends; fewer where the text has no more.
[[nodiscard]] std::string_view first_lines(std::string_view text, std::size_t count);

/// Identifiers, those of directives and skipped groups included. Of comments and literals none but
/// those of a `_Pragma`.
[[nodiscard]] std::set<std::string> read_identifiers(std::string_view text, Reading reading);

/// What an `#include` or a `__has_include` names.
struct HeaderName {
  std::string name;
  bool quoted = false;
};

enum class HeaderNameKind { none, literal, computed };

struct ParsedHeaderName {
  HeaderNameKind kind = HeaderNameKind::none;  // none: nothing is there
  HeaderName header;                           // of a literal one
};

/// The header name that `text` begins with, behind blanks.
[[nodiscard]] ParsedHeaderName parse_header_name(std::string_view text);

/// Names that ask whether a header is there: `__has_include` and its relatives, macros that pass
/// their parameter on to one.
using QuestionWords = std::set<std::string, std::less<>>;

[[nodiscard]] const QuestionWords& question_words();

struct HeaderQuestion {
  std::string word;
  /// Behind the parenthesis. Empty where the word is used without one, other than to ask whether it
  /// is defined: under another name it may ask for anything.
  std::string text;
};

[[nodiscard]] std::vector<HeaderQuestion> questions_in(const Directive& directive,
                                                       const QuestionWords& words);

/// The macro that a `#define` defines, where it has one parameter and the question is about that.
[[nodiscard]] std::optional<std::string> macro_that_passes_on(const Directive& define,
                                                              const HeaderQuestion& question);

[[nodiscard]] bool is_blank(char c);
[[nodiscard]] bool is_identifier_part(char c);
/// Without the blanks around it.
[[nodiscard]] std::string trimmed(std::string_view text);
/// Takes the letters, digits and underscores that `text` begins with, of a number too.
std::string take_identifier(std::string_view& text);

}  // namespace gtune
