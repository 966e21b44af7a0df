#include "authoring/array_reach.hpp"

#include <algorithm>

#include "authoring/pointer_copies.hpp"

namespace gtune {
namespace {

constexpr int deepest_copy = 6;
constexpr int most_copies = 64;  // of one array
constexpr std::int64_t largest_multiple = 64;

/// `4 * (text) +`; empty for an empty text.
Tokens scaled(const Tokens& text, std::size_t scale) {
  Tokens sum;
  if (text.empty()) return sum;
  if (scale > 1) append(sum, {std::to_string(scale), "*"});
  sum.emplace_back("(");
  append(sum, text);
  append(sum, {")", "+"});
  return sum;
}

}  // namespace

ArrayReach::Reach ArrayReach::of(const std::string& array, std::size_t bytes) const {
  Reach reach;
  m_bytes = bytes;
  m_copies_left = most_copies;
  read({array, 0, m_body.size()}, reach);
  return reach.is_known ? reach : Reach{};
}

void ArrayReach::read(const Pointer& pointer, Reach& reach) const {
  std::vector<PointerMoves::Distance> distances;
  const auto each_use = [&](const auto& visit) {
    for (std::size_t at = pointer.begin; at < pointer.end; ++at) {
      const std::size_t length = length_of_name(m_body, at, pointer.name);
      if (length > 0 && !is_declared(at)) visit(at, length);
    }
  };
  each_use([&](std::size_t at, std::size_t length) {
    const auto move = move_at(m_body, at, length);
    if (!move) return;
    distances.push_back(m_moves.distance(pointer.name, *move, at, pointer.begin));
    reach.is_known = reach.is_known && distances.back().is_known;
  });
  each_use([&](std::size_t at, std::size_t length) {
    if (!reach.is_known) return;
    Tokens before = pointer.offset;
    bool is_moved = pointer.is_moved;
    for (const PointerMoves::Distance& distance : distances) {
      if (distance.text.empty() || distance.from > at) continue;
      append(before, scaled(distance.text, pointer.scale));
      is_moved = is_moved || distance.is_of_loop;
    }
    if (before.size() > most_index_tokens) {
      reach.is_known = false;
    } else {
      read_use(pointer, {at, length, std::move(before), pointer.scale, is_moved}, reach);
    }
  });
}

void ArrayReach::read_use(const Pointer& pointer, const Use& use, Reach& reach) const {
  if (const auto cast = cast_of(use)) {
    if (cast->scale == 0) {
      reach.is_complete = false;
    } else {
      read_use(pointer, *cast, reach);
    }
    return;
  }
  if (is_first_element(use.at, use.length)) return add_index({"0"}, use, false, reach);
  if (move_at(m_body, use.at, use.length)) return;
  if (is_compared(use.at, use.length)) {
    if (!use.before.empty()) add_index({"0"}, use, true, reach);
    return;
  }
  const auto copy = copy_of_pointer(m_body, use.at, use.length);
  const bool is_followed = copy && pointer.depth < deepest_copy && m_copies_left > 0;
  const std::size_t end = copy ? next_definition(m_body, copy->name, copy->at) : 0;
  if (is_followed && end > copy->end) {
    --m_copies_left;
    Tokens offset = use.before;
    append(offset, scaled(copy->offset, use.scale));
    return read(
        {copy->name, copy->end, end, std::move(offset), use.scale, pointer.depth + 1, use.is_moved},
        reach);
  }
  Tokens index = copy ? copy->offset : index_at(use.at + use.length);
  const bool is_alone = index.empty() && pointer.depth > 0;  // passed to a function
  if (is_alone) index = {"0"};
  const bool is_address = is_alone || token_at(m_body, use.at + use.length) == "+";
  add_index(index, use, is_address, reach);
}

/// The use as one of other elements, if a cast is around it; its scale is 0 if it is not known.
std::optional<ArrayReach::Use> ArrayReach::cast_of(const Use& use) const {
  auto cast = cast_of_pointer(m_body, use.at, use.length);
  if (!cast) return std::nullopt;
  const bool is_known = m_bytes > 0 && cast->bytes > 0 && cast->bytes % m_bytes == 0;
  Use other{cast->at, cast->length, use.before, is_known ? cast->bytes / m_bytes : 0, use.is_moved};
  append(other.before, scaled(cast->offset, use.scale));
  return other;
}

void ArrayReach::add_index(const Tokens& index, const Use& use, bool is_address,
                           Reach& reach) const {
  const Tokens zero = {"0"};
  if (index == zero && use.before.empty()) {  // *x
    if (!reach.most) reach.most = UpperBound{{static_cast<std::int64_t>(use.scale), {}}};
    return;
  }
  Tokens whole = use.before;
  append(whole, use.scale == 1 ? index : Tokens{std::to_string(use.scale), "*", "("});
  if (use.scale > 1) append(whole, index);
  if (use.scale > 1) whole.emplace_back(")");
  for (auto& [pitch, span] : m_bound.spans(whole, use.at)) {
    const auto known = reach.spans.find(pitch);
    const bool is_more =
        known == reach.spans.end() || m_bound.reaches_further(span.of, known->second.of);
    if (is_more) reach.spans.insert_or_assign(pitch, span);
  }
  std::string sum = m_bound.sum_of_index(whole, use.at);
  const bool is_longer = std::ranges::count(sum, '+') > std::ranges::count(reach.sum, '+');
  if (is_longer || reach.sum.empty()) reach.sum = std::move(sum);
  const std::int64_t multiple = std::max(multiple_in(index), multiple_in(whole));
  const bool is_index = !index.empty() && whole.size() <= most_index_tokens;
  const bool is_end = is_address || use.is_moved;
  const auto elements =
      is_index ? m_bound.of_index(std::move(whole), use.at, is_end) : std::nullopt;
  if (!elements || (is_address && elements->of.factors.empty())) {
    reach.is_complete = false;
    reach.multiple = std::max(reach.multiple, multiple);
    return;
  }
  if (reach.most) {
    m_bound.extend(*reach.most, *elements);
  } else {
    reach.most = elements;
  }
}

/// 3 in `3 * n * d + i`, also if that is a variable's definition.
std::int64_t ArrayReach::multiple_in(const Tokens& index) const {
  const auto terms = index_terms(index.size() == 1 ? m_locals.only_definition(index[0]) : index);
  std::int64_t most = 1;
  if (!terms) return most;
  for (const IndexTerm& term : *terms) {
    if (!term.factors.empty() && term.number <= largest_multiple)
      most = std::max(most, term.number);
  }
  return most;
}

/// `const float* row = rows[b];`, `extern __shared__ float sums[];`
bool ArrayReach::is_declared(std::size_t at) const {
  return is_declared_with_value(m_body, at) || stands_at(m_body, at + 1, {"[", "]"});
}

/// `*total`, `*p++`, `atomicAdd(total, x)`
bool ArrayReach::is_first_element(std::size_t at, std::size_t length) const {
  if (is_dereferenced(m_body, at, length)) return true;
  return at > 1 && m_body[at - 1] == "(" && token_at(m_body, at + length) == "," &&
         m_body[at - 2].starts_with("atomic");
}

/// `p != end`, `p < end`
bool ArrayReach::is_compared(std::size_t at, std::size_t length) const {
  const std::string_view after = token_at(m_body, at + length);
  return is_equality(m_body, at + length) || after == "<" || after == ">";
}

/// The index in the last brackets of `[i][j]` at `at`, or that of `+ i`, an element's address;
/// empty for anything else.
Tokens ArrayReach::index_at(std::size_t at) const {
  if (token_at(m_body, at) == "+") return until_end_of_sum(m_body, at + 1);
  if (token_at(m_body, at) != "[") return {};
  std::size_t end = past_brackets(m_body, at, most_index_tokens);
  while (token_at(m_body, end) == "[") {
    at = end;
    end = past_brackets(m_body, at, most_index_tokens);
  }
  return end < m_body.size() ? slice(m_body, at + 1, end - 1) : Tokens();
}

}  // namespace gtune
