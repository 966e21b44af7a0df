#include "jit/source_directives.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace gtune {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char at(std::string_view text, std::size_t place) {
  return place < text.size() ? text[place] : '\n';
}

std::string_view without_blanks(std::string_view text) {
  const auto* start = std::find_if_not(text.begin(), text.end(), is_blank);
  return text.substr(static_cast<std::size_t>(start - text.begin()));
}

std::string_view identifier_at_start(std::string_view text) {
  const auto* end = std::find_if_not(text.begin(), text.end(), is_identifier_part);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

struct Spliced {
  std::string text;
  std::vector<std::size_t> splices;  // positions in `text` where a line end was removed
};

std::optional<char> trigraph_at(std::string_view text, std::size_t place) {
  constexpr std::string_view last = "=/'()!<>-";
  constexpr std::string_view means = "#\\^[]|{}~";
  if (text.substr(place, 2) != "??") return std::nullopt;
  const std::size_t which = last.find(at(text, place + 2));
  if (which == last.npos) return std::nullopt;
  return means[which];
}

/// Length of the line end after a backslash. NVRTC accepts any number of carriage returns.
std::size_t line_end_at(std::string_view text, std::size_t place) {
  const std::size_t end = text.find_first_not_of('\r', place);
  return end != text.npos && text[end] == '\n' ? end + 1 - place : 0;
}

/// Translation phases 1 and 2.
Spliced splice(std::string_view text, bool trigraphs) {
  Spliced out;
  out.text.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto trigraph = trigraphs ? trigraph_at(text, i) : std::nullopt;
    const char c = trigraph.value_or(text[i]);
    i += trigraph ? 3 : 1;
    const std::size_t line_end = c == '\\' ? line_end_at(text, i) : 0;
    if (line_end > 0) {
      out.splices.push_back(out.text.size());
      i += line_end;
    } else {
      out.text += c;
    }
  }
  return out;
}

bool names_a_header(std::string_view directive) {
  return directive == "include" || directive == "include_next" || directive == "import" ||
         directive == "embed";
}

/// The text after `#` or `%:`; absent if the line is not a directive.
std::optional<std::string_view> text_after_mark(std::string_view line) {
  line = without_blanks(line);
  if (line.starts_with('#')) return without_blanks(line.substr(1));
  if (line.starts_with("%:")) return without_blanks(line.substr(2));
  return std::nullopt;
}

/// Whether the next token of a line is a header name rather than a string or an operator.
bool expects_header_name(std::string_view line) {
  const auto directive = text_after_mark(line);
  if (!directive) return false;
  const std::string_view name = identifier_at_start(*directive);
  std::string_view rest = without_blanks(directive->substr(name.size()));
  if (names_a_header(name)) return rest.empty();
  while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
  if (!rest.ends_with('(')) return false;
  rest.remove_suffix(1);
  while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
  return std::any_of(question_words().begin(), question_words().end(),
                     [&](const std::string& word) { return rest.ends_with(word); });
}

constexpr std::size_t no_line = std::numeric_limits<std::size_t>::max();

/// Translation phase 3, as far as directives need it.
class Lexer {
 public:
  /// `identifiers`: receives the identifiers; may be null.
  Lexer(const Spliced& source, Reading reading, std::set<std::string>* identifiers = nullptr)
      : m_text(source.text),
        m_splices(source.splices),
        m_reading(reading),
        m_identifiers(identifiers) {}

  std::vector<Directive> read() {
    while (m_at < m_text.size()) read_token();
    end_line();
    return std::move(m_directives);
  }

  /// The first line with a token outside directives.
  [[nodiscard]] std::size_t first_code_line() const { return m_first_code_line; }

 private:
  void read_token() {
    const char c = m_text[m_at];
    const char next = at(m_text, m_at + 1);
    if (c == '\n') {
      end_line();
      ++m_at;
    } else if (c == '/' && next == '/') {
      m_at = std::min(m_text.find('\n', m_at), m_text.size());
    } else if (c == '/' && next == '*') {
      skip_comment();
    } else if ((c == '"' || c == '<') && expects_header_name(m_line)) {
      take_header_name(c == '"' ? '"' : '>');
    } else if (c == '"' || c == '\'') {
      take_literal(c);
    } else if (is_digit(c) || (c == '.' && is_digit(next))) {
      take_number();
    } else if (is_identifier_part(c)) {
      take_identifier();
    } else {
      take(m_at + 1);
    }
  }

  void take(std::size_t end) {
    if (m_line.empty()) m_line_start = m_at;
    m_line.append(m_text.substr(m_at, end - m_at));
    m_at = end;
  }

  void skip_comment() {
    if (m_line.empty()) m_line_start = m_at;
    m_line += ' ';
    const std::size_t end = m_text.find("*/", m_at + 2);
    m_at = end == m_text.npos ? m_text.size() : end + 2;
  }

