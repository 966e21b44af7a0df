#include "authoring/pointer_moves.hpp"

#include <algorithm>

#include "authoring/macro_outline.hpp"
#include "authoring/pointer_copies.hpp"

namespace gtune {
std::optional<PointerMove> move_at(const Tokens& body, std::size_t at, std::size_t length) {
  const std::size_t after = at + length;
  const bool is_prefixed = at > 1 && body[at - 1] == "+" && body[at - 2] == "+";
  if (is_prefixed) return PointerMove{{"1"}, at};
  if (stands_at(body, after, {"+", "+"})) return PointerMove{{"1"}, after + 2};
  std::size_t value = after + 2;
  if (is_moved_by_itself(body, at, length)) {
    value = after + 1 + length + 1;
  } else if (!stands_at(body, after, {"+", "="})) {
    return std::nullopt;
  }
  Tokens by = until_end_of_sum(body, value);
  const std::size_t end = value + by.size();
  return PointerMove{std::move(by), end};
}

PointerMoves::Distance PointerMoves::distance(const std::string& pointer, const PointerMove& move,
                                              std::size_t at, std::size_t from) const {
  Distance unknown{{}, at, false};
  auto terms = index_terms(move.by);
  if (!terms) {
    const bool is_repeated = std::ranges::any_of(
        m_loops, [&](const Loop& loop) { return loop.contains(at) && loop.body > from; });
    if (is_repeated || move.by.empty()) return unknown;
    return {move.by, move.end};
  }
  std::erase_if(*terms, [](const IndexTerm& term) { return term.number <= 0; });
  Distance all{{}, move.end};
  Tokens counts;
  for (const Loop& loop : m_loops) {
    if (!loop.contains(at) || loop.body <= from) continue;
    all.from = std::min(all.from, loop.head);
    if (is_limited_by_pointer(loop, pointer)) return {{}, all.from};
    const auto counter = counter_of(loop, at);
    if (!counter) return unknown;
    for (IndexTerm& term : *terms) {
      auto once = quotient(term, counter->step);
      if (!once) return unknown;
      term = std::move(*once);
    }
    const Tokens since = counter->first.empty() ? Tokens() : Tokens{"-", "("};
    append(counts, {"*", "("});
    append(counts, counter->passes);
    append(counts, since);
    append(counts, counter->first);
    append(counts, since.empty() ? Tokens{")"} : Tokens{")", ")"});
  }
  for (const IndexTerm& term : *terms) {
    if (!all.text.empty()) all.text.emplace_back("+");
    append(all.text, source_tokens(term.text()));
    append(all.text, counts);
  }
  all.is_of_loop = !counts.empty();
  return all;
}

/// `while (p < end)`, `for (...; p != end; ++p)`: the end's address is the limit.
bool PointerMoves::is_limited_by_pointer(const Loop& loop, const std::string& pointer) const {
  const std::vector<Tokens> parts = parts_of_head(m_body, loop);
  if (parts.empty()) return false;
  const Tokens& condition = parts.size() == 3 ? parts[1] : parts[0];
  for (std::size_t at = 0; at < condition.size(); ++at) {
    if (condition[at] != pointer) continue;
    const std::string_view next = token_at(condition, at + 1);
    if (next == "<" || next == "!") return true;
  }
  return false;
}

/// The variables that may count the loop's passes.
std::vector<std::string> PointerMoves::candidates(const Loop& loop) const {
  const std::vector<Tokens> parts = parts_of_head(m_body, loop);
  std::vector<std::string> names;
  if (parts.empty()) return names;
  std::vector<Tokens> texts;
  if (parts.size() == 3) texts = between_commas(parts[2], 0, parts[2].size());
  texts.push_back(parts.size() == 3 ? parts[1] : parts[0]);
  for (const Tokens& text : texts) {
    const auto word =
        std::ranges::find_if(text, [](const std::string& one) { return is_word(one); });
    if (word != text.end()) names.push_back(*word);
  }
  return names;
}

std::optional<PointerMoves::Counter> PointerMoves::counter_of(const Loop& loop,
                                                              std::size_t at) const {
  for (const std::string& name : candidates(loop)) {
    if (!m_locals.is_local(name) || m_locals.limit(name, at) == nullptr) continue;
    const auto step = only_step(name, loop);
    if (!step) continue;
    auto passes = passes_of(name, at);
    if (!passes) return std::nullopt;
    if (step->number < 0) return Counter{*passes, IndexTerm{-step->number, step->factors}, {}};
    return Counter{*passes, *step, first_value_of(name, loop)};
  }
  return std::nullopt;
}

/// The variable, or its limit at `at` if it has another one elsewhere, where uses of the pointer
/// may stand.
std::optional<Tokens> PointerMoves::passes_of(const std::string& name, std::size_t at) const {
  if (m_locals.has_one_limit(name)) return Tokens{name};
  const auto limit = m_locals.without_locals(m_locals.limit(name, at)->of);
  return limit ? std::optional(source_tokens(limit->text())) : std::nullopt;
}

/// What each pass of the loop adds to a variable: -1 for `--i`. Absent unless one place changes it.
std::optional<IndexTerm> PointerMoves::only_step(const std::string& name, const Loop& loop) const {
  std::optional<IndexTerm> step;
  for (std::size_t at = loop.head; at < loop.end; ++at) {
    if (m_body[at] != name) continue;
    const std::string& before = m_body[at - 1];
    const bool is_prefixed = before == m_body[at - 2] && (before == "+" || before == "-");
    const std::string_view sign = is_prefixed ? std::string_view(before) : token_at(m_body, at + 1);
    if (sign != "+" && sign != "-") continue;
    const bool is_by_one = is_prefixed || token_at(m_body, at + 2) == sign;
    if (!is_by_one && token_at(m_body, at + 2) != "=") continue;
    auto by =
        is_by_one
            ? std::vector<IndexTerm>{{}}
            : index_terms(until_end_of_sum(m_body, at + 3)).value_or(std::vector<IndexTerm>());
    if (step || by.size() != 1) return std::nullopt;
    if (sign == "-") by.front().number *= -1;
    step = std::move(by.front());
  }
  return step;
}

/// Empty if it is a constant, or if nothing is known of it.
Tokens PointerMoves::first_value_of(const std::string& name, const Loop& loop) const {
  const auto definitions = m_locals.definitions().find(name);
  const Tokens* first = nullptr;
  for (const auto& definition : definitions->second) {
    if (definition.at < loop.body) first = definition.is_whole ? &definition.text : nullptr;
  }
  if (first == nullptr || constant_value(*first)) return {};
  return m_locals.expand(*first, loop.head, false) ? *first : Tokens();
}

}  // namespace gtune
