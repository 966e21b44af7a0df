#include "space/subtree_cache.hpp"

namespace gtune {
namespace {

constexpr std::size_t trial = 16'384;  // keys to collect before judging whether they repeat
constexpr std::size_t most_keys = 1'000'000;
constexpr std::size_t most_ranks = 4'000'000;  // 32 MB

}  // namespace

std::size_t SubtreeCache::Hash::operator()(const Key& key) const {
  std::uint64_t hash = key.size();
  for (const std::int64_t value : key) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

const Subtree* SubtreeCache::find(const Key& key) {
  const auto found = m_subtrees.find(key);
  if (found == m_subtrees.end()) return nullptr;
  ++m_hits;
  return &found->second;
}

void SubtreeCache::store(const Key& key, Subtree subtree) {
  const std::size_t ranks = subtree.valid.size();
  if (m_subtrees.size() >= most_keys || m_stored_ranks + ranks > most_ranks) return;
  if (m_subtrees.size() >= trial && m_hits < m_subtrees.size()) {
    m_enabled = false;
    m_subtrees.clear();
    return;
  }
  m_stored_ranks += ranks;
  m_subtrees.emplace(key, std::move(subtree));
}

}  // namespace gtune
