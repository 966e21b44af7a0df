#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "target.hpp"

namespace gtune::fuzz {

/// Larger inputs are run as they are: what is made of them would take all of the time.
inline constexpr std::size_t largest_base = std::size_t{1} << 15;

/// The inputs of a fuzz run by their number: first corpus and seeds, then what a target makes of
/// them. An input depends on its number and the seed alone, not on the inputs before it.
class InputSource {
 public:
  /// The corpus: files, and the files in folders. Throws std::runtime_error where one cannot be
  /// read, and where there is no input at all.
  InputSource(const std::vector<std::filesystem::path>& corpus, Target& target, std::uint64_t seed);

  [[nodiscard]] std::uint64_t corpus_size() const { return m_corpus.size(); }
  [[nodiscard]] std::string input(std::uint64_t number) const;

 private:
  Target& m_target;
  std::vector<std::string> m_corpus;
  std::vector<const std::string*> m_bases;  // what is made into others
  std::uint64_t m_seed;
};

}  // namespace gtune::fuzz
