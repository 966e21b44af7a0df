#include "authoring/source_tokens.hpp"

#include <algorithm>

#include "jit/source_directives.hpp"

namespace gtune {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Whether it is part of a letter outside ASCII, in UTF-8 or another encoding.
bool is_foreign(char c) { return static_cast<unsigned char>(c) >= 0x80; }

/// A spec's names are ASCII: each run of other letters becomes one underscore.
std::string in_ascii(std::string_view word) {
  std::string text;
  bool was_foreign = false;
  for (const char c : word) {
    if (!is_foreign(c) || !was_foreign) text += is_foreign(c) ? '_' : c;
    was_foreign = is_foreign(c);
  }
  return text;
}

class Tokenizer {
 public:
  Tokenizer(std::string_view text, SourceListener& listener)
      : m_text(text), m_uncounted(text), m_listener(listener) {
    if (m_text.starts_with(byte_order_mark)) m_text.remove_prefix(byte_order_mark.size());
  }

  void run() && {
    while (!m_text.empty()) step();
  }

 private:
  void step() {
    const char c = m_text.front();
    if (c == '#' && m_line_begins) {
      skip_directive();
    } else if (m_text.starts_with("//")) {
      m_text.remove_prefix(std::min(m_text.find('\n'), m_text.size()));
    } else if (m_text.starts_with("/*")) {
      const std::size_t end = m_text.find("*/", 2);
      m_text.remove_prefix(end == m_text.npos ? m_text.size() : end + 2);
    } else if (m_text.starts_with("R\"")) {
      skip_raw_literal();
    } else if (c == '"' || c == '\'') {
      skip_literal(c);
    } else if (is_blank(c) || c == '\n' || c == '\r') {
      m_line_begins = m_line_begins || c == '\n';
      m_text.remove_prefix(1);
    } else {
      take_token();
    }
  }

  void skip_directive() {
    std::size_t end = m_text.find('\n');
    while (end != m_text.npos && is_spliced(m_text.substr(0, end))) {
      end = m_text.find('\n', end + 1);
    }
    m_listener.on_directive(m_text.substr(0, end), line());
    m_text.remove_prefix(std::min(end, m_text.size()));
  }

  /// The current line's number, from 1.
  [[nodiscard]] std::size_t line() {
    const auto passed = m_uncounted.substr(0, m_uncounted.size() - m_text.size());
    m_line += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
    m_uncounted = m_text;
    return m_line;
  }

  /// Whether the line goes on after its end.
  static bool is_spliced(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line.ends_with('\\');
  }

  /// R"end(text)end"
  void skip_raw_literal() {
    const std::size_t open = std::min(m_text.find('('), m_text.size());
    std::string close = ")";
    close.append(m_text.substr(2, open - std::min<std::size_t>(open, 2))).append("\"");
    const std::size_t end = m_text.find(close, open);
    m_text.remove_prefix(end == m_text.npos ? m_text.size() : end + close.size());
    m_listener.on_token("\"");
    m_line_begins = false;
  }

  void skip_literal(char quote) {
    std::size_t at = 1;
    while (at < m_text.size() && m_text[at] != quote && m_text[at] != '\n') {
      at += m_text[at] == '\\' ? 2 : 1;
    }
    m_text.remove_prefix(std::min(at + 1, m_text.size()));
    m_listener.on_token(std::string(1, quote));
    m_line_begins = false;
  }

  /// A quotation mark within a number is a digit separator.
  void take_token() {
    m_line_begins = false;
    const bool is_digits = is_number(m_text);
    std::size_t end = 0;
    while (end < m_text.size() && (is_identifier_part(m_text[end]) || is_foreign(m_text[end]) ||
                                   (is_digits && m_text[end] == '\''))) {
      ++end;
    }
    end = std::max<std::size_t>(end, 1);
    m_listener.on_token(in_ascii(m_text.substr(0, end)));
    m_text.remove_prefix(end);
  }

  std::string_view m_text;
  std::string_view m_uncounted;  // the text whose line ends m_line does not count
  std::size_t m_line = 1;
  SourceListener& m_listener;
  bool m_line_begins = true;
};

class AllTokens : public SourceListener {
 public:
  void on_token(std::string token) override { tokens.push_back(std::move(token)); }
  void on_directive(std::string_view /*text*/, std::size_t /*line*/) override {}
  Tokens tokens;
};

/// "T" of `typename T = float`
std::string parameter_name(const Tokens& text) {
  const auto end = std::find(text.begin(), text.end(), "=");
  return end == text.begin() || !is_word(*std::prev(end)) ? "" : *std::prev(end);
}

std::string_view closing(std::string_view open) {
  if (open == "(") return ")";
  if (open == "[") return "]";
  return open == "{" ? "}" : ">";
}

}  // namespace

void read_source(std::string_view text, SourceListener& listener) {
  Tokenizer(text, listener).run();
}

Tokens source_tokens(std::string_view text) {
  AllTokens all;
  read_source(text, all);
  return std::move(all.tokens);
}

