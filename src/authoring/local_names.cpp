#include "authoring/local_names.hpp"

#include <algorithm>
#include <iterator>

#include "authoring/loops.hpp"

namespace gtune {
namespace {

using Terms = std::vector<IndexTerm>;

constexpr int deepest_definition = 6;
constexpr std::size_t most_expanded = 64;
constexpr std::size_t most_factors = 16;

/// Whether its number may be one of a spec's. Products beyond would overflow.
bool is_small(const IndexTerm& term) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  return term.number >= -most && term.number <= most;
}

template <typename Placed>
const Placed& last_before(const std::vector<Placed>& all, std::size_t at) {
  const Placed* last = &all.front();
  for (const Placed& one : all) {
    if (one.at <= at) last = &one;
  }
  return *last;
}

/// Without the x of threadIdx.x, which is no variable x.
Tokens without_members(const Tokens& text) {
  Tokens words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at == 0 || text[at - 1] != ".") words.push_back(text[at]);
  }
  return words;
}

/// Whether nothing is added to a product: not `n + 2`, nor `a + b`. Also true for a quotient.
bool is_one_product(const Tokens& text) {
  const auto terms = index_terms(text);
  return !terms || std::count_if(terms->begin(), terms->end(),
                                 [](const IndexTerm& term) { return term.number > 0; }) == 1;
}

}  // namespace

bool is_larger(const IndexTerm& a, const IndexTerm& b) {
  const auto rank = [](const IndexTerm& term) {
    return std::pair(term.factors.size(), term.number);
  };
  return rank(a) > rank(b);
}

std::optional<UpperBound> largest_product(const Tokens& text) {
  const auto terms = index_terms(text);
  if (!terms) {
    const auto quotient = quotient_of(without_brackets(text));
    if (!quotient || quotient->divisor == "?") return std::nullopt;
    const Tokens bare = without_brackets(quotient->dividend);
    const std::string dividend = spaced(bare.size() == 1 ? bare : quotient->dividend);
    return UpperBound{{1, {"(" + dividend + " / " + quotient->divisor + ")"}}};
  }
  const IndexTerm* largest = nullptr;
  std::int64_t constants = 0;
  Terms subtracted;  // K in n - K + 1
  for (const IndexTerm& term : *terms) {
    if (term.factors.empty()) constants += term.number;
    if (term.number < 0 && !term.factors.empty())
      subtracted.push_back({-term.number, term.factors});
    if (term.number > 0 && (largest == nullptr || is_larger(term, *largest))) largest = &term;
  }
  if (largest == nullptr) return std::nullopt;
  if (!subtracted.empty()) constants = std::min<std::int64_t>(constants, 0);
  return UpperBound{*largest, largest->factors.empty() ? 0 : constants, {}, std::move(subtracted)};
}

LocalNames::LocalNames(const Tokens& body) : m_body(body) {
  find_leaving_conditions();
  for (std::size_t at = 0; at + 1 < body.size(); ++at) {
    if (is_word(body[at]) && (at == 0 || body[at - 1] != ".")) read(at);
  }
  find_indices();
  find_countdowns();
  drop_unknown_limits();
}

const UpperBound* LocalNames::limit(const std::string& name, std::size_t at) const {
  const auto found = m_limits.find(name);
  if (found == m_limits.end()) return nullptr;
  const Limit& limit = last_before(found->second, at);
  return definition_before(name, limit.at) > at ? nullptr : &limit.bound;
}

bool LocalNames::has_one_limit(const std::string& name) const {
  const auto found = m_limits.find(name);
  return found != m_limits.end() && std::ranges::all_of(found->second, [&](const Limit& one) {
           return one.bound.of.text() == found->second.front().bound.of.text();
         });
}

const UpperBound* LocalNames::limit_after(const std::string& name, std::size_t at) const {
  const auto found = m_limits.find(name);
  if (found == m_limits.end()) return nullptr;
  const auto next = std::find_if(found->second.begin(), found->second.end(),
                                 [&](const Limit& one) { return one.at > at; });
  return next == found->second.end() ? nullptr : &next->bound;
}