  void take_header_name(char closing) {
    std::size_t end = m_at + 1;
    while (end < m_text.size() && m_text[end] != closing && m_text[end] != '\n') ++end;
    take(at(m_text, end) == closing ? end + 1 : end);
  }

  /// An unterminated literal ends with its line.
  void take_literal(char mark) {
    std::size_t end = m_at + 1;
    while (end < m_text.size() && m_text[end] != mark && m_text[end] != '\n') {
      end += m_text[end] == '\\' && at(m_text, end + 1) != '\n' ? 2 : 1;
    }
    const std::size_t begin = m_at;
    take(at(m_text, end) == mark ? end + 1 : std::min(end, m_text.size()));
    if (m_last_word == "_Pragma") note_identifiers(m_text.substr(begin, m_at - begin));
    m_last_word = {};
  }

  /// Notes the words of a literal that is read as a directive.
  void note_identifiers(std::string_view literal) {
    if (m_identifiers == nullptr) return;
    while (!literal.empty()) {
      const std::string_view word = identifier_at_start(literal);
      if (!word.empty()) m_identifiers->emplace(word);
      literal.remove_prefix(std::max<std::size_t>(word.size(), 1));
    }
  }

  void take_number() {
    std::size_t end = m_at + 1;
    for (;; ++end) {
      const char c = at(m_text, end);
      const bool exponent =
          std::string_view("eEpP").find(m_text[end - 1]) != std::string_view::npos;
      if (is_identifier_part(c) || c == '.' || (exponent && (c == '+' || c == '-'))) continue;
      if (m_reading.digit_separators && c == '\'' && is_identifier_part(at(m_text, end + 1))) {
        continue;
      }
      break;
    }
    take(end);
  }

  void take_identifier() {
    const std::string_view word = identifier_at_start(m_text.substr(m_at));
    take(m_at + word.size());
    m_last_word = word;
    if (m_identifiers != nullptr) m_identifiers->emplace(word);
    const bool raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
    if (m_reading.raw_strings && raw && at(m_text, m_at) == '"') skip_raw_string();
  }

  void skip_raw_string() {
    constexpr std::size_t longest = 16;
    const std::size_t open = m_text.find_first_of("()\\ \t\v\f\n\"", m_at + 1);
    if (at(m_text, open) != '(' || open - m_at - 1 > longest) return;
    const std::string closing = ")" + std::string(m_text.substr(m_at + 1, open - m_at - 1)) + "\"";
    const std::size_t end = m_text.find(closing, open);
    if (end == m_text.npos) return;
    m_line += "\"\"";
    m_at = end + closing.size();
  }

  void end_line() {
    const auto directive = text_after_mark(m_line);
    if (directive) {
      const std::string_view name = identifier_at_start(*directive);
      m_directives.push_back({line_number(), std::string(name),
                              std::string(without_blanks(directive->substr(name.size())))});
    } else if (m_first_code_line == no_line && !without_blanks(m_line).empty()) {
      m_first_code_line = line_number();
    }
    m_line.clear();
  }

  /// The number of the current line in the file.
  std::size_t line_number() {
    const std::string_view passed = m_text.substr(m_counted, m_line_start - m_counted);
    m_line_number += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
    m_counted = m_line_start;
    while (m_next_splice < m_splices.size() && m_splices[m_next_splice] <= m_line_start) {
      ++m_line_number;
      ++m_next_splice;
    }
    return m_line_number;
  }

  std::string_view m_text;
  const std::vector<std::size_t>& m_splices;
  Reading m_reading;
  std::set<std::string>* m_identifiers;
  std::string_view m_last_word;
  std::size_t m_at = 0;
  std::string m_line;  // the line so far, with comments as blanks
  std::size_t m_line_start = 0;
  std::size_t m_line_number = 1;
  std::size_t m_counted = 0;      // position up to which m_line_number counts line ends
  std::size_t m_next_splice = 0;  // first splice that m_line_number does not count
  std::vector<Directive> m_directives;
  std::size_t m_first_code_line = no_line;
};

/// Whether the text before a name makes it a test for the macro's definition.
bool asks_for_definition(const Directive& directive, std::string_view before) {
  while (!before.empty() && (is_blank(before.back()) || before.back() == '(')) {
    before.remove_suffix(1);
  }
  if (before.empty()) {
    return directive.name.starts_with("if") || directive.name.starts_with("elif");
  }
  return before.ends_with("defined");
}

}  // namespace

bool is_blank(char c) {
  // NVRTC treats a zero byte, and a carriage return that ends no line, as blanks.
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' || c == '\0';
}

bool is_identifier_part(char c) {
  // `$` and non-ASCII letters are excluded: NVRTC recognizes a raw string after them.
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::string take_identifier(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_identifier_part(text[end])) ++end;
  std::string name(text.substr(0, end));
  text.remove_prefix(end);
  return name;
}

