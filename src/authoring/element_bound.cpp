#include "authoring/element_bound.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "authoring/name_guess.hpp"

namespace gtune {
namespace {

/// Without terms that add up to 0, such as `i - i`.
std::vector<IndexTerm> without_opposites(std::vector<IndexTerm> terms) {
  for (IndexTerm& term : terms) {
    const auto opposite = std::ranges::find_if(terms, [&](const IndexTerm& other) {
      return other.number == -term.number &&
             std::ranges::is_permutation(other.factors, term.factors);
    });
    if (opposite == terms.end()) continue;
    term.number = 0;
    opposite->number = 0;
  }
  std::erase_if(terms, [](const IndexTerm& term) { return term.number == 0; });
  return terms;
}

/// `n` or `blockDim.x`; empty for anything else.
std::string name_of(const Tokens& text) {
  if (text.size() == 1) return text.front();
  return text.size() == 3 && text[1] == "." ? text[0] + "." + text[2] : "";
}

/// n for `16 * (n / 16)`, which is not more.
IndexTerm without_quotients(IndexTerm term) {
  for (std::size_t i = 0; i < term.factors.size(); ++i) {
    if (!term.factors[i].starts_with('(')) continue;
    const auto quotient_here = quotient_of(without_brackets(source_tokens(term.factors[i])));
    const std::string dividend =
        quotient_here ? name_of(without_brackets(quotient_here->dividend)) : "";
    if (dividend.empty()) continue;
    const auto divisor = index_terms({quotient_here->divisor});
    auto rest = divisor && divisor->size() == 1 ? quotient(term, divisor->front()) : std::nullopt;
    if (!rest) continue;
    const auto same = std::ranges::find(rest->factors, term.factors[i]);
    *same = dividend;
    return without_quotients(std::move(*rest));
  }
  return term;
}

/// The terms that a pitch must span. Larger pitches stand before it: those of `z * slice` in
/// `z * slice + y * row + x` are none of them.
std::vector<IndexTerm> terms_within(std::vector<IndexTerm> terms, const std::string& pitch,
                                    const std::vector<std::string>& arguments) {
  const auto first = std::ranges::find_if(terms, [&](const auto& term) { return term.has(pitch); });
  const auto is_larger_pitch = [&](const IndexTerm& term) {
    return std::ranges::any_of(pitch_of(term, arguments), looks_like_pitch);
  };
  const auto kept = std::remove_if(terms.begin(), first, is_larger_pitch);
  terms.erase(kept, first);
  std::erase_if(terms, [&](const IndexTerm& term) { return term.has(pitch); });
  return terms;
}

}  // namespace

bool is_among(const std::vector<std::string>& arguments, const std::string& name) {
  return std::find(arguments.begin(), arguments.end(), name.substr(0, name.find('.'))) !=
         arguments.end();
}

std::vector<std::string> pitch_of(const IndexTerm& term,
                                  const std::vector<std::string>& arguments) {
  std::vector<std::string> pitch;
  std::copy_if(term.factors.begin(), term.factors.end(), std::back_inserter(pitch),
               [&](const std::string& one) { return is_among(arguments, one); });
  return pitch;
}

std::string text_of(const UpperBound& bound) {
  constexpr std::int64_t small = 1 << 30;  // their sum fits
  const bool is_number = bound.of.factors.empty() && bound.of.number < small && bound.more < small;
  if (is_number) return std::to_string(bound.of.number + bound.more);
  std::string text = bound.of.text();
  if (bound.more > 0) return text + " + " + std::to_string(bound.more);
  const bool is_quotient =
      bound.of.number == 1 && bound.of.factors.size() == 1 && text.starts_with('(');
  return is_quotient ? text.substr(1, text.size() - 2) : text;
}

std::optional<UpperBound> ElementBound::of_index(Tokens index, std::size_t at) const {
  while (token_at(index, 0) == "(" && past_brackets(index, 0) == index.size()) {
    index = slice(index, 1, index.size() - 1);
  }
  const bool is_below = stands_at(index, 1, {"%"});  // i % n
  if (is_below) {
    index = slice(index, 2, index.size());
    if (index.size() > 1) return std::nullopt;
  }
  auto terms = m_locals.expand(index, at, false);
  if (!terms) return std::nullopt;
  *terms = without_opposites(std::move(*terms));
  return of_terms(*terms, at, is_below);
}

std::string ElementBound::sum_of_index(const Tokens& index, std::size_t at) const {
  const auto terms = m_locals.expand(index, at, false);
  if (!terms) return "";
  Terms parts;
  int count = 0;
  for (const IndexTerm& term : without_opposites(*terms)) {
    if (term.number <= 0 || term.factors.empty()) continue;
    const auto limit = limit_of(term, at);
    if (!limit) return "";
    // A column of a row: `k * TILE + c` if c < TILE, or if it is a thread's.
    const bool is_of_thread = limit->of.text().starts_with("blockDim.");
    const bool is_within = std::ranges::any_of(*terms, [&](const IndexTerm& other) {
      const bool is_row = is_of_thread && (other.factors.size() > 1 || other.number > 1);
      return other.has(limit->of.text()) || is_row;
    });
    if (is_within) continue;
    ++count;
    const auto same = std::ranges::find(parts, limit->of.factors, &IndexTerm::factors);
    if (same == parts.end()) {
      parts.push_back(limit->of);
    } else {
      same->number += limit->of.number;
    }
  }
  std::string sum;
  for (const IndexTerm& part : parts) {
    sum += (sum.empty() ? "" : " + ") + without_quotients(part).text();
  }
  return count > 1 ? sum : "";
}

std::map<std::string, UpperBound> ElementBound::spans(const Tokens& index, std::size_t at) const {
  std::map<std::string, UpperBound> spans;
  const auto terms = m_locals.expand(index, at, false);
  if (!terms) return spans;
  std::set<std::string> pitches;
  for (const IndexTerm& term : *terms) {
    for (const std::string& factor : pitch_of(term, m_arguments)) pitches.insert(factor);
  }
  for (const std::string& pitch : pitches) {
    const Terms rest = terms_within(without_opposites(*terms), pitch, m_arguments);
    if (rest.empty()) continue;
    const auto bound = of_terms(rest, at, false);
    if (bound && !bound->of.factors.empty()) spans.emplace(pitch, *bound);
  }
  return spans;
}

/// `is_below`: a remainder by what is the only term.
std::optional<UpperBound> ElementBound::of_terms(const Terms& terms, std::size_t at,
                                                 bool is_below) const {
  std::optional<UpperBound> most;
  std::int64_t constant = 0;
  bool is_shifted = true;  // by the constant alone: i + 1
  std::int64_t equal = 0;  // variables or sizes with the largest limit: i + n / 2
  for (const IndexTerm& term : terms) {
    if (term.factors.empty()) constant += term.number;
    if (term.number <= 0 || term.factors.empty()) continue;
    const auto limit = limit_of(term, at);
    if (!limit && is_within_tile(term, terms, at)) continue;
    if (!limit) return std::nullopt;
    const bool is_one = term.factors.size() == 1 && term.number == 1;
    is_shifted = !most && is_one;
    if (is_one && equal > 0 && limit->of.text() == most->of.text()) {
      ++equal;
    } else if (!most || reaches_further(limit->of, most->of)) {
      most = limit;
      equal = is_one ? 1 : 0;
    }
  }
  if (most && equal > 1) most->of.number *= equal;
  if (!most) return UpperBound{{std::max<std::int64_t>(constant, 0) + 1, {}}};
  most->more = is_shifted && !is_below ? most->more + constant : 0;
  return most;
}

/// Whether the term is of threads within the tile of a block or a loop, which another term of the
/// same pitch places: `(threadIdx.x / 8) * n` beside `blockIdx.y * TILE * n`.
bool ElementBound::is_within_tile(const IndexTerm& term, const Terms& terms, std::size_t at) const {
  const bool is_of_threads = std::ranges::any_of(
      term.factors, [&](const auto& one) { return m_locals.is_of_threads(one); });
  const bool is_known = std::ranges::none_of(
      term.factors, [](const std::string& one) { return one.starts_with("gridDim."); });
  return is_of_threads && is_known && term.number == 1 &&
         std::ranges::any_of(terms, [&](const IndexTerm& other) {
           return pitch_of(other, m_arguments) == pitch_of(term, m_arguments) &&
                  places_tile(other, at);
         });
}

/// `blockIdx.y * TILE`, or a loop's variable that counts tiles.
bool ElementBound::places_tile(const IndexTerm& term, std::size_t at) const {
  const bool is_of_block = std::ranges::any_of(
      term.factors, [](const std::string& one) { return one.starts_with("blockIdx."); });
  if (is_of_block)
    return term.number > 1 || term.factors.size() > pitch_of(term, m_arguments).size() + 1;
  return std::ranges::any_of(term.factors, [&](const std::string& one) {
    const UpperBound* limit = m_locals.limit(one, at);
    const IndexTerm* step = m_locals.is_local(one) ? m_locals.step(one) : nullptr;
    return limit != nullptr && is_among(m_arguments, limit->of.text()) && step != nullptr &&
           step->text() != "1";
  });
}

bool ElementBound::reaches_further(const IndexTerm& a, const IndexTerm& b) const {
  const auto is_of_tile = [&](const std::string& factor) {
    return factor.starts_with("blockDim.") ||
           std::any_of(m_tiles.begin(), m_tiles.end(),
                       [&](const auto& tile) { return tile && tile->has(factor); });
  };
  const auto spans_blocks = [](const std::string& factor) {
    return factor.starts_with("extent.") || factor.starts_with("gridDim.");
  };
  const auto rank = [&](const IndexTerm& term) {
    const auto& factors = term.factors;
    return std::pair(std::count_if(factors.begin(), factors.end(), std::not_fn(is_of_tile)),
                     std::any_of(factors.begin(), factors.end(), spans_blocks));
  };
  return rank(a) == rank(b) ? is_larger(a, b) : rank(a) > rank(b);
}

/// Replaces blockIdx * tile by extent, which bounds it.
IndexTerm ElementBound::with_extents(IndexTerm term) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& tile = m_tiles.at(axis);
    if (!tile) continue;
    auto rest = quotient(term, *tile * IndexTerm{1, {on_axis("blockIdx", axis)}});
    if (!rest) continue;
    rest->factors.push_back(on_axis("extent", axis));
    term = std::move(*rest);
  }
  return term;
}