Tokens LocalNames::only_definition(const std::string& name) const {
  const auto found = m_definitions.find(name);
  const bool is_one =
      found != m_definitions.end() && found->second.size() == 1 && found->second.front().is_whole;
  return is_one ? found->second.front().text : Tokens();
}

const IndexTerm* LocalNames::step(const std::string& name) const {
  const auto found = m_moved.find(name);
  return found == m_moved.end() || !found->second ? nullptr : &*found->second;
}

std::optional<IndexTerm> LocalNames::without_locals(const IndexTerm& term) const {
  return without_locals(term, deepest_definition);
}

std::optional<IndexTerm> LocalNames::without_locals(const IndexTerm& term, int depth) const {
  IndexTerm whole{term.number, {}};
  for (const std::string& factor : term.factors) {
    if (whole.factors.size() > most_factors) return std::nullopt;
    if (factor.starts_with('(')) {  // a quotient
      auto known = quotient_without_locals(factor, depth);
      if (!known) return std::nullopt;
      whole.factors.push_back(std::move(*known));
    } else if (!is_local(factor)) {
      whole.factors.push_back(factor);
    } else if (const auto value = constant(factor, depth)) {
      whole = whole * *value;
    } else {
      return std::nullopt;
    }
  }
  return whole;
}

/// With what constants stand for in place of their names: `(blockDim.x / 2)` for `(threads / 2)`.
std::optional<std::string> LocalNames::quotient_without_locals(const std::string& quotient,
                                                               int depth) const {
  Tokens known;
  for (const std::string& word : source_tokens(quotient)) {
    if (word == "threadIdx" || word == "blockIdx") return std::nullopt;
    if (!is_local(word)) {
      known.push_back(word);
      continue;
    }
    const auto value = constant(word, depth);
    if (!value || value->number != 1 || value->factors.size() != 1) return std::nullopt;
    append(known, source_tokens(value->factors.front()));
  }
  return spaced(known);
}

Terms LocalNames::with_constants(const Terms& terms) const {
  Terms known;
  for (const IndexTerm& term : terms) {
    IndexTerm product{term.number, {}};
    for (const std::string& factor : term.factors) {
      const auto value = is_local(factor) ? constant(factor, deepest_definition) : std::nullopt;
      product = product * value.value_or(IndexTerm{1, {factor}});
    }
    known.push_back(std::move(product));
  }
  return known;
}

/// Whether a variable may have other values than that of its definition, or has one in each thread.
bool LocalNames::may_vary(const std::string& name) const {
  return m_limits.contains(name) || m_moved.contains(name) || m_changed.contains(name) ||
         m_indices.contains(name);
}

/// What a local constant is at most: `const int n2 = n / 2;`
std::optional<IndexTerm> LocalNames::constant(const std::string& name, int depth) const {
  if (depth == 0 || may_vary(name)) return std::nullopt;
  const Tokens text = only_definition(name);
  if (!is_one_product(text)) return std::nullopt;
  const auto value = largest_product(text);
  if (!value || value->of.factors.empty()) return std::nullopt;  // it may count: int i = 0
  return without_locals(value->of, depth - 1);
}

std::optional<Terms> LocalNames::expand(const Tokens& text, std::size_t at, bool also_limited,
                                        int depth) const {
  const auto terms = index_terms(text);
  if (!terms || depth == deepest_definition) return std::nullopt;
  Terms expanded;
  for (const IndexTerm& term : *terms) {
    auto products = expand_term(term, at, also_limited, depth);
    if (!products || expanded.size() > most_expanded) return std::nullopt;
    expanded.insert(expanded.end(), products->begin(), products->end());
  }
  return expanded;
}

/// `if (i < 1 || i >= n) return;`: what makes the thread leave is the opposite of a limit.
void LocalNames::find_leaving_conditions() {
  for (std::size_t at = 0; at + 1 < m_body.size(); ++at) {
    if (m_body[at] != "if" || m_body[at + 1] != "(" || token_at(m_body, at + 2) == "!") continue;
    const std::size_t end = past_brackets(m_body, at + 1, most_index_tokens);
    const std::string_view first = token_at(m_body, end);
    const std::string_view next = first == "{" ? token_at(m_body, end + 1) : first;
    if (next == "return" || next == "continue" || next == "break") m_leaving.push_back({at, end});
  }
}

