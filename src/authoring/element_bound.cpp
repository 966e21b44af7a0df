#include "authoring/element_bound.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "authoring/name_guess.hpp"

namespace gtune {
namespace {

bool has_factors_of(const IndexTerm& a, const IndexTerm& b) {
  return std::ranges::is_permutation(a.factors, b.factors);
}

/// Without terms that add up to 0, such as `i - i`.
std::vector<IndexTerm> without_opposites(std::vector<IndexTerm> terms) {
  for (IndexTerm& term : terms) {
    const auto opposite = std::ranges::find_if(terms, [&](const IndexTerm& other) {
      return other.number == -term.number && has_factors_of(other, term);
    });
    if (opposite == terms.end()) continue;
    term.number = 0;
    opposite->number = 0;
  }
  std::erase_if(terms, [](const IndexTerm& term) { return term.number == 0; });
  return terms;
}

/// n for `16 * (n / 16)`, m * n for `4 * (m * n / 4)`, which are not more.
IndexTerm without_quotients(IndexTerm term) {
  for (std::size_t i = 0; i < term.factors.size(); ++i) {
    if (!term.factors[i].starts_with('(')) continue;
    const auto quotient_here = quotient_of(without_brackets(source_tokens(term.factors[i])));
    const auto dividend = quotient_here ? index_terms(quotient_here->dividend) : std::nullopt;
    if (!dividend || dividend->size() != 1) continue;
    const auto divisor = index_terms({quotient_here->divisor});
    auto rest = divisor && divisor->size() == 1 ? quotient(term, divisor->front()) : std::nullopt;
    if (!rest) continue;
    const IndexTerm& whole = dividend->front();
    const auto same = rest->factors.erase(std::ranges::find(rest->factors, term.factors[i]));
    rest->factors.insert(same, whole.factors.begin(), whole.factors.end());
    return without_quotients(*rest * IndexTerm{whole.number, {}});
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

constexpr std::size_t most_products = 16;

std::vector<IndexTerm>::iterator find_same(std::vector<IndexTerm>& sum, const IndexTerm& product) {
  return std::ranges::find_if(sum,
                              [&](const IndexTerm& one) { return has_factors_of(one, product); });
}

void add_to(std::vector<IndexTerm>& sum, const IndexTerm& product) {
  const auto same = find_same(sum, product);
  if (same == sum.end()) {
    sum.push_back(product);
  } else {
    same->number += product.number;
  }
}

void add_to(UpperBound& sum, const IndexTerm& product) {
  if (has_factors_of(sum.of, product)) {
    sum.of.number += product.number;
  } else {
    add_to(sum.others, product);
  }
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
  for (const IndexTerm& other : bound.others) text += " + " + other.text();
  if (bound.more > 0) return text + " + " + std::to_string(bound.more);
  const bool is_quotient = bound.others.empty() && bound.of.number == 1 &&
                           bound.of.factors.size() == 1 && text.starts_with('(');
  return is_quotient ? text.substr(1, text.size() - 2) : text;
}

std::optional<UpperBound> ElementBound::of_index(Tokens index, std::size_t at, bool is_end) const {
  while (token_at(index, 0) == "(" && past_brackets(index, 0) == index.size()) {
    index = slice(index, 1, index.size() - 1);
  }
  const bool is_remainder = stands_at(index, 1, {"%"});  // i % n
  if (is_remainder) {
    index = slice(index, 2, index.size());
    if (index.size() > 1) return std::nullopt;
  }
  auto terms = m_locals.expand(index, at, false);
  if (!terms) return std::nullopt;
  *terms = without_opposites(std::move(*terms));
  auto bound = of_terms(*terms, at, is_end);
  if (bound && is_remainder) bound->more = 0;
  return bound;
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
    add_to(parts, limit->of);
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

std::optional<UpperBound> ElementBound::of_terms(const Terms& terms, std::size_t at,
                                                 bool is_end) const {
  std::vector<Part> parts;
  std::int64_t constant = 0;
  bool may_add_sizes = !is_end;
  for (const IndexTerm& term : m_locals.with_sums(m_locals.with_constants(terms))) {
    if (term.factors.empty()) constant += term.number;
    if (term.factors.empty()) continue;
    if (term.number < 0) may_add_sizes = false;  // n - 1 - i
    if (term.number <= 0) continue;
    const auto limit = limit_of(term, at);
    if (!limit && is_within_tile(term, terms, at)) continue;
    if (!limit) return std::nullopt;
    parts.push_back(part_of(term, *limit));
  }
  if (parts.empty()) return UpperBound{{std::max<std::int64_t>(constant, 0) + 1, {}}};
  const Part& largest = *largest_of(parts);
  if (constant < 0 && !largest.pitch.factors.empty()) may_add_sizes = false;  // row * n + n - 1
  const bool adds_all = has_sum_of_pitches(parts, largest, terms);
  UpperBound most = largest.limit;
  if (adds_all) most.more = 0;  // no element is at the sizes' own product
  // Constants count if all else is added up: i + 1.
  bool is_shifted = adds_all || (largest.term.factors.size() == 1 && largest.term.number == 1);
  for (const Part& part : parts) {
    if (&part == &largest) continue;
    const bool adds = part.varies ? is_added(part, largest, at)
                                  : may_add_sizes && is_size_added(part, largest, at);
    if (adds || (adds_all && !is_within_pitches(part, parts, largest))) {
      add_to(most, part.limit.of);
      for (const IndexTerm& other : part.limit.others) add_to(most, other);
      const UpperBound* limit = part.varies ? m_locals.limit(part.variable, at) : nullptr;
      if (limit != nullptr && limit->more > 0)
        add_to(most, part.pitch * IndexTerm{limit->more, {}});
    } else {
      is_shifted = is_shifted && adds_all;
      if (reaches_further(part.limit.of, most.of)) most = part.limit;
    }
  }
  most.more = is_shifted ? most.more + constant : 0;
  return most;
}

void ElementBound::extend(UpperBound& bound, const UpperBound& other) const {
  if (!has_factors_of(bound.of, other.of)) {
    if (reaches_further(other.of, bound.of)) bound = other;
    return;
  }
  bound.of.number = std::max(bound.of.number, other.of.number);
  bound.more = std::max(bound.more, other.more);
  for (const IndexTerm& product : other.others) {
    const auto same = find_same(bound.others, product);
    if (same == bound.others.end()) {
      bound.others.push_back(product);
    } else {
      same->number = std::max(same->number, product.number);
    }
  }
}

/// Whether the largest term's pitch is a sum of sizes: `y * (n + 2)`. That of a diagonal, `i * n +
/// i`, is not, and a difference, `y * (n - k + 1)`, is less than its first size.
bool ElementBound::has_sum_of_pitches(const std::vector<Part>& parts, const Part& largest,
                                      const Terms& terms) {
  if (largest.variable.empty()) return false;
  const bool is_lowered = std::ranges::any_of(terms, [&](const IndexTerm& term) {
    return term.number < 0 && term.factors.size() > 1 && term.has(largest.variable);
  });
  const auto has_pitch = [&](const Part& part) {
    return part.variable == largest.variable && part.pitch.text() != "1";
  };
  return !is_lowered && std::ranges::count_if(parts, has_pitch) > 1;
}

/// Whether a term stays within the sum of the largest one's pitches: the x and the k of `y * (n + 2
/// * k) + x + k` if x < n. A whole pitch, as in `(y + 1) * (n + 2 * k)`, does not.
bool ElementBound::is_within_pitches(const Part& part, const std::vector<Part>& parts,
                                     const Part& largest) {
  const auto is_in_pitch = [&](const IndexTerm& limit) {
    return std::ranges::any_of(parts, [&](const Part& one) {
      const std::int64_t most = one.pitch.number - (part.varies ? 0 : 1);
      return one.variable == largest.variable && limit.number <= most &&
             has_factors_of(one.pitch, limit);
    });
  };
  return part.variable != largest.variable && (!part.varies || part.pitch.text() == "1") &&
         is_in_pitch(part.limit.of) && std::ranges::all_of(part.limit.others, is_in_pitch);
}

/// The term that reaches furthest; one that varies before those that do not.
const ElementBound::Part* ElementBound::largest_of(const std::vector<Part>& parts) const {
  const Part* largest = &parts.front();
  for (const Part& part : parts) {
    const bool is_larger = part.varies == largest->varies
                               ? reaches_further(part.limit.of, largest->limit.of)
                               : part.varies;
    if (is_larger) largest = &part;
  }
  return largest;
}

/// Whether a factor is no size and no constant.
bool ElementBound::varies(const std::string& factor) const {
  for (const std::string_view of_launch : {"blockIdx.", "threadIdx.", "extent."}) {
    if (factor.starts_with(of_launch)) return true;
  }
  return !m_locals.without_locals({1, {factor}});
}

ElementBound::Part ElementBound::part_of(const IndexTerm& term, const UpperBound& limit) const {
  const IndexTerm whole = with_extents(term);
  Part part{term, limit, false, "", {whole.number, {}}};
  int count = 0;
  for (const std::string& factor : whole.factors) {
    if (varies(factor)) {
      ++count;
      part.variable = factor;
    } else {
      part.pitch.factors.push_back(factor);
    }
  }
  part.varies = count > 0;
  if (count > 1) part.variable.clear();
  return part;
}

/// Whether a size adds to what the largest term reaches: it is at that one's pitch, such as
/// `y0 * pitch` or the planes of `i + 2 * n`. Anything smaller counts within the pitch.
bool ElementBound::is_size_added(const Part& part, const Part& largest, std::size_t at) const {
  const auto count = quotient(part.term, largest.pitch);
  if (largest.variable.empty() || !count) return false;
  const bool is_guarded_tile = is_of_tile(part.limit.of) && !is_of_tile(largest.limit.of);
  if (is_guarded_tile) return false;
  const UpperBound* guard = m_locals.limit(largest.variable, at);
  if (!count->factors.empty()) return guard == nullptr || !leaves_room(*guard, *count);
  // Rows after this one: for those, `y < n - 1` and `y += 4` leave room.
  const IndexTerm* step = m_locals.step(largest.variable);
  const bool is_stepped = step != nullptr && step->factors.empty() && step->number > count->number;
  return !is_stepped && (guard == nullptr || count->number > -guard->more);
}

/// Whether another variable at the largest term's pitch adds to what that one reaches, such as the
/// j of `in[i + j]`.
bool ElementBound::is_added(const Part& part, const Part& largest, std::size_t at) const {
  if (largest.variable.empty() || part.pitch.text() != largest.pitch.text()) return false;
  const UpperBound* guard = m_locals.limit(largest.variable, at);
  const UpperBound* limit = m_locals.limit(part.variable, at);
  return guard != nullptr && limit != nullptr && !limit->is_of_sum && !guard->is_of_sum &&
         !leaves_room(*guard, limit->of) && !moves_in_steps(largest.variable, limit->of, at);
}

/// Whether a condition leaves room for so many more: `i < n - taps`.
bool ElementBound::leaves_room(const UpperBound& guard, const IndexTerm& count) {
  return std::ranges::any_of(guard.subtracted, [&](const IndexTerm& one) {
    return one.number >= count.number && has_factors_of(one, count);
  });
}

/// Whether a variable is a multiple of `step`, beside a loop over so many: 4 * thread, or
/// blockIdx.y * TILE + threadIdx.y * ROWS, whose TILE is one of ROWS; or whether it is within a
/// tile of so many, such as blockIdx.y * 32 + threadIdx.y.
bool ElementBound::moves_in_steps(const std::string& variable, const IndexTerm& step,
                                  std::size_t at) const {
  const IndexTerm* own = m_locals.step(variable);
  if (own != nullptr && quotient(*own, step)) return true;
  const auto terms = m_locals.expand({variable}, at, true);
  if (!terms) return false;
  const auto is_multiple = [&](const IndexTerm& term) { return quotient(term, step).has_value(); };
  const auto is_tile = [&](const IndexTerm& term) {
    const auto blocks = quotient(term, step);
    return blocks && blocks->number == 1 && blocks->factors.size() == 1 &&
           blocks->factors.front().starts_with("blockIdx.");
  };
  return step.factors.empty()
             ? std::ranges::all_of(*terms, is_multiple) || std::ranges::any_of(*terms, is_tile)
             : std::ranges::any_of(*terms, is_multiple);
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
  const auto spans_blocks = [](const std::string& factor) {
    return factor.starts_with("extent.") || factor.starts_with("gridDim.");
  };
  const auto rank = [&](const IndexTerm& term) {
    const auto& factors = term.factors;
    const auto spans_tile = [&](const std::string& factor) { return is_of_tile({1, {factor}}); };
    return std::pair(std::count_if(factors.begin(), factors.end(), std::not_fn(spans_tile)),
                     std::any_of(factors.begin(), factors.end(), spans_blocks));
  };
  return rank(a) == rank(b) ? is_larger(a, b) : rank(a) > rank(b);
}

/// Whether all of its factors are extents within a block.
bool ElementBound::is_of_tile(const IndexTerm& term) const {
  return std::ranges::all_of(term.factors, [&](const std::string& factor) {
    return factor.starts_with("blockDim.") || std::ranges::any_of(m_tiles, [&](const auto& tile) {
             return tile && tile->has(factor);
           });
  });
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
  Terms limits = {{whole.number, {}}};  // a sum
  std::int64_t more = 0;
  for (const std::string& factor : whole.factors) {
    Terms of_factor = {{1, {factor}}};
    if (const UpperBound* limit = m_locals.limit(factor, at)) {
      of_factor = {limit->of};
      of_factor.insert(of_factor.end(), limit->others.begin(), limit->others.end());
      more = limit->more;
    } else if (factor.starts_with("blockIdx.")) {
      of_factor = {{1, {"gridDim" + factor.substr(factor.find('.'))}}};
    } else if (factor.starts_with("threadIdx.")) {
      of_factor = {{1, {"blockDim" + factor.substr(factor.find('.'))}}};
    } else {
      more = factor.starts_with("extent.") ? 0 : 1;  // x[n] needs n + 1 elements
    }
    limits = products_of(limits, of_factor);
    if (limits.size() > most_products) return std::nullopt;
  }
  UpperBound bound{{}, more};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto known = m_locals.without_locals(with_limits(limits[i], at));
    if (!known) return std::nullopt;
    const IndexTerm product = without_quotients(*known);
    if (i == 0) {
      bound.of = product;
    } else {
      add_to(bound, product);
    }
  }
  return bound;
}

}  // namespace gtune
