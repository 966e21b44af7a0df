#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace gtune {

/// What the enumeration found below a point: valid combinations as ranks from there, and how many
/// each constraint excluded.
struct Subtree {
  std::vector<std::uint64_t> valid;
  std::vector<std::uint64_t> excluded;
};

/// Results of one level, by the values that all below depends on: where these repeat, as partial
/// sums and products do, the tree below is the same and is not walked again. Gives itself up where
/// they hardly repeat.
class SubtreeCache {
 public:
  using Key = std::vector<std::int64_t>;

  [[nodiscard]] bool enabled() const { return m_enabled; }
  /// Null where the key is new. Valid until the next `store`.
  [[nodiscard]] const Subtree* find(const Key& key);
  void store(const Key& key, Subtree subtree);

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  std::unordered_map<Key, Subtree, Hash> m_subtrees;
  std::size_t m_hits = 0;
  std::size_t m_stored_ranks = 0;
  bool m_enabled = true;
};

}  // namespace gtune