bool LocalNames::is_in_leaving_condition(std::size_t at) const {
  const auto after = std::upper_bound(m_leaving.begin(), m_leaving.end(), at,
                                      [](std::size_t a, const Range& b) { return a < b.begin; });
  return after != m_leaving.begin() && at < std::prev(after)->end;
}

/// `++i`, `i--`, `i *= 2`, `i >>= 1`
void LocalNames::note_change(std::size_t at) {
  constexpr std::string_view operators = "*/%&|^";
  const std::string_view next = token_at(m_body, at + 1);
  const std::string_view second = token_at(m_body, at + 2);
  const bool is_sign = next == "+" || next == "-";
  const bool is_operator = next.size() == 1 && operators.find(next.front()) != operators.npos;
  const bool is_shift = (next == "<" || next == ">") && token_at(m_body, at + 3) == "=";
  const bool is_prefixed = at > 1 && (m_body[at - 1] == "+" || m_body[at - 1] == "-") &&
                           m_body[at - 2] == m_body[at - 1];
  if (is_prefixed || (is_sign && second == next) || (is_operator && second == "=") ||
      (is_shift && second == next)) {
    m_changed.insert(m_body[at]);
  }
}

/// Of a variable's limits, one that is not known, such as a value from memory, matters only if
/// there is no other for the same definition, such as a guard within the loop. Two loops may name
/// their variables alike.
void LocalNames::drop_unknown_limits() {
  for (auto& [name, limits] : m_limits) {
    std::set<std::size_t> known;  // where they are defined
    const auto is_known = [&](const Limit& limit) {
      return without_locals(limit.bound.of).has_value();
    };
    for (const Limit& limit : limits) {
      if (is_known(limit)) known.insert(definition_before(name, limit.at));
    }
    std::erase_if(limits, [&, &variable = name](const Limit& limit) {
      return !is_known(limit) && known.contains(definition_before(variable, limit.at));
    });
  }
}

/// Where the variable was defined last before a position; 0 if nowhere.
std::size_t LocalNames::definition_before(const std::string& name, std::size_t at) const {
  const auto found = m_definitions.find(name);
  if (found == m_definitions.end()) return 0;
  const std::size_t definition = last_before(found->second, at).at;
  return definition <= at ? definition : 0;
}

/// Reads `i = ...`, `i += ...`, `i < n` or `i >= n`; `at` is the position of the name.
void LocalNames::read(std::size_t at) {
  note_change(at);
  const std::string& name = m_body[at];
  const std::string_view next = token_at(m_body, at + 1);
  const std::string_view second = token_at(m_body, at + 2);
  if (next == "=" && second != "=") {
    const Tokens text = until_end(at + 2);
    const std::size_t end = at + 2 + text.size();
    const bool is_shifted = stands_at(m_body, end, {">", ">"});
    const std::string_view after = token_at(m_body, is_shifted ? end + 3 : end);
    m_definitions[name].push_back({at, with_shift(text, at + 2), after == ";" || after == ","});
  } else if ((next == "+" || next == "-") && second == "=") {
    const auto step = next == "+" ? index_terms(until_end(at + 3)) : std::nullopt;
    m_moved.emplace(name, step && step->size() == 1 ? std::optional(step->front()) : std::nullopt);
  } else if (next == "<" && second != "<") {
    const bool is_reached = second == "=";
    const bool is_constant = !is_local(name);  // a constant's sum: i + BLOCK < n
    const bool is_summand = at > 0 && (m_body[at - 1] == "+" || m_body[at - 1] == "*");
    if (is_in_leaving_condition(at) || (is_constant && is_summand)) return;
    const bool is_of_loop = at > 0 && m_body[at - 1] == ";";  // for (...; i <= 4; ...)
    const std::size_t bound = at + (is_reached ? 3 : 2);
    const bool is_added =
        add_limit(name, bound, is_reached && !is_of_loop, is_reached ? 1 : 0, is_summand);
    // An unknown limit names the variable itself, so that no other loop's limit counts.
    if (!is_added && is_of_loop) m_limits[name].push_back({bound, {{1, {name}}}});
  } else if (next == ">" && second == "=") {
    add_limit(name, at + 3, true, 0, at > 0 && m_body[at - 1] == "+");
  } else if (next == ">" && second != ">" && is_in_leaving_condition(at)) {
    add_limit(name, at + 2, true, 1);
  }
}