/// With the limits of variables in place of those: n for j in `for (i = 0; i < j; ++i)` if j < n.
IndexTerm ElementBound::with_limits(const IndexTerm& term, std::size_t at) const {
  IndexTerm limits{term.number, {}};
  for (const std::string& factor : term.factors) {
    const UpperBound* limit = m_locals.is_local(factor) ? m_locals.limit(factor, at) : nullptr;
    limits = limits * (limit == nullptr ? IndexTerm{1, {factor}} : limit->of);
  }
  return limits;
}

std::optional<UpperBound> ElementBound::limit_of(const IndexTerm& term, std::size_t at) const {
  const IndexTerm whole = with_extents(term);
  IndexTerm limits{whole.number, {}};
  std::int64_t more = 0;
  for (const std::string& factor : whole.factors) {
    if (const UpperBound* limit = m_locals.limit(factor, at)) {
      limits = limits * limit->of;
      more = limit->more;
    } else if (factor.starts_with("blockIdx.")) {
      limits.factors.push_back("gridDim" + factor.substr(factor.find('.')));
    } else if (factor.starts_with("threadIdx.")) {
      limits.factors.push_back("blockDim" + factor.substr(factor.find('.')));
    } else {
      limits.factors.push_back(factor);
      more = factor.starts_with("extent.") ? 0 : 1;  // x[n] needs n + 1 elements
    }
  }
  const auto known = m_locals.without_locals(with_limits(limits, at));
  return known ? std::optional(UpperBound{without_quotients(*known), more}) : std::nullopt;
}

}  // namespace gtune