bool is_number(std::string_view token) {
  return !token.empty() && token.front() >= '0' && token.front() <= '9';
}

bool is_word(std::string_view token) {
  return !token.empty() && is_identifier_part(token.front()) && !is_number(token);
}

std::string_view token_at(const Tokens& tokens, std::size_t at) {
  return at < tokens.size() ? std::string_view(tokens[at]) : std::string_view();
}

bool stands_at(const Tokens& tokens, std::size_t at,
               std::initializer_list<std::string_view> expected) {
  return std::all_of(expected.begin(), expected.end(),
                     [&](std::string_view one) { return token_at(tokens, at++) == one; });
}

bool is_equality(const Tokens& tokens, std::size_t at) {
  return stands_at(tokens, at, {"=", "="}) || stands_at(tokens, at, {"!", "="});
}

std::size_t length_of_name(const Tokens& tokens, std::size_t at, const std::string& name) {
  const bool is_member = at > 0 && (tokens[at - 1] == "." ||
                                    (at > 1 && tokens[at - 1] == ">" && tokens[at - 2] == "-"));
  if (is_member || name.empty()) return 0;
  const std::size_t point = name.find('.');
  if (point == std::string::npos) return tokens[at] == name ? 1 : 0;
  return stands_at(tokens, at, {name.substr(0, point), ".", name.substr(point + 1)}) ? 3 : 0;
}

std::size_t past_brackets(const Tokens& tokens, std::size_t at, std::size_t most) {
  const std::string_view open = token_at(tokens, at);
  const std::string_view close = closing(open);
  int depth = 0;
  const std::size_t end = at + std::min(most, tokens.size() - std::min(at, tokens.size()));
  for (; at < end; ++at) {
    if (open == "<" && tokens[at] == "(") {  // `(A > B)`
      at = past_brackets(tokens, at, most) - 1;
      continue;
    }
    if (open == "<" && (tokens[at] == ";" || tokens[at] == "{")) break;
    if (tokens[at] == open) ++depth;
    if (tokens[at] == close && --depth == 0) return at + 1;
  }
  return tokens.size();
}

std::vector<Tokens> between_commas(const Tokens& tokens, std::size_t begin, std::size_t end,
                                   AngleBrackets angles) {
  const bool enclose = angles == AngleBrackets::enclose;
  std::vector<Tokens> parts;
  int depth = 0;
  int angles_open = 0;  // outside other brackets, where `<` does not compare
  std::size_t start = begin;
  end = std::min(end, tokens.size());
  for (std::size_t at = begin; at < end; ++at) {
    const std::string& one = tokens[at];
    if (one == "(" || one == "[" || one == "{") ++depth;
    if (one == ")" || one == "]" || one == "}") --depth;
    if (enclose && depth == 0 && one == "<") ++angles_open;
    if (enclose && depth == 0 && one == ">" && token_at(tokens, at - 1) != "-") --angles_open;
    if (one != "," || depth != 0 || angles_open != 0) continue;
    parts.push_back(slice(tokens, start, at));
    start = at + 1;
  }
  if (start < end) parts.push_back(slice(tokens, start, end));
  return parts;
}

Tokens slice(const Tokens& tokens, std::size_t begin, std::size_t end) {
  end = std::min(end, tokens.size());
  begin = std::min(begin, end);
  return {tokens.begin() + static_cast<std::ptrdiff_t>(begin),
          tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}

void append(Tokens& to, const Tokens& more) { to.insert(to.end(), more.begin(), more.end()); }

std::string spaced(const Tokens& tokens) {
  std::string text;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& token = tokens[at];
    const std::string_view before = at > 0 ? token_at(tokens, at - 1) : "(";
    const bool is_call = token == "(" && is_word(before);
    const bool is_tight =
        before == "(" || before == "." || token == ")" || token == "," || token == "." || is_call;
    text += (is_tight ? "" : " ") + token;
  }
  return text;
}

std::string joined(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    const bool are_words =
        !text.empty() && is_identifier_part(text.back()) && is_identifier_part(token.front());
    text += (are_words ? " " : "") + token;
  }
  return text;
}

Tokens with_arguments(const Tokens& text, const TemplateArguments& arguments) {
  Tokens replaced;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_member = at > 0 && text[at - 1] == ".";  // the x of threadIdx.x
    const auto known = is_member ? arguments.end() : arguments.find(text[at]);
    if (known == arguments.end()) {
      replaced.push_back(text[at]);
    } else {
      append(replaced, known->second);
    }
  }
  return replaced;
}

std::vector<std::string> template_parameter_names(const Tokens& tokens, std::size_t at) {
  std::vector<std::string> names;
  if (token_at(tokens, at + 1) != "<") return names;
  const std::size_t end = past_brackets(tokens, at + 1, longest_template_head);
  if (end == tokens.size()) return names;  // it is not closed
  for (const Tokens& one : between_commas(tokens, at + 2, end - 1)) {
    names.push_back(parameter_name(one));
  }
  return names;
}

}  // namespace gtune
