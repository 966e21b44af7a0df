#include "authoring/loops.hpp"

#include <algorithm>

namespace gtune {
namespace {

constexpr std::size_t most_head_tokens = 300;
constexpr std::size_t most_loops = 256;
constexpr int deepest_statement = 16;  // `for (...) for (...) if (...) x = y;`

/// The position after the statement at `at`.
std::size_t past_statement(const Tokens& body, std::size_t at, int depth) {
  const std::string_view first = token_at(body, at);
  if (first == "{") return past_brackets(body, at);
  const bool has_head = first == "for" || first == "while" || first == "if" || first == "switch";
  if (has_head && depth < deepest_statement) {
    const bool is_constexpr = token_at(body, at + 1) == "constexpr";
    const std::size_t open = at + (is_constexpr ? 2 : 1);
    std::size_t end = past_statement(body, past_brackets(body, open, most_head_tokens), depth + 1);
    if (first == "if" && token_at(body, end) == "else") {
      end = past_statement(body, end + 1, depth + 1);
    }
    return end;
  }
  while (at < body.size() && body[at] != ";" && body[at] != "}") {
    const bool opens = body[at] == "(" || body[at] == "{";
    at = opens ? past_brackets(body, at) : at + 1;
  }
  return std::min(at + 1, body.size());
}

}  // namespace

std::vector<Loop> loops_in(const Tokens& body) {
  std::vector<Loop> loops;
  for (std::size_t at = 0; at + 1 < body.size() && loops.size() < most_loops; ++at) {
    const bool is_loop = (body[at] == "for" || body[at] == "while") && body[at + 1] == "(";
    if (!is_loop) continue;
    const std::size_t end = past_brackets(body, at + 1, most_head_tokens);
    loops.push_back({at, at + 1, end, past_statement(body, end, 0)});
  }
  return loops;
}

std::vector<Tokens> parts_of_head(const Tokens& body, const Loop& loop) {
  std::vector<Tokens> parts;
  std::size_t begin = loop.head + 1;
  for (std::size_t at = begin; at < loop.body; ++at) {
    if (body[at] == "(") at = past_brackets(body, at) - 1;
    if (at + 1 < loop.body && body[at] != ";") continue;
    parts.push_back(slice(body, begin, at));
    begin = at + 1;
  }
  const std::size_t expected = token_at(body, loop.keyword) == "for" ? 3 : 1;
  return parts.size() == expected ? parts : std::vector<Tokens>();
}

}  // namespace gtune