/// `text`, which begins at `at`, as a division if it is shifted: (i) / 32 for `i >> 5`.
Tokens LocalNames::with_shift(Tokens text, std::size_t at) const {
  const std::size_t end = at + text.size();
  if (text.empty() || !stands_at(m_body, end, {">", ">"})) return text;
  text.insert(text.begin(), "(");
  text.insert(text.end(), {")", "/"});
  text.push_back(divisor_of_shift(token_at(m_body, end + 2)).value_or("?"));
  return text;
}

/// The rest of the statement, declarator or condition from `at`; empty if it is too long.
Tokens LocalNames::until_end(std::size_t at) const {
  const std::size_t begin = at;
  constexpr std::string_view ends = ";,)}&|?<>";
  while (at < m_body.size() && at - begin <= most_index_tokens) {
    const std::string& token = m_body[at];
    if (token == "(" || token == "[") {
      at = past_brackets(m_body, at, most_index_tokens);
    } else if (token.size() == 1 && ends.find(token.front()) != ends.npos) {
      break;
    } else {
      ++at;
    }
  }
  return at - begin > most_index_tokens ? Tokens() : slice(m_body, begin, at);
}

/// A variable that a loop counts down or halves never exceeds its first value: `for (i = n - 1; i
/// >= 0; --i)`, `while (left-- > 0)`, `for (s = n / 2; s > 0; s >>= 1)`.
void LocalNames::find_countdowns() {
  for (const Loop& loop : loops_in(m_body)) {
    for (std::size_t at = loop.head + 1; at + 1 < loop.body; ++at) {
      const auto known = m_definitions.find(m_body[at]);
      const bool is_after = stands_at(m_body, at + 1, {"-", "-"});
      const bool is_before = m_body[at - 1] == "-" && m_body[at - 2] == "-";
      const bool is_halved =
          stands_at(m_body, at + 1, {">", ">", "="}) || stands_at(m_body, at + 1, {"/", "="});
      const bool counts_down =
          is_after || is_before || is_halved || stands_at(m_body, at + 1, {"-", "="});
      if (!counts_down || known == m_definitions.end()) continue;
      const Definition& first = last_before(known->second, loop.body);
      if (first.at > loop.body || !first.is_whole) continue;
      auto bound = largest_product(first.text);
      if (!bound) continue;
      const bool is_of_while = token_at(m_body, loop.keyword) == "while";
      bound->more += is_of_while ? 0 : 1;
      std::vector<Limit>& limits = m_limits[m_body[at]];
      const auto later =
          std::ranges::find_if(limits, [&](const Limit& one) { return one.at >= loop.body; });
      limits.insert(later, Limit{loop.body - 1, std::move(*bound)});
    }
  }
}

/// The products of a sum of sizes, in which no local variable is but those that stand for such
/// sums: those of `n - m`, or of `W` if W is `w + 2 * p`. Absent for anything else.
std::optional<Terms> LocalNames::sizes_in(const Tokens& text, int depth) const {
  if (text.size() == 1 && is_local(text[0])) {
    const bool is_known = depth < deepest_definition && !may_vary(text[0]);
    return is_known ? sizes_in(only_definition(text[0]), depth + 1) : std::nullopt;
  }
  auto terms = index_terms(text);
  if (!terms || terms->size() < 2) return std::nullopt;
  const bool are_sizes = std::ranges::all_of(*terms, [&](const IndexTerm& term) {
    return std::ranges::none_of(term.factors, [&](const std::string& factor) {
      return is_local(factor) || factor.starts_with("threadIdx.") ||
             factor.starts_with("blockIdx.");
    });
  });
  return are_sizes ? terms : std::nullopt;
}