std::vector<Reading> readings_of(std::string_view text) {
  const bool trigraphs = text.find("??") != text.npos;
  const bool quotes = text.find('\'') != text.npos;
  // A line splice may separate the R from its quote.
  const bool raw_strings = text.find("R\"") != text.npos || text.find("R\\") != text.npos ||
                           text.find("R?\?/") != text.npos;
  std::vector<Reading> readings = {{}};
  const auto add_opposite = [&](bool Reading::*what) {
    const std::size_t known = readings.size();
    for (std::size_t i = 0; i < known; ++i) {
      Reading opposite = readings[i];
      opposite.*what = !(opposite.*what);
      readings.push_back(opposite);
    }
  };
  if (trigraphs) add_opposite(&Reading::trigraphs);
  if (raw_strings) add_opposite(&Reading::raw_strings);
  if (quotes) add_opposite(&Reading::digit_separators);
  return readings;
}

namespace {

std::size_t count_header_lines(std::string_view text, Reading reading) {
  const Spliced source = splice(text, reading.trigraphs);
  Lexer lexer(source, reading);
  const std::vector<Directive> directives = lexer.read();
  const std::size_t code = lexer.first_code_line();
  std::size_t lines = 0;
  int depth = 0;
  bool is_after_include = false;  // an unconditional one
  for (const Directive& directive : directives) {
    if (directive.line >= code) break;
    if (is_after_include) lines = directive.line - 1;
    is_after_include = false;
    if (directive.name.starts_with("if")) ++depth;
    if (directive.name == "endif") --depth;
    is_after_include = depth == 0 && directive.name == "include";
  }
  return is_after_include && code != no_line ? code - 1 : lines;
}

}  // namespace

std::size_t count_header_lines(std::string_view text) {
  const std::vector<Reading> readings = readings_of(text);
  const std::size_t lines = count_header_lines(text, readings.front());
  const bool agree = std::all_of(readings.begin(), readings.end(), [&](Reading reading) {
    return count_header_lines(text, reading) == lines;
  });
  return agree ? lines : 0;
}

std::string_view first_lines(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  return text.substr(0, end);
}

std::vector<Directive> read_directives(std::string_view text, Reading reading) {
  const Spliced source = splice(text, reading.trigraphs);
  return Lexer(source, reading).read();
}

std::set<std::string> read_identifiers(std::string_view text, Reading reading) {
  const Spliced source = splice(text, reading.trigraphs);
  std::set<std::string> identifiers;
  (void)Lexer(source, reading, &identifiers).read();
  return identifiers;
}

ParsedHeaderName parse_header_name(std::string_view text) {
  const std::string_view name = without_blanks(text);
  if (name.empty()) return {};
  const bool quoted = name.front() == '"';
  if (!quoted && name.front() != '<') return {HeaderNameKind::computed, {}};
  const std::size_t end = name.find(quoted ? '"' : '>', 1);
  if (end == name.npos) return {};  // an error for the compiler
  return {HeaderNameKind::literal, {std::string(name.substr(1, end - 1)), quoted}};
}

const QuestionWords& question_words() {
  static const QuestionWords words = {"__has_include", "__has_include_next", "__has_embed"};
  return words;
}

std::vector<HeaderQuestion> questions_in(const Directive& directive, const QuestionWords& words) {
  std::vector<HeaderQuestion> questions;
  const std::string_view text = directive.rest;
  const bool defines = directive.name == "define";
  for (std::size_t place = 0; place < text.size();) {
    const std::string_view word = identifier_at_start(text.substr(place));
    if (word.empty()) {
      ++place;
      continue;
    }
    const std::size_t end = place + word.size();
    // The name of a macro that is being defined is not a test.
    if (words.contains(word) && !(defines && place == 0)) {
      const std::string_view rest = without_blanks(text.substr(end));
      if (rest.starts_with('(')) {
        questions.push_back({std::string(word), std::string(rest.substr(1))});
      } else if (!asks_for_definition(directive, text.substr(0, place))) {
        questions.push_back({std::string(word), ""});
      }
    }
    place = end;
  }
  return questions;
}

std::optional<std::string> macro_that_passes_on(const Directive& define,
                                                const HeaderQuestion& question) {
  const std::string_view text = define.rest;
  const std::string_view name = identifier_at_start(text);
  if (define.name != "define" || at(text, name.size()) != '(') return std::nullopt;
  const std::string_view parameter =
      identifier_at_start(without_blanks(text.substr(name.size() + 1)));
  const std::string_view about = without_blanks(question.text);
  if (parameter.empty() || identifier_at_start(about) != parameter) return std::nullopt;
  const auto ends = [](std::string_view rest) { return without_blanks(rest).starts_with(')'); };
  const std::string_view after_parameter =
      text.substr(static_cast<std::size_t>(parameter.data() - text.data()) + parameter.size());
  if (!ends(after_parameter) || !ends(about.substr(parameter.size()))) return std::nullopt;
  return std::string(name);
}

}  // namespace gtune
