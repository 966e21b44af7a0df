#include "authoring/shared_index.hpp"

#include "authoring/index_terms.hpp"

namespace gtune {
namespace {

using DefinitionOf = std::function<Tokens(const std::string&)>;

/// Also if the text is a variable.
std::optional<Quotient> defined_quotient(const Tokens& text, const DefinitionOf& definition_of) {
  const Tokens bare = without_brackets(text);
  auto quotient = quotient_of(bare.size() == 1 ? without_brackets(definition_of(bare[0])) : bare);
  if (quotient) quotient->dividend = without_brackets(std::move(quotient->dividend));
  return quotient;
}

/// The positions of an operator outside of brackets.
std::vector<std::size_t> places_of(const Tokens& text, std::string_view sign) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == sign) places.push_back(at);
    at = text[at] == "(" ? past_brackets(text, at) : at + 1;
  }
  return places;
}

/// What `factor` is multiplied by in a product of two.
std::optional<Tokens> other_factor(const Tokens& product, const Tokens& factor) {
  const auto times = places_of(product, "*");
  if (times.size() != 1) return std::nullopt;
  Tokens a = slice(product, 0, times[0]);
  Tokens b = slice(product, times[0] + 1, product.size());
  if (a == factor) return b;
  return b == factor ? std::optional(a) : std::nullopt;
}

/// blockIdx.x * (BLOCK / 32) + threadIdx.x / 32
std::optional<SharedIndex> sum_of_quotients(const Tokens& blocks, const Tokens& threads,
                                            const DefinitionOf& definition_of) {
  const auto of_thread = defined_quotient(threads, definition_of);
  if (!of_thread || token_at(of_thread->dividend, 0) != "threadIdx") return std::nullopt;
  Tokens block = of_thread->dividend;
  block[0] = "blockIdx";
  const auto rest = other_factor(blocks, block);
  const auto of_block = rest ? defined_quotient(*rest, definition_of) : std::nullopt;
  if (!of_block || of_block->divisor != of_thread->divisor) return std::nullopt;
  Tokens index = block;
  index.emplace_back("*");
  index.insert(index.end(), of_block->dividend.begin(), of_block->dividend.end());
  index.emplace_back("+");
  index.insert(index.end(), of_thread->dividend.begin(), of_thread->dividend.end());
  return SharedIndex{index, of_thread->divisor};
}

}  // namespace

std::optional<SharedIndex> shared_index(const Tokens& text, const DefinitionOf& definition_of) {
  if (auto whole = quotient_of(text)) return SharedIndex{whole->dividend, whole->divisor};
  const auto sums = places_of(text, "+");
  if (sums.size() != 1) return std::nullopt;
  const Tokens first = without_brackets(slice(text, 0, sums[0]));
  const Tokens second = without_brackets(slice(text, sums[0] + 1, text.size()));
  auto shared = sum_of_quotients(first, second, definition_of);
  return shared ? shared : sum_of_quotients(second, first, definition_of);
}

}  // namespace gtune