Terms LocalNames::with_sums(const Terms& terms) const {
  Terms all;
  for (const IndexTerm& term : terms) {
    Terms products = {{term.number, {}}};
    for (const std::string& factor : term.factors) {
      products = products_of(products, sizes_in({factor}).value_or(Terms{{1, {factor}}}));
      if (products.size() > most_expanded) return terms;
    }
    all.insert(all.end(), products.begin(), products.end());
  }
  return all;
}

/// Takes the largest product after a comparison as the limit, or a sum of sizes. `x >= 0` sets
/// none. Returns whether there is one.
bool LocalNames::add_limit(const std::string& name, std::size_t at, bool needs_name,
                           std::int64_t more, bool is_of_sum) {
  const Tokens text = until_end(at);
  auto bound = largest_product(text);
  if (!bound || (needs_name && bound->of.factors.empty())) return false;
  Terms sizes = sizes_in(text).value_or(Terms());
  // What is subtracted is left out.
  std::erase_if(sizes, [](const auto& one) { return one.number <= 0 || one.factors.empty(); });
  if (sizes.size() > 1) {
    std::ranges::stable_sort(sizes, is_larger);
    bound->of = sizes.front();
    bound->others.assign(sizes.begin() + 1, sizes.end());
  }
  bound->more += more;
  bound->is_of_sum = is_of_sum;
  m_limits[name].push_back({at, std::move(*bound)});
  return true;
}

/// Finds the variables whose every definition derives from blockIdx, threadIdx or gridDim.
void LocalNames::find_indices() {
  const auto is_index = [&](const Definition& definition) {
    const Tokens words = without_members(definition.text);
    return std::any_of(words.begin(), words.end(), [&](const std::string& token) {
      return token == "blockIdx" || token == "threadIdx" || token == "gridDim" ||
             m_indices.contains(token);
    });
  };
  for (int round = 0; round < deepest_definition; ++round) {
    for (const auto& [name, definitions] : m_definitions) {
      if (std::all_of(definitions.begin(), definitions.end(), is_index)) m_indices.insert(name);
    }
  }
}

bool LocalNames::is_of_threads(const std::string& name) const {
  if (!m_indices.contains(name)) return false;
  const auto& definitions = m_definitions.at(name);
  return std::none_of(definitions.begin(), definitions.end(),
                      [&](const Definition& one) { return names_blocks(one, 0); });
}

bool LocalNames::names_blocks(const Definition& definition, int depth) const {
  if (depth >= deepest_definition) return true;
  const Tokens words = without_members(definition.text);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    if (word == "blockIdx") return true;
    const auto known = m_definitions.find(word);
    return known != m_definitions.end() && m_indices.contains(word) &&
           names_blocks(last_before(known->second, definition.at), depth + 1);
  });
}

std::optional<Terms> LocalNames::expand_term(const IndexTerm& term, std::size_t at,
                                             bool also_limited, int depth) const {
  if (term.factors.size() > most_factors || !is_small(term)) return std::nullopt;
  Terms products = {{term.number, {}}};
  for (const std::string& factor : term.factors) {
    const bool is_known = m_limits.contains(factor) || m_moved.contains(factor);
    const bool stays = !m_indices.contains(factor) || (!also_limited && is_known);
    Terms factors = {{1, {factor}}};
    if (!stays) {
      const Definition& definition = last_before(m_definitions.at(factor), at);
      auto expanded = expand(definition.text, definition.at, also_limited, depth + 1);
      // A variable of threads alone, such as `threadIdx.x % 8`, may stay: it says nothing of
      // blocks.
      if (!expanded && names_blocks(definition, depth)) return std::nullopt;
      if (expanded) factors = std::move(*expanded);
    }
    Terms all = products_of(products, factors);
    if (all.size() > most_expanded || !std::all_of(all.begin(), all.end(), is_small)) {
      return std::nullopt;
    }
    products = std::move(all);
  }
  return products;
}

}  // namespace gtune
