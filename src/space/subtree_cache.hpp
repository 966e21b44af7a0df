#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace gtune {

/// The result of enumerating a subtree. `valid`: ranks relative to its root. `excluded`: the number
/// of combinations that each constraint excluded.
struct Subtree {
  std::vector<std::uint64_t> valid;
  std::vector<std::uint64_t> excluded;
};

/// Results of one level's subtrees, keyed by the values that a subtree depends on. Where these
/// repeat, as partial sums and products do, the subtree is the same and is not walked again. The
/// cache disables itself if keys rarely repeat.
class SubtreeCache {
 public:
  using Key = std::vector<std::int64_t>;

  [[nodiscard]] bool enabled() const { return m_enabled; }
  /// Null if the key is unknown. The result is valid until the next `store`.
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
