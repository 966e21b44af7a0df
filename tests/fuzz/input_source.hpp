#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "target.hpp"

namespace gtune::fuzz {

/// Larger inputs run unchanged: mutating them would take most of the time.
inline constexpr std::size_t largest_base = std::size_t{1} << 15;

/// The inputs of a fuzz run by their number: first corpus and seeds, then mutations of them by the
/// target. An input depends only on its number and the seed, not on earlier inputs.
class InputSource {
 public:
  /// The corpus: files, and the files in folders. Throws std::runtime_error if one cannot be read
  /// or if there is no input at all.
  InputSource(const std::vector<std::filesystem::path>& corpus, Target& target, std::uint64_t seed);

  [[nodiscard]] std::uint64_t corpus_size() const { return m_corpus.size(); }
  [[nodiscard]] std::string input(std::uint64_t number) const;

 private:
  Target& m_target;
  std::vector<std::string> m_corpus;
  std::vector<const std::string*> m_bases;  // inputs to mutate
  std::uint64_t m_seed;
};

}  // namespace gtune::fuzz
